// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// End-to-end encryption (powerauth.md §4).
extension ActivationClient {
  /// A request that was encrypted, and what decrypts its answer.
  struct Sealed: Sendable {
    let request: ECIESRequest
    /// The request as it is sent, and signed.
    let body: Data
    let answer: ECIESResponseDecryptor
  }

  /// What encrypts to the server, with keys that are there; nil when a key or the time is missing.
  /// - Parameter activation: in whose scope; nil for the application's.
  func encryptorAtHand(
    _ identifier: EncryptorIdentifier, for activation: ActiveActivation?
  ) -> PowerAuthCoreEciesEncryptor.Moment? {
    guard time.isSynchronized else { return nil }
    var key: TemporaryKey?
    if setup.version.hasTemporaryKey {
      key = keys.cached(for: activation.map { .activation($0.identifier) } ?? .application)
      guard key != nil else { return nil }
    }
    guard let encryptor = try? encryptor(identifier, for: activation, key) else { return nil }
    return PowerAuthCoreEciesEncryptor.Moment(encryptor: encryptor, timestamp: time.milliseconds)
  }

  /// What encrypts to the server's long-lived keys, by protocol 3.2: always at hand, also when the activation has gone
  /// meanwhile, since the request is then for the server to refuse.
  func longLivedEncryptor(
    _ identifier: EncryptorIdentifier, for activation: ActiveActivation?
  ) -> PowerAuthCoreEciesEncryptor.Moment? {
    guard let encryptor = try? encryptor(identifier, for: activation, nil, version: .v32) else { return nil }
    return PowerAuthCoreEciesEncryptor.Moment(encryptor: encryptor, timestamp: time.milliseconds)
  }

  /// Makes sure that the next request can be encrypted at once.
  func prepareEncryption(for activation: ActiveActivation?) async throws {
    if setup.version.hasTemporaryKey { _ = try await keys.key(for: activation) }
    try await ensureTime()
  }

  /// Encrypts a request.
  func encrypt(
    _ plaintext: Data, _ identifier: EncryptorIdentifier, for activation: ActiveActivation?
  ) async throws -> Sealed {
    let key = setup.version.hasTemporaryKey ? try await keys.key(for: activation) : nil
    try await ensureTime()
    let (request, answer) = try encrypting { () throws(PowerAuthError) in
      try encryptor(identifier, for: activation, key).encrypt(
        plaintext, timestamp: time.milliseconds, randomness: randomness)
    }
    return Sealed(request: request, body: try RemoteServer.encoded(request), answer: answer)
  }

  /// Decrypts and reads the answer to a request.
  func decrypt<Answer: Decodable>(_ body: Data, _ sealed: Sealed) throws(CallFailure) -> Answer {
    let response = try RemoteServer.decoded(ECIESResponse.self, from: body)
    let plaintext = try encrypting { () throws(PowerAuthError) in try sealed.answer.decrypt(response) }
    return try RemoteServer.decoded(Answer.self, from: plaintext)
  }

  /// Sends an encrypted request. A key that the server does not take is forgotten.
  func post(
    _ endpoint: PowerAuthEndpoint, _ sealed: Sealed, header: PowerAuthAuthorizationHttpHeader
  ) async throws -> Data {
    do throws(CallFailure) {
      return try await server.post(endpoint, sealed.body, headers: [header])
    } catch {
      if error.isAboutKey { keys.forget(sealed.request.temporaryKeyIdentifier) }
      throw error
    }
  }

  /// Repeats work once when the server could not decrypt, with a new temporary key and the server's time asked for
  /// anew:
  /// the server may have been started anew, or its clock may have been set. A repetition signs anew, and nothing
  /// that was refused has had an effect.
  func repeatingForExpiredKey<Value: Sendable>(
    _ work: @Sendable () async throws -> Value
  ) async throws -> Value {
    do { return try await work() } catch let failure as CallFailure where failure.isAboutKey {
      time.reset()
      return try await work()
    }
  }

  /// The header of an encrypted request that is not signed.
  func encryptionHeader(for activation: ActiveActivation?) -> PowerAuthAuthorizationHttpHeader {
    let header = encryptionHeaderValue(for: activation)
    return PowerAuthAuthorizationHttpHeader(key: EncryptionHeader.name, value: header.value)
  }

  /// - Parameter version: nil for the configured one.
  func encryptionHeaderValue(
    for activation: ActiveActivation?, version: ProtocolVersion? = nil
  ) -> EncryptionHeader {
    EncryptionHeader(
      version: version ?? setup.version, applicationKey: setup.application.applicationKey,
      activationIdentifier: activation?.identifier)
  }

  /// - Parameter version: nil for the configured one.
  private func encryptor(
    _ identifier: EncryptorIdentifier, for activation: ActiveActivation?, _ key: TemporaryKey?,
    version: ProtocolVersion? = nil
  ) throws(PowerAuthError) -> ECIESEncryptor {
    let (application, version) = (setup.application, version ?? setup.version)
    guard let activation else {
      return ECIESEncryptor(
        parameters: try ECIESParameters(
          version: version, identifier: identifier, applicationKey: application.applicationKey,
          applicationSecret: application.applicationSecret, temporaryKeyIdentifier: key?.identifier),
        serverKey: key?.publicKey ?? application.masterPublicKey)
    }
    return ECIESEncryptor(
      parameters: try ECIESParameters(
        version: version, identifier: identifier, applicationKey: application.applicationKey,
        applicationSecret: application.applicationSecret, activationIdentifier: activation.identifier,
        transportKey: activation.transportKey, temporaryKeyIdentifier: key?.identifier),
      serverKey: key?.publicKey ?? activation.serverPublicKey)
  }
}

extension CallFailure {
  /// Whether the server could not decrypt, most likely because the temporary key of 3.3 ended or the time is wrong.
  fileprivate var isAboutKey: Bool {
    refusal?.status == 400
      && [PowerAuthFailure.temporaryKeyFailure.code, PowerAuthFailure.encryptionFailed.code].contains(serverCode)
  }
}
