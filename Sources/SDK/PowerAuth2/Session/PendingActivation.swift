// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// An activation that the server made and that is not persisted yet. It lives in memory only: a user who leaves the app
/// now
/// starts anew, with a new key.
struct PendingActivation: Sendable, Redacted {
  let identifier: ActivationIdentifier
  let devicePrivateKey: ECPrivateKey
  let serverPublicKey: ECPublicKey
  let counter: DeviceCounter
  let recovery: ActivationRecovery?

  var fingerprint: ActivationFingerprint {
    ActivationFingerprint(
      devicePublicKey: devicePrivateKey.publicKey, activationIdentifier: identifier.text,
      serverPublicKey: serverPublicKey)
  }

  /// Reads the server's inner answer.
  /// - Throws: `malformed`, `invalidKey`.
  init(_ answer: ActivatedDevice, devicePrivateKey: ECPrivateKey) throws(PowerAuthError) {
    identifier = try ActivationIdentifier(text: answer.activationId)
    serverPublicKey = try ECPublicKey(base64: answer.serverPublicKey)
    guard let counter = Data(base64Encoded: answer.ctrData) else { throw .malformed(.counterData) }
    // A new activation has not signed anything: both ends count from zero.
    self.counter = DeviceCounter(byte: 0, data: try CounterData(counter))
    self.devicePrivateKey = devicePrivateKey
    recovery = answer.activationRecovery
  }
}
