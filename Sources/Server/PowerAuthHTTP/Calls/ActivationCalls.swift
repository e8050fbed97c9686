// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import Kit
import PowerAuthCore

/// What devices ask about their activation (powerauth.md §3.2, §6, §8).
struct ActivationCalls: Sendable {
  let activations: Activations
  let limits: PowerAuthLimits

  /// Two envelopes, one in the other; both answers are encrypted, each by its own.
  /// - Throws: `Problem` activation-invalid; `RecoveryRefusal` for a wrong PUK.
  @Sendable
  func create(_ call: DeviceCall<ApplicationProof>) async throws -> Data {
    guard let wish = try? call.content(as: ActivationRequest.self) else { throw Problem.activationInvalid }
    let (proof, identity) = (call.proof, try ActivationIdentity(wish))
    let inner = try await activations.decrypt(
      wish.activationData, .activationLayer2, version: proof.version, applicationKey: proof.applicationKey)
    guard let device = try? WireJSON.decode(ActivationDevice.self, from: inner.plaintext) else {
      throw Problem.activationInvalid
    }
    let newcomer = try NewDevice(device, applicationKey: proof.applicationKey, version: proof.version)
    switch try await activations.create(newcomer, identity) {
    case .refused(let refusal):
      if let index = refusal.currentRecoveryPukIndex { throw RecoveryRefusal(pukIndex: index) }
      throw Problem.activationInvalid.with { $0.attemptsLeft = refusal.remainingAttempts }
    case .created(let made):
      // The activation stands, whatever is known about its user.
      let claims = (try? await activations.userInfo(of: made.activation)) ?? [:]
      return try WireJSON.encode(
        ActivationResponse(
          activationData: try inner.encrypt(WireJSON.encode(Self.layer2(made))),
          customAttributes: made.customAttributes, userInfo: claims.isEmpty ? nil : claims))
    }
  }

  private static func layer2(_ made: CreatedActivation) -> ActivatedDevice {
    ActivatedDevice(
      activationId: made.activation.id.rawValue,
      serverPublicKey: made.serverPublicKey.uncompressed.base64EncodedString(),
      ctrData: made.counterData.bytes.base64EncodedString(),
      activationRecovery: made.recovery.map { ActivationRecovery(recoveryCode: $0.code.text, puk: $0.puk.text) })
  }

  /// - Throws: `Problem` activation-invalid for a request that cannot be read; an unknown activation has an answer.
  @Sendable
  func status(_ call: DeviceCall<NoProof>) async throws -> Data {
    guard let asked = try? call.requestObject(as: ActivationStatusRequest.self),
      let id = try? ActivationIdentifier(text: asked.activationId),
      let challenge = asked.challenge.flatMap({ Data(base64Encoded: $0) })
    else { throw Problem.activationInvalid }
    try limits.spend(id, address: call.clientAddress)
    let status = try await activations.status(id, challenge: challenge)
    return try WireJSON.encode(
      ResponseEnvelope(
        ActivationStatusResponse(
          activationId: id.text, encryptedStatusBlob: status.blob.base64EncodedString(),
          nonce: status.nonce.base64EncodedString(), customObject: status.customObject)))
  }

  @Sendable
  func remove(_ call: DeviceCall<FactorProof>) async throws -> ActivationReference {
    let removed = try await activations.remove(call.proof.activation.id, by: .device)
    return ActivationReference(activationId: removed.id.rawValue)
  }

  @Sendable
  func detail(_ call: DeviceCall<FactorProof>) async throws -> ActivationDetail { Self.detail(call.proof.activation) }

  @Sendable
  func rename(_ call: DeviceCall<FactorProof>) async throws -> ActivationDetail {
    let name = try call.requestObject(as: RenameActivationRequest.self).activationName
    return Self.detail(try await activations.rename(call.proof.activation.id, to: name, by: .device))
  }

  private static func detail(_ activation: Activation) -> ActivationDetail {
    ActivationDetail(activationId: activation.id.rawValue, activationName: activation.device.name)
  }

  /// The claims themselves, in no envelope but the encryption.
  @Sendable
  func userInfo(_ call: DeviceCall<TransportProof>) async throws -> Data {
    do { return try WireJSON.encode(try await activations.userInfo(of: call.proof.activation)) } catch is Problem {
      throw Problem.userInfoFailed
    }
  }

  @Sendable
  func confirmRecovery(_ call: DeviceCall<FactorProof>) async throws -> Data {
    guard let asked = try? call.content(as: ConfirmRecoveryRequest.self),
      let code = try? RecoveryCode(text: asked.recoveryCode)
    else { throw Problem.recoveryInvalid }
    return try WireJSON.encode(
      ConfirmRecoveryResponse(
        alreadyConfirmed: try await activations.confirmRecovery(code, of: call.proof.activation)))
  }
}
