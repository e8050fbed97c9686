// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire

#if canImport(CryptoKit)
  import CryptoKit
#else
  import Crypto
#endif

/// A device's question for a temporary key, as a token under a key of the scope (powerauth.md §4.5).
public struct TemporaryKeyRequest: Hashable, Sendable {
  /// Bytes of a challenge.
  public static let challengeBytes = 18

  public let applicationKey: ApplicationKey
  /// Nil in the scope of the application.
  public let activationIdentifier: ActivationIdentifier?
  /// Base64 of random bytes, which the answer repeats.
  public let challenge: String

  public init(
    applicationKey: ApplicationKey, activationIdentifier: ActivationIdentifier? = nil, randomness: Randomness
  ) {
    self.applicationKey = applicationKey
    self.activationIdentifier = activationIdentifier
    challenge = randomness.bytes(Self.challengeBytes).base64EncodedString()
  }

  fileprivate init(_ claims: Claims) throws(PowerAuthError) {
    guard Data(canonicalBase64: claims.challenge)?.count == Self.challengeBytes else { throw .malformed(.challenge) }
    applicationKey = try ApplicationKey(text: claims.applicationKey)
    challenge = claims.challenge
    guard let text = claims.activationId else {
      activationIdentifier = nil
      return
    }
    activationIdentifier = try ActivationIdentifier(text: text)
  }

  /// The token's key in the scope of the application: the bytes of the secret.
  public static func key(applicationSecret: ApplicationSecret) -> SecretKey { applicationSecret.key }

  /// The token's key in the scope of an activation.
  public static func key(applicationSecret: ApplicationSecret, transportKey: TransportKey) -> SecretKey {
    transportKey.key.derived(data: applicationSecret.key.bytes)
  }

  /// The token that is sent.
  public func token(key: SecretKey) throws(PowerAuthError) -> String {
    let claims = Claims(
      applicationKey: applicationKey.text, activationId: activationIdentifier?.text, challenge: challenge)
    return try CompactJWT.text(.hs256, claims: claims) { data in Data(key.authenticationCode(for: data)) }
  }

  fileprivate struct Claims: Codable {
    let applicationKey: String
    let activationId: String?
    let challenge: String
  }
}

/// A question whose token was read but not checked: which key checks it depends on what it says.
public struct UnverifiedTemporaryKeyRequest: Sendable {
  private let token: CompactJWT
  private let request: TemporaryKeyRequest

  /// - Throws: `malformed`, `tooLong`.
  public init(token text: String) throws(PowerAuthError) {
    token = try CompactJWT(text: text, algorithm: .hs256)
    guard let claims = try? WireJSON.decode(TemporaryKeyRequest.Claims.self, from: token.claims) else {
      throw .malformed(.temporaryKey)
    }
    request = try TemporaryKeyRequest(claims)
  }

  /// Whose secret checks the token, as the caller claims.
  public var claimedApplicationKey: ApplicationKey { request.applicationKey }
  /// Whose transport key checks the token, as the caller claims; nil in the scope of the application.
  public var claimedActivationIdentifier: ActivationIdentifier? { request.activationIdentifier }

  /// - Throws: `notAuthentic`.
  public func verified(key: SecretKey) throws(PowerAuthError) -> TemporaryKeyRequest {
    guard
      HMAC<SHA256>.isValidAuthenticationCode(token.signature, authenticating: token.signed, using: key.symmetric)
    else { throw .notAuthentic }
    return request
  }
}
