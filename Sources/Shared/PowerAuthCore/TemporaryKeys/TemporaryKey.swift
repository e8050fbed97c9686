// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

/// A server's answer with a key that requests of 3.3 are encrypted to (powerauth.md §4.5).
public struct TemporaryKey: Hashable, Sendable {
  /// Milliseconds for which a key lives.
  public static let lifetime: UInt64 = 300_000
  /// Milliseconds before the end when a device asks for another.
  public static let renewal: UInt64 = 10_000

  /// A UUID; its text goes into associated data as it is.
  public let identifier: String
  public let publicKey: ECPublicKey
  /// Milliseconds since 1970, of the server's clock; devices may set theirs by it.
  public let issuedAt: UInt64
  /// Milliseconds since 1970.
  public let expiresAt: UInt64

  /// - Throws: `malformed` unless the identifier is a UUID.
  public init(
    identifier: String, publicKey: ECPublicKey, issuedAt: UInt64, lifetime: UInt64 = lifetime
  ) throws(PowerAuthError) {
    try self.init(
      identifier: identifier, publicKey: publicKey, issuedAt: issuedAt,
      expiresAt: issuedAt > .max - lifetime ? .max : issuedAt + lifetime)
  }

  private init(
    identifier: String, publicKey: ECPublicKey, issuedAt: UInt64, expiresAt: UInt64
  ) throws(PowerAuthError) {
    guard isUUID(identifier) else { throw .malformed(.temporaryKey) }
    self.identifier = identifier
    self.publicKey = publicKey
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }

  /// Whether a server still decrypts with it, at a time in milliseconds since 1970.
  public func isValid(at now: UInt64) -> Bool { now < expiresAt }

  /// Whether a device still encrypts to it, at a time in milliseconds since 1970 by the server's clock.
  public func isFresh(at now: UInt64) -> Bool { expiresAt >= Self.renewal && now < expiresAt - Self.renewal }

  /// The token that answers a request, on the server.
  /// - Parameter key: the master key in the scope of the application, the server's key of the activation otherwise.
  public func token(answering request: TemporaryKeyRequest, key: ECPrivateKey) throws(PowerAuthError) -> String {
    let claims = Claims(
      sub: identifier, applicationKey: request.applicationKey.text, activationId: request.activationIdentifier?.text,
      challenge: request.challenge, publicKey: publicKey.uncompressed.base64EncodedString(),
      iat: issuedAt / 1000, exp: expiresAt / 1000, iatMilliseconds: issuedAt, expMilliseconds: expiresAt)
    return try CompactJWT.text(.es256, claims: claims) { data throws(PowerAuthError) in
      try key.rawSignature(for: data)
    }
  }

  /// Reads and checks the answer, on the device.
  /// - Throws: `malformed`; `tooLong`; `notAuthentic`; `mismatched` when it answers another request; `invalidKey`.
  public init(token text: String, answering request: TemporaryKeyRequest, key: ECPublicKey) throws(PowerAuthError) {
    let token = try CompactJWT(text: text, algorithm: .es256)
    guard key.isValidRawSignature(token.signature, for: token.signed) else { throw .notAuthentic }
    guard let claims = try? WireJSON.decode(Claims.self, from: token.claims) else {
      throw .malformed(.temporaryKey)
    }
    guard claims.challenge == request.challenge else { throw .mismatched(.challenge) }
    guard claims.applicationKey == request.applicationKey.text else { throw .mismatched(.applicationKey) }
    guard claims.activationId == request.activationIdentifier?.text else {
      throw .mismatched(.activationIdentifier)
    }
    try self.init(
      identifier: claims.sub, publicKey: ECPublicKey(base64: claims.publicKey), issuedAt: claims.iatMilliseconds,
      expiresAt: claims.expMilliseconds)
  }

  private struct Claims: Codable {
    let sub: String
    let applicationKey: String
    let activationId: String?
    let challenge: String
    let publicKey: String
    let iat: UInt64
    let exp: UInt64
    let iatMilliseconds: UInt64
    let expMilliseconds: UInt64

    enum CodingKeys: String, CodingKey {
      case sub, applicationKey, activationId, challenge, publicKey, iat, exp
      case iatMilliseconds = "iat_ms"
      case expMilliseconds = "exp_ms"
    }
  }
}
