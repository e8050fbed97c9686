// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// What the vault's key protects, which the server gives out for a signature only (powerauth.md §8).
extension ActivationClient {
  /// Fetches the vault's key. It is never kept.
  func unlockVault(
    _ authentication: PowerAuthAuthentication, _ reason: VaultUnlockReason
  ) async throws -> (ActiveActivation, SecretKey) {
    guard authentication.usePassword != nil || authentication.useBiometry else {
      throw CallFailure(.wrongParameter, "The vault needs a second factor.")
    }
    let activation = try session.requireActivation()
    let answer: UnlockVaultResponse = try await signedEncryptedCall(
      .unlockVault, authentication, UnlockVaultRequest(reason))
    guard let encrypted = Data(base64Encoded: answer.encryptedVaultEncryptionKey) else {
      throw CallFailure(.encryption, "The vault's key is not what the protocol says.")
    }
    let key = try encrypting { () throws(PowerAuthError) in
      try SecureVault.decrypted(encrypted, transportKey: activation.transportKey)
    }
    return (activation, key)
  }

  /// A key for the app's own data: always the same for an index.
  func fetchEncryptionKey(_ authentication: PowerAuthAuthentication, index: UInt64) async throws -> Data {
    let (_, vaultKey) = try await unlockVault(authentication, .fetchEncryptionKey)
    return SecureVault.applicationKey(vaultKey, index: index).bytes
  }

  /// Signs with the device's private key: ECDSA with SHA-256, DER.
  func signWithDeviceKey(_ authentication: PowerAuthAuthentication, data: Data) async throws -> Data {
    let (activation, vaultKey) = try await unlockVault(authentication, .signWithDevicePrivateKey)
    let key = try devicePrivateKey(of: activation, vaultKey: vaultKey)
    do throws(PowerAuthError) { return try key.signature(for: data) } catch {
      throw CallFailure(.signatureError, "The data could not be signed.")
    }
  }

  /// The recovery code that came with the activation.
  func recoveryData(_ authentication: PowerAuthAuthentication) async throws -> PowerAuthActivationRecoveryData {
    guard try session.requireActivation().record.encryptedRecovery != nil else {
      throw CallFailure(.invalidActivationState, "The activation came without a recovery code.")
    }
    let (activation, vaultKey) = try await unlockVault(authentication, .recoveryCode)
    guard let encrypted = activation.record.encryptedRecovery else {
      throw CallFailure(.invalidActivationState, "The activation came without a recovery code.")
    }
    let text = try encrypting { () throws(PowerAuthError) in
      try SecureVault.decrypted(encrypted, vaultKey: vaultKey)
    }
    guard let recovery = try? JSONDecoder().decode(ActivationRecovery.self, from: text) else {
      throw CallFailure(.encryption, "The recovery code could not be decrypted.")
    }
    return PowerAuthActivationRecoveryData(recovery)
  }

  /// Tells the server that the user has the recovery code that came by mail.
  /// - Returns: whether the server had been told before.
  func confirmRecoveryCode(_ text: String, _ authentication: PowerAuthAuthentication) async throws -> Bool {
    guard let code = try? RecoveryCode(text: text) else {
      throw CallFailure(.invalidActivationCode, "This is no recovery code.")
    }
    let answer: ConfirmRecoveryResponse = try await signedEncryptedCall(
      .confirmRecovery, authentication, ConfirmRecoveryRequest(recoveryCode: code.text))
    return answer.alreadyConfirmed
  }

  func devicePrivateKey(of activation: ActiveActivation, vaultKey: SecretKey) throws(CallFailure) -> ECPrivateKey {
    try encrypting { () throws(PowerAuthError) in
      try SecureVault.devicePrivateKey(
        activation.record.encryptedDevicePrivateKey, vaultKey: vaultKey, publicKey: activation.devicePublicKey)
    }
  }
}
