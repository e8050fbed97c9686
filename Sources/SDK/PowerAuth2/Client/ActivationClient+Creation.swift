// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// Activates the device for a user (powerauth.md §3.2).
extension ActivationClient {
  /// Has the server make an activation, which is pending then.
  /// - Parameter attempt: by which the caller can undo it.
  func createActivation(
    _ order: PowerAuthActivation.Order, _ attempt: Session.Attempt = Session.Attempt()
  ) async throws -> PowerAuthActivationResult {
    if let code = order.scannedCode, code.signature != nil, !code.isSigned(by: setup.application.masterPublicKey) {
      throw CallFailure(.invalidActivationData, "The code's signature is not the server's.")
    }
    try session.beginCreation(attempt)
    return try await withTaskCancellationHandler {
      do {
        let (pending, answer) = try await requestActivation(order)
        try session.completeCreation(attempt, pending)
        let userInfo = answer.userInfo.map(PowerAuthUserInfo.init)
        hear { $0 = SharedInstance.Heard(userInfo: userInfo) }
        return PowerAuthActivationResult(
          activationFingerprint: pending.fingerprint.text, customAttributes: answer.customAttributes,
          activationRecovery: pending.recovery.map(PowerAuthActivationRecoveryData.init), userInfo: userInfo)
      } catch {
        session.abandonCreation(attempt)
        throw CallFailure(error, otherwise: .invalidActivationData)
      }
    } onCancel: {
      session.abandonCreation(attempt)
    }
  }

  private func requestActivation(
    _ order: PowerAuthActivation.Order
  ) async throws -> (PendingActivation, ActivationResponse) {
    let devicePrivateKey = ECPrivateKey(randomness)
    let inner = ActivationDevice(
      devicePublicKey: devicePrivateKey.publicKey.compressed.base64EncodedString(), activationName: order.name,
      extras: order.extras, activationOtp: order.otp, platform: device.platform, deviceInfo: device.model)
    let answer = try await repeatingForExpiredKey {
      try await self.exchange(inner, order)
    }
    return (try PendingActivation(answer.inner, devicePrivateKey: devicePrivateKey), answer.outer)
  }

  /// One layer within the other, each under an ephemeral key of its own.
  private func exchange(
    _ device: ActivationDevice, _ order: PowerAuthActivation.Order
  ) async throws -> (inner: ActivatedDevice, outer: ActivationResponse) {
    let inner = try await encrypt(try RemoteServer.encoded(device), .activationLayer2, for: nil)
    let outer = try await encrypt(
      try RemoteServer.encoded(
        ActivationRequest(
          type: order.type, identityAttributes: order.identityAttributes, customAttributes: order.customAttributes,
          activationData: inner.request)),
      .genericApplication, for: nil)
    let response: ActivationResponse = try decrypt(
      try await post(.createActivation, outer, header: encryptionHeader(for: nil)), outer)
    let plaintext = try encrypting { () throws(PowerAuthError) in try inner.answer.decrypt(response.activationData) }
    return (try RemoteServer.decoded(ActivatedDevice.self, from: plaintext), response)
  }

  /// Makes the pending activation the device's, with the factors that the authentication names. The user is not asked.
  func persistActivation(_ authentication: PowerAuthAuthentication) throws {
    guard let password = authentication.usePassword else {
      throw CallFailure(.wrongParameter, "An activation needs a password.")
    }
    let knowledge = try KnowledgeLock(password, salt: randomness.bytes(UnlockKey.saltBytes))
    try session.persist { pending, possession in
      // In here, so that the key that the guard keeps is the one of the record that is stored.
      let biometryKey = authentication.useBiometry ? try keepBiometryKey() : nil
      // Of an earlier activation, if its removal was cut short.
      tokens.removeAll()
      return try ActivationRecord(
        pending,
        keys: ActivationKeys(privateKey: pending.devicePrivateKey, publicKey: pending.serverPublicKey),
        knowledge: knowledge, biometry: biometryKey, possession: possession, externalKey: externalKey)
    }
  }
}
