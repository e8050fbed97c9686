// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import SaltEdgeAuthenticator
public import SaltEdgeCore
internal import SaltEdgeWire
internal import SEAuthenticatorCore

/// What is said of a device that is to be connected (saltedge-authenticator §4.2).
public struct SECreateConnectionRequestData: Sendable {
  public let providerCode: String
  /// SubjectPublicKeyInfo in PEM.
  public let publicKey: String

  /// Draws a key pair and keeps it in place of an earlier one. Takes a good part of a second.
  /// - Parameters:
  ///   - code: of the bank.
  ///   - tag: the guid of the connection, as published: the pair is kept under `SETagHelper.create(for: tag)`, where
  ///     all later calls look for it. A text that `SETagHelper` made already, as our first versions wanted it, is not
  ///     wrapped again.
  /// - Returns: nil when the key could not be kept.
  public init?(code: String, tag: String) {
    let tag = SETagHelper.isPair(tag) ? tag : SETagHelper.create(for: tag)
    guard SECryptoHelper.createKeyPair(with: tag) != nil, let pem = SECryptoHelper.publicKeyToPem(tag: tag) else {
      return nil
    }
    providerCode = code
    publicKey = pem
  }
}

/// Either a token, or where the customer signs in (saltedge-authenticator §4.2).
public struct SECreateConnectionResponse: Decodable, Sendable, Redacted {
  /// The connection.
  public let id: String
  /// When the customer does not have to sign in.
  public let accessToken: String?
  /// A page to be shown, or already the end of signing in: see `SERedirectHandler`.
  public let connectUrl: String?

  /// - Throws: `unreadable` when there is neither.
  init(_ wire: SaltEdgeV1.Connected) throws(AuthenticatorError) {
    guard wire.accessToken != nil || wire.connectURL != nil else { throw .unusableAnswer }
    id = wire.id.text
    accessToken = wire.accessToken
    connectUrl = wire.connectURL
  }

  public init(from decoder: any Decoder) throws {
    try self.init(SaltEdge.Body<SaltEdgeV1.Connected>(from: decoder).data)
  }
}

/// Whether a connection was revoked (saltedge-authenticator §4.5).
public struct SERevokeConnectionResponse: Decodable, Sendable {
  public let success: Bool

  init(_ wire: SaltEdgeV1.ConnectionRevoked) { success = wire.success }

  public init(from decoder: any Decoder) throws {
    self.init(try SaltEdge.Body<SaltEdgeV1.ConnectionRevoked>(from: decoder).data)
  }
}
