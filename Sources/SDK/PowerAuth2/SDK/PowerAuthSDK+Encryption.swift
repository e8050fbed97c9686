// SPDX-License-Identifier: Apache-2.0

internal import GatehouseTransport
public import PowerAuthCore

/// End-to-end encryption for the requests of applications (powerauth.md §4).
extension PowerAuthSDK {
  /// What encrypts with keys of the application; may fetch one.
  @preconcurrency @discardableResult
  public func eciesEncryptorForApplicationScope(
    callback: @escaping @MainActor @Sendable (PowerAuthCoreEciesEncryptor?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.applicationEncryptor() }
  }

  /// What encrypts with keys of the application; may fetch one.
  public func eciesEncryptorForApplicationScope() async throws -> PowerAuthCoreEciesEncryptor {
    try await access.wait { client in try await client.applicationEncryptor() }
  }

  /// What encrypts with keys of the activation; may fetch one.
  @preconcurrency @discardableResult
  public func eciesEncryptorForActivationScope(
    callback: @escaping @MainActor @Sendable (PowerAuthCoreEciesEncryptor?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.activationEncryptor() }
  }

  /// What encrypts with keys of the activation; may fetch one.
  public func eciesEncryptorForActivationScope() async throws -> PowerAuthCoreEciesEncryptor {
    try await access.wait { client in try await client.activationEncryptor() }
  }

  /// What encrypts with keys of the application, as SDK 1.8 had it: at once, and by protocol 3.2, which is what 1.8
  /// spoke, whatever the configuration says.
  ///
  /// Networking code for 1.8 (networking 1.3 and 1.4) does not send the name of a temporary key, and sends the request
  /// in the clear when it cannot be encrypted. So this encryptor needs no temporary key and always encrypts: before the
  /// server's time is known it takes the device's, and a server that finds it wrong refuses the request. With an
  /// invalid configuration it encrypts to a key that is thrown away, and so it does with an empty request in place of
  /// one of more than 16 MiB: no server can decrypt either, each refuses it, and nothing that could be read has left.
  public func eciesEncryptorForApplicationScope() -> PowerAuthCoreEciesEncryptor? {
    guard let client = access.client else { return .withoutReader() }
    return published(.genericApplication, for: nil, by: client)
  }

  /// What encrypts with keys of the activation, as SDK 1.8 had it. See `eciesEncryptorForApplicationScope()`.
  /// - Returns: nil without an activation, as in 1.8.
  public func eciesEncryptorForActivationScope() -> PowerAuthCoreEciesEncryptor? {
    guard let client = access.client, let activation = client.session.activation else { return nil }
    return published(.genericActivation, for: activation, by: client)
  }

  private func published(
    _ identifier: EncryptorIdentifier, for activation: ActiveActivation?, by client: ActivationClient
  ) -> PowerAuthCoreEciesEncryptor {
    // The user of the encryptor finds out whether this worked.
    _ = access.start({ (_: Result<Void, CallFailure>) in }) { client in try await client.ensureTime() }
    return client.publishedEncryptor(identifier, for: activation)
  }
}

extension ActivationClient {
  /// With everything at hand, so that the next request can be encrypted at once.
  fileprivate func applicationEncryptor() async throws -> PowerAuthCoreEciesEncryptor {
    try await prepareEncryption(for: nil)
    return encryptor(.genericApplication, for: nil)
  }

  fileprivate func activationEncryptor() async throws -> PowerAuthCoreEciesEncryptor {
    let activation = try session.requireActivation()
    try await prepareEncryption(for: activation)
    return encryptor(.genericActivation, for: activation)
  }

  fileprivate func encryptor(
    _ identifier: EncryptorIdentifier, for activation: ActiveActivation?
  ) -> PowerAuthCoreEciesEncryptor {
    PowerAuthCoreEciesEncryptor(header: encryptionHeaderValue(for: activation), randomness: randomness) {
      // The activation may have gone meanwhile.
      guard activation == nil || self.session.activation?.identifier == activation?.identifier else { return nil }
      return self.encryptorAtHand(identifier, for: activation)
    }
  }

  /// By protocol 3.2; networking of this package takes the one by the configured version instead.
  fileprivate func publishedEncryptor(
    _ identifier: EncryptorIdentifier, for activation: ActiveActivation?
  ) -> PowerAuthCoreEciesEncryptor {
    PowerAuthCoreEciesEncryptor(
      header: encryptionHeaderValue(for: activation, version: .v32), randomness: randomness,
      configured: encryptor(identifier, for: activation), isNeverNil: true
    ) { self.longLivedEncryptor(identifier, for: activation) }
  }
}

extension PowerAuthCoreEciesEncryptor {
  /// What encrypts under a random application key to a random key, whose private half is not kept.
  fileprivate static func withoutReader() -> PowerAuthCoreEciesEncryptor? {
    let randomness = Randomness(ClientRandomness.live.bytes)
    let key = ApplicationKey(randomness)
    guard
      let parameters = try? ECIESParameters(
        version: .v32, identifier: .genericApplication, applicationKey: key,
        applicationSecret: ApplicationSecret(randomness))
    else { return nil }
    let encryptor = ECIESEncryptor(withoutReader: parameters, randomness: randomness)
    return PowerAuthCoreEciesEncryptor(
      header: EncryptionHeader(version: .v32, applicationKey: key), randomness: randomness, configured: nil,
      isNeverNil: true
    ) { Moment(encryptor: encryptor, timestamp: 0) }
  }
}
