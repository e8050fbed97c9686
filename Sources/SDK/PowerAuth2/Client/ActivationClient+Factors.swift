// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import PowerAuthCore

/// The keys of the factors, and what unlocks them (powerauth.md §3.5, §9).
extension ActivationClient {
  /// Unlocks the keys of the factors. A wrong password gives a wrong key, which only the server can tell.
  /// - Throws: `wrongParameter` for a password or external key that cannot be one; the biometry codes.
  func unlockFactors(
    _ authentication: PowerAuthAuthentication, of activation: ActiveActivation
  ) throws(CallFailure) -> SignatureKeys {
    var keys = SignatureKeys(possession: activation.possessionKey)
    guard authentication.usePassword != nil || authentication.useBiometry else { return keys }
    let external = try externalKey(of: activation.record)
    if let password = authentication.usePassword {
      keys.knowledge = try unlockKnowledge(password, of: activation, external: external)
    }
    if authentication.useBiometry {
      guard let locked = activation.record.lockedBiometryKey else {
        throw CallFailure(.biometryFailed, "The activation has no biometric factor.")
      }
      let key: BiometryKey
      if let unlocked = authentication.biometryKey {
        key = unlocked
      } else {
        key = try unlockBiometry(prompt: authentication.biometryPrompt)
      }
      keys.biometry = try unlocking { () throws(PowerAuthError) in
        try key.unlockKey.unlock(locked, externalKey: external)
      }
    }
    return keys
  }

  func unlockKnowledge(
    _ password: PowerAuthCorePassword, of activation: ActiveActivation, external: UnlockKey?
  ) throws(CallFailure) -> SecretKey {
    let lock = try KnowledgeLock(password, salt: activation.record.knowledgeSalt)
    return try unlocking { () throws(PowerAuthError) in
      try lock.key.unlock(activation.record.lockedKnowledgeKey, externalKey: external)
    }
  }

  /// The external key that locks the factors of an activation, if one does.
  /// - Throws: `wrongParameter` when one does and the app did not give it.
  func externalKey(of record: ActivationRecord) throws(CallFailure) -> UnlockKey? {
    guard record.usesExternalKey else { return nil }
    guard let key = externalKey else {
      throw CallFailure(.wrongParameter, "The activation is locked with an external key, which is not here.")
    }
    return key
  }

  // MARK: Biometry

  /// Asks the guard for the key of the biometric factor.
  ///
  /// A guard that has locked itself, because too many did not look right, gives no key, and nothing is signed: a
  /// signature with a random key would use up one of the few attempts that the server allows, while the device asks
  /// for its passcode anyway (docs/decisions/0104).
  func unlockBiometry(prompt: String?) throws(CallFailure) -> BiometryKey {
    switch biometry.unlock(setup.biometryKeyName, prompt) {
    case .key(let bytes):
      guard let key = try? UnlockKey(guardedKey: SecretKey(bytes)) else {
        throw CallFailure(.biometryFailed, "The biometric factor's key is damaged.")
      }
      return BiometryKey(unlockKey: key)
    case .lockedOut:
      throw CallFailure(.biometryFailed, "Biometry is locked until the device is unlocked by its passcode.")
    case .cancelled: throw CallFailure(.biometryCancel, "The user dismissed the biometric dialog.")
    case .fallback: throw CallFailure(.biometryFallback, "The user chose another way than biometry.")
    case .failed: throw CallFailure(.biometryFailed, "The biometric factor's key is not available.")
    case .notAvailable: throw CallFailure(.biometryNotAvailable, "The device has no biometry, or it is not set up.")
    }
  }

  /// The same authentication with the biometric key in it. The user may take a long time, so that no other call should
  /// stand
  /// in line for signatures or sit on one of Swift's threads meanwhile.
  func unlockBiometryAhead(_ authentication: PowerAuthAuthentication) async throws -> PowerAuthAuthentication {
    guard authentication.useBiometry, authentication.biometryKey == nil else { return authentication }
    guard try session.requireActivation().record.lockedBiometryKey != nil else {
      throw CallFailure(.biometryFailed, "The activation has no biometric factor.")
    }
    let outcome: Result<BiometryKey, CallFailure> = await withCheckedContinuation { answer in
      DispatchQueue.global(qos: .userInitiated).async {
        do throws(CallFailure) {
          answer.resume(returning: .success(try self.unlockBiometry(prompt: authentication.biometryPrompt)))
        } catch {
          answer.resume(returning: .failure(error))
        }
      }
    }
    return PowerAuthAuthentication(
      password: authentication.usePassword, useBiometry: true, prompt: authentication.biometryPrompt,
      biometryKey: try outcome.get())
  }

  var hasBiometryFactor: Bool {
    session.activation?.record.lockedBiometryKey != nil && biometry.hasKey(setup.biometryKeyName)
  }

  /// Makes a key for the biometric factor and has the guard keep it.
  func keepBiometryKey() throws(CallFailure) -> UnlockKey {
    guard biometry.availability() == .available else {
      throw CallFailure(.biometryNotAvailable, "The device has no biometry, or it is not set up.")
    }
    let bytes = randomness.bytes(SecretKey.byteCount)
    guard let key = try? UnlockKey(guardedKey: SecretKey(bytes)) else {
      throw CallFailure(.biometryFailed, "The source of randomness gave only zeros.")
    }
    do throws(SecureStoreError) { try biometry.keep(bytes, setup.biometryKeyName) } catch {
      throw CallFailure(.biometryFailed, "The biometric factor's key could not be kept.")
    }
    return key
  }

  /// Gives the activation a biometric factor in place of an earlier one. The server helps with the vault's key, which
  /// opens the device's private key, from which all keys come (powerauth.md §9).
  func addBiometry(_ password: PowerAuthCorePassword) async throws {
    guard biometry.availability() == .available else {
      throw CallFailure(.biometryNotAvailable, "The device has no biometry, or it is not set up.")
    }
    let authentication = PowerAuthAuthentication(password: password)
    let (activation, vaultKey) = try await unlockVault(authentication, .addBiometry)
    let privateKey = try devicePrivateKey(of: activation, vaultKey: vaultKey)
    guard
      let biometryKey = try? ActivationKeys(privateKey: privateKey, publicKey: activation.serverPublicKey)
        .signature.biometry
    else { throw CallFailure(.encryption, "The biometric key could not be derived.") }
    // Refused before anything is changed.
    _ = try externalKey(of: activation.record)
    // The earlier factor goes first: its locked key and a new guarded key would not fit, should this end halfway.
    try session.update(activation.identifier) { $0.lockedBiometryKey = nil }
    try session.update(activation.identifier) { record in
      guard record.lockedBiometryKey == nil else {
        throw CallFailure(.invalidActivationState, "The biometric factor was added meanwhile.")
      }
      let external = try externalKey(of: record)
      // In here, so that the key that the guard keeps is the one of the record that is stored.
      record.lockedBiometryKey = try keepBiometryKey().lock(biometryKey, externalKey: external)
    }
  }

  /// Takes the biometric factor away; the server need not know.
  func removeBiometry() throws {
    try session.update(session.requireActivation().identifier) { record in
      guard record.lockedBiometryKey != nil else {
        throw CallFailure(.biometryFailed, "The activation has no biometric factor.")
      }
      record.lockedBiometryKey = nil
    } finish: {
      // Without the locked key it opens nothing.
      try? biometry.forget(setup.biometryKeyName)
    }
  }

  func unlocking<Value>(_ work: () throws(PowerAuthError) -> Value) throws(CallFailure) -> Value {
    do throws(PowerAuthError) { return try work() } catch {
      throw CallFailure(.invalidActivationData, "What is stored of the activation is damaged.")
    }
  }
}
