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

  /// What encrypts with keys of the application, as SDK 1.8 had it: at once. It needs the server's time, and with 3.3 a
  /// temporary key, which begins to be fetched now: until they are there `encryptRequest` gives nil.
  /// - Returns: nil when the configuration is invalid.
  public func eciesEncryptorForApplicationScope() -> PowerAuthCoreEciesEncryptor? {
    prepared(access.client?.encryptor(.genericApplication, for: nil)) { client in
      try await client.prepareEncryption(for: nil)
    }
  }

  /// What encrypts with keys of the activation, as SDK 1.8 had it: at once. See `eciesEncryptorForApplicationScope()`.
  /// - Returns: nil without an activation.
  public func eciesEncryptorForActivationScope() -> PowerAuthCoreEciesEncryptor? {
    guard let activation = access.client?.session.activation else { return nil }
    return prepared(access.client?.encryptor(.genericActivation, for: activation)) { client in
      try await client.prepareEncryption(for: activation)
    }
  }

  private func prepared(
    _ encryptor: PowerAuthCoreEciesEncryptor?, _ prepare: @escaping @Sendable (ActivationClient) async throws -> Void
  ) -> PowerAuthCoreEciesEncryptor? {
    guard let encryptor else { return nil }
    // Whoever uses the encryptor finds out whether this worked.
    _ = access.start({ (_: Result<Void, CallFailure>) in }, prepare)
    return encryptor
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
}
