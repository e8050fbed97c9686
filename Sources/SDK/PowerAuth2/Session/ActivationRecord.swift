// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// An activation as it is kept on the device: one value under one name, replaced as a whole, so that a reader finds all
/// of it or none (powerauth.md §3.5). Neither the master secret nor the vault's key is in it.
struct ActivationRecord: Codable, Sendable, Redacted {
  static let formatVersion = 1

  var format = formatVersion
  var activationId: String
  /// 65 bytes.
  var serverPublicKey: Data
  /// 33 bytes.
  var devicePublicKey: Data
  /// `C_KEY_DEVICE_PRIVATE`, under the vault's key.
  var encryptedDevicePrivateKey: Data
  /// The recovery code and its PUK, under the vault's key.
  var encryptedRecovery: Data?
  var counterByte: UInt8?
  var counterData: Data
  /// Under the device's identifier, as is the transport key.
  var lockedPossessionKey: Data
  var lockedTransportKey: Data
  /// Under the password, and the external key if there is one.
  var lockedKnowledgeKey: Data
  var knowledgeSalt: Data
  /// Under the key that the biometric guard keeps, and the external key if there is one.
  var lockedBiometryKey: Data?
  /// Whether an external encryption key locks knowledge and biometry once more.
  var usesExternalKey: Bool

  /// - Throws: when this is no record, or one of a later version.
  init(reading data: Data) throws {
    self = try JSONDecoder().decode(ActivationRecord.self, from: data)
    guard format == Self.formatVersion else {
      throw CallFailure(.invalidActivationData, "The stored activation has an unknown format.")
    }
  }

  var data: Data {
    get throws { try JSONEncoder().encode(self) }
  }

  /// - Throws: `malformed` when there are not 16 bytes.
  var counter: DeviceCounter {
    get throws(PowerAuthError) { DeviceCounter(byte: counterByte, data: try CounterData(counterData)) }
  }

  mutating func set(_ counter: DeviceCounter) {
    counterByte = counter.byte
    counterData = counter.data.bytes
  }
}

extension ActivationRecord {
  /// The record of a new activation.
  init(
    _ pending: PendingActivation, keys: ActivationKeys, knowledge: KnowledgeLock, biometry: UnlockKey?,
    possession: UnlockKey, externalKey: UnlockKey?
  ) throws {
    guard let possessionKey = keys.signature.possession, let knowledgeKey = keys.signature.knowledge,
      let biometryKey = keys.signature.biometry
    else { throw CallFailure(.invalidActivationData, "An activation has all keys.") }
    let recovery = try pending.recovery.map { try JSONEncoder().encode($0) }
    activationId = pending.identifier.text
    serverPublicKey = pending.serverPublicKey.uncompressed
    devicePublicKey = pending.devicePrivateKey.publicKey.compressed
    encryptedDevicePrivateKey = SecureVault.encrypted(pending.devicePrivateKey, vaultKey: keys.vault)
    encryptedRecovery = try recovery.map { try SecureVault.encrypted($0, vaultKey: keys.vault) }
    counterByte = pending.counter.byte
    counterData = pending.counter.data.bytes
    lockedPossessionKey = possession.lock(possessionKey)
    lockedTransportKey = possession.lock(keys.transport.key)
    lockedKnowledgeKey = knowledge.key.lock(knowledgeKey, externalKey: externalKey)
    knowledgeSalt = knowledge.salt
    lockedBiometryKey = biometry.map { $0.lock(biometryKey, externalKey: externalKey) }
    usesExternalKey = externalKey != nil
  }
}

/// What locks the knowledge factor: a password with its salt.
struct KnowledgeLock: Sendable, Redacted {
  let key: UnlockKey
  let salt: Data

  /// - Throws: `wrongParameter` for a password that is too short or too long.
  init(_ password: PowerAuthCorePassword, salt: Data) throws(CallFailure) {
    guard let key = try? UnlockKey(password: password.bytes, salt: salt) else {
      throw CallFailure(.wrongParameter, "A password has \(UnlockKey.passwordBytesMin) bytes or more.")
    }
    self.key = key
    self.salt = salt
  }
}
