// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// Proofs that need no counter (powerauth.md §7).
extension ActivationClient {
  /// The token of this name: the one that is here, or a new one.
  /// - Throws: `wrongParameter` when the one that is here was made with other factors.
  func requestToken(_ name: String, _ authentication: PowerAuthAuthentication) async throws -> StoredToken {
    guard !name.isEmpty else { throw CallFailure(.wrongParameter, "A token has a name.") }
    let identifier = try session.requireActivation().identifier
    let type = authentication.signatureType
    if let token = try tokens.token(name, of: identifier, type) { return token }
    return try await tokens.mutex(for: name).withLock {
      if let token = try self.tokens.token(name, of: identifier, type) { return token }
      let created: CreatedToken = try await self.signedEncryptedCall(.createToken, authentication, EmptyObject())
      let token = try StoredToken(created, type: type)
      // Also when the activation went meanwhile: then it is not asked for.
      guard self.session.activation?.identifier == identifier else { throw CallFailure.cancelled }
      try self.tokens.keep(token, name, of: identifier)
      return token
    }
  }

  /// Has the server forget the token, then forgets it here.
  func removeToken(_ name: String) async throws -> Bool {
    let identifier = try session.requireActivation().identifier
    guard let token = try tokens.token(name, of: identifier) else {
      throw CallFailure(.invalidToken, "There is no token of this name.")
    }
    _ = try await signedCall(
      .removeToken, .possession(), RequestEnvelope(TokenReference(tokenId: token.identifier)))
    try tokens.remove(name, of: identifier)
    return true
  }

  func localToken(_ name: String) -> StoredToken? {
    session.activation.flatMap { try? tokens.token(name, of: $0.identifier) }
  }

  /// A header by a token that is here; the server's time must be known.
  func tokenHeader(_ name: String) async throws -> PowerAuthAuthorizationHttpHeader {
    guard !name.isEmpty else { throw CallFailure(.wrongParameter, "A token has a name.") }
    let identifier = try session.requireActivation().identifier
    guard let token = try tokens.token(name, of: identifier) else {
      throw CallFailure(.invalidToken, "There is no token of this name.")
    }
    try await ensureTime()
    guard let header = header(by: token) else {
      throw CallFailure(.timeSynchronization, "The server's time is not known.")
    }
    return header
  }

  /// - Returns: nil while the server's time is not known.
  func header(by token: StoredToken) -> PowerAuthAuthorizationHttpHeader? {
    guard time.isSynchronized,
      let header = try? TokenDigest.header(
        for: TokenIdentifier(text: token.identifier), secret: SecretKey(token.secret), nonce: randomness.nonce(),
        timestamp: time.milliseconds, version: setup.version)
    else { return nil }
    return PowerAuthAuthorizationHttpHeader(key: TokenHeader.name, value: header.value)
  }
}
