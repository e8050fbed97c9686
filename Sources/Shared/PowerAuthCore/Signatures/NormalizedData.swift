// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The bytes that a signature covers (powerauth.md §5.2).
public struct NormalizedData: Hashable, Sendable, Redacted {
  public let bytes: Data

  /// Bytes that are normalised already.
  public init(_ bytes: Data) {
    self.bytes = bytes
  }

  /// A request.
  /// - Parameters:
  ///   - method: of HTTP, in any case.
  ///   - uriIdentifier: what the application calls the resource, not necessarily its path.
  ///   - nonce: 16 bytes.
  ///   - body: as it is sent or, for `GET`, `CanonicalQuery.body`; empty when it is absent.
  /// - Throws: `malformed` for a nonce of another length.
  public init(
    method: String, uriIdentifier: String, nonce: Data, body: Data, applicationSecret: ApplicationSecret
  ) throws(PowerAuthError) {
    try self.init(
      method: method, uriIdentifier: uriIdentifier, nonce: nonce, body: body, ending: applicationSecret.text)
  }

  /// Something that is signed without a connection, such as a payment that a person reads off a screen.
  public init(
    offline method: String = "POST", uriIdentifier: String, nonce: Data, body: Data
  ) throws(PowerAuthError) {
    try self.init(method: method, uriIdentifier: uriIdentifier, nonce: nonce, body: body, ending: "offline")
  }

  private init(
    method: String, uriIdentifier: String, nonce: Data, body: Data, ending: String
  ) throws(PowerAuthError) {
    guard nonce.count == 16 else { throw .malformed(.nonce) }
    bytes = Data(
      [
        method.uppercased(), Data(uriIdentifier.utf8).base64EncodedString(), nonce.base64EncodedString(),
        body.base64EncodedString(), ending,
      ].joined(separator: "&").utf8)
  }
}
