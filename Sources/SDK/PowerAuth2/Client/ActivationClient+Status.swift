// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import PowerAuthCore

/// How the activation stands, and where its counter is (powerauth.md §6).
extension ActivationClient {
  /// Times that the status is asked for when signatures were made while it was on its way.
  private static let questionsMax = 3

  func fetchStatus() async throws -> PowerAuthActivationStatus {
    let activation = try session.requireActivation()
    var answer = try await askStatus(activation)
    for _ in 1..<Self.questionsMax where answer.isOvertaken { answer = try await askStatus(activation) }
    let status = answer.status
    guard session.activation?.identifier == activation.identifier else { throw CallFailure.cancelled }
    hear { $0.status = status }
    return status
  }

  /// - Returns: the status, and whether its counter says nothing, because this device's does not fit and moved while
  ///   the
  ///   answer was on its way. The state is the server's then.
  private func askStatus(
    _ activation: ActiveActivation
  ) async throws -> (status: PowerAuthActivationStatus, isOvertaken: Bool) {
    let before = try session.requireActivation().record.counterData
    let challenge = randomness.nonce()
    let answer = try await server.call(
      .activationStatus,
      ActivationStatusRequest(activationId: activation.identifier.text, challenge: challenge.base64EncodedString()),
      as: ActivationStatusResponse.self)
    let status = try Self.read(answer, challenge: challenge, of: activation)
    var state = PowerAuthActivationState(status.state)
    var isOvertaken = false
    if status.state == .active {
      switch try session.synchronizeCounter(of: activation.identifier, with: status) {
      case .inStep, .adopt: break
      case .needsSignature:
        // Pulls the server along. Whether it works is of no concern here: the next status tries again.
        try? await validateSignature(.possession(), .counterSynchronization)
      case .deadlock:
        isOvertaken = try session.requireActivation().record.counterData != before
        if !isOvertaken { state = .deadlock }
      }
    }
    let result = PowerAuthActivationStatus(
      state: state, failCount: UInt32(status.failedAttempts), maxFailCount: UInt32(status.maxFailedAttempts),
      customObject: answer.customObject)
    return (result, isOvertaken)
  }

  private static func read(
    _ answer: ActivationStatusResponse, challenge: Data, of activation: ActiveActivation
  ) throws(CallFailure) -> ActivationStatus {
    guard answer.activationId == activation.identifier.text,
      let blob = Data(base64Encoded: answer.encryptedStatusBlob),
      let nonce = answer.nonce.flatMap({ Data(base64Encoded: $0) }),
      let status = try? ActivationStatus(
        decrypting: blob, transportKey: activation.transportKey, challenge: challenge, nonce: nonce)
    else { throw CallFailure(.invalidActivationData, "The status is not this activation's.") }
    return status
  }

  /// Has the server remove the activation, then forgets it here.
  func removeActivation(_ authentication: PowerAuthAuthentication) async throws {
    let identifier = try session.requireActivation().identifier
    _ = try await signedCall(.removeActivation, authentication, EmptyObject())
    removeLocal(only: identifier)
  }

  /// What the server's application knows about the user.
  func fetchUserInfo() async throws -> PowerAuthUserInfo {
    let activation = try session.requireActivation()
    let claims: [String: JSONValue] = try await repeatingForExpiredKey {
      let sealed = try await self.encrypt(
        try RemoteServer.encoded(EmptyObject()), .genericActivation, for: activation)
      let header = self.encryptionHeader(for: activation)
      return try self.decrypt(try await self.post(.userInfo, sealed, header: header), sealed)
    }
    let userInfo = PowerAuthUserInfo(claims)
    hear { $0.userInfo = userInfo }
    return userInfo
  }
}
