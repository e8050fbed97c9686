// SPDX-License-Identifier: Apache-2.0

import Foundation

/// `X-PowerAuth-Token`: a request under a token instead of a signature (powerauth.md §7).
public struct TokenHeader: Hashable, Sendable {
  public static let name = "X-PowerAuth-Token"

  public let version: ProtocolVersion
  public let tokenIdentifier: TokenIdentifier
  /// 32 bytes.
  public let digest: Data
  /// 16 bytes.
  public let nonce: Data
  /// Milliseconds since 1970, of the device's corrected clock.
  public let timestamp: UInt64

  /// - Throws: `malformed` for a digest or nonce of another length.
  public init(
    version: ProtocolVersion, tokenIdentifier: TokenIdentifier, digest: Data, nonce: Data, timestamp: UInt64
  ) throws(PowerAuthError) {
    guard digest.count == TokenDigest.byteCount else { throw .malformed(.token) }
    guard nonce.count == 16 else { throw .malformed(.nonce) }
    self.version = version
    self.tokenIdentifier = tokenIdentifier
    self.digest = digest
    self.nonce = nonce
    self.timestamp = timestamp
  }

  /// - Throws: `malformed`, `tooLong`, `unsupportedVersion`.
  public init(value: String) throws(PowerAuthError) {
    let items = try HeaderItems(value)
    guard let digest = Data(canonicalBase64: try items.require("token_digest")) else { throw .malformed(.token) }
    guard let nonce = Data(canonicalBase64: try items.require("nonce")) else { throw .malformed(.nonce) }
    let time = try items.require("timestamp")
    // The digest covers the text: only the spelling that gives the text back is one.
    guard let timestamp = UInt64(time), String(timestamp) == time else { throw .malformed(.timestamp) }
    try self.init(
      version: ProtocolVersion(text: items.require("version")),
      tokenIdentifier: TokenIdentifier(text: items.require("token_id")), digest: digest, nonce: nonce,
      timestamp: timestamp)
  }

  public var value: String {
    HeaderItems.text([
      "version": version.rawValue, "token_id": tokenIdentifier.text, "token_digest": digest.base64EncodedString(),
      "nonce": nonce.base64EncodedString(), "timestamp": String(timestamp),
    ])
  }
}
