// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// What the server's vault protects, and recovery (powerauth.md §8).
extension PowerAuthSDK {
  /// A key of 16 bytes for the app's own data: always the same for an index.
  @preconcurrency @discardableResult
  public func fetchEncryptionKey(
    _ authentication: PowerAuthAuthentication, index: UInt64,
    callback: @escaping @MainActor @Sendable (Data?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.fetchEncryptionKey(authentication, index: index) }
  }

  /// A key of 16 bytes for the app's own data: always the same for an index.
  public func fetchEncryptionKey(_ authentication: PowerAuthAuthentication, index: UInt64) async throws -> Data {
    try await access.wait { client in try await client.fetchEncryptionKey(authentication, index: index) }
  }

  /// Signs data with the device's private key: ECDSA with SHA-256, DER.
  @preconcurrency @discardableResult
  public func signData(
    withDevicePrivateKey authentication: PowerAuthAuthentication, data: Data?,
    callback: @escaping @MainActor @Sendable (Data?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in
      try await client.signWithDeviceKey(authentication, data: data ?? Data())
    }
  }

  /// Signs data with the device's private key: ECDSA with SHA-256, DER.
  public func signData(withDevicePrivateKey authentication: PowerAuthAuthentication, data: Data?) async throws -> Data {
    try await access.wait { client in try await client.signWithDeviceKey(authentication, data: data ?? Data()) }
  }

  /// Whether the activation came with a recovery code.
  public func hasActivationRecoveryData() -> Bool {
    access.client?.session.activation?.record.encryptedRecovery != nil
  }

  /// The recovery code that came with the activation.
  @preconcurrency @discardableResult
  public func activationRecoveryData(
    _ authentication: PowerAuthAuthentication,
    callback: @escaping @MainActor @Sendable (PowerAuthActivationRecoveryData?, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain(callback)) { client in try await client.recoveryData(authentication) }
  }

  /// The recovery code that came with the activation.
  public func activationRecoveryData(
    _ authentication: PowerAuthAuthentication
  ) async throws -> PowerAuthActivationRecoveryData {
    try await access.wait { client in try await client.recoveryData(authentication) }
  }

  /// Tells the server that the user holds a recovery code that came by mail. The callback learns whether the server had
  /// been told before.
  @preconcurrency @discardableResult
  public func confirmRecoveryCode(
    _ recoveryCode: String, authentication: PowerAuthAuthentication,
    callback: @escaping @MainActor @Sendable (Bool, (any Error)?) -> Void
  ) -> (any PowerAuthOperationTask)? {
    access.start(onMain { (alreadyConfirmed, error) in callback(alreadyConfirmed ?? false, error) }) { client in
      try await client.confirmRecoveryCode(recoveryCode, authentication)
    }
  }

  /// Tells the server that the user holds a recovery code that came by mail.
  /// - Returns: whether the server had been told before.
  public func confirmRecoveryCode(_ recoveryCode: String, authentication: PowerAuthAuthentication) async throws -> Bool
  {
    try await access.wait { client in try await client.confirmRecoveryCode(recoveryCode, authentication) }
  }
}
