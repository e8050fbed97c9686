// SPDX-License-Identifier: Apache-2.0

internal import PowerAuthCore

/// A persisted activation with what its device alone can unlock.
struct ActiveActivation: Sendable, Redacted {
  let record: ActivationRecord
  let identifier: ActivationIdentifier
  let serverPublicKey: ECPublicKey
  let devicePublicKey: ECPublicKey
  let possessionKey: SecretKey
  let transportKey: TransportKey

  /// - Throws: `malformed` or `invalidKey` for a record that this library did not write.
  init(_ record: ActivationRecord, possession: UnlockKey) throws(PowerAuthError) {
    self.record = record
    identifier = try ActivationIdentifier(text: record.activationId)
    serverPublicKey = try ECPublicKey(record.serverPublicKey)
    devicePublicKey = try ECPublicKey(record.devicePublicKey)
    possessionKey = try possession.unlock(record.lockedPossessionKey)
    transportKey = TransportKey(try possession.unlock(record.lockedTransportKey))
    _ = try record.counter
  }

  var fingerprint: ActivationFingerprint {
    ActivationFingerprint(
      devicePublicKey: devicePublicKey, activationIdentifier: identifier.text, serverPublicKey: serverPublicKey)
  }
}
