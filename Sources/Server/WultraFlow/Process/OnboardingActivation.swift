// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import Kit
import Storage
import WultraWire

extension CustomActivationProvider {
  /// Activates the devices of onboarding processes: `credentialsType` ONBOARDING (wultra-onboarding.md §2). The code is
  /// tried, and the process moves on, in the transaction that creates the activation.
  package static func onboarding(_ dossiers: Dossiers) -> CustomActivationProvider {
    let activation = OnboardingActivation(dossiers: dossiers)
    return CustomActivationProvider(authorize: activation.authorize, created: activation.created)
  }
}

struct OnboardingActivation: Sendable {
  let dossiers: Dossiers
  private var core: CoreDependencies { dossiers.core }

  @Sendable
  func authorize(_ request: CustomActivationRequest, in tx: any SQLTransaction) throws -> CustomGrant {
    guard request.identity["credentialsType"] == Wultra.credentialsType else { return .notMine }
    // A missing process, an ended one and another institution's get the same answer, so that the caller cannot tell
    // which processes exist.
    guard let process = try find(request, in: tx), let code = request.identity["otpCode"] else {
      return .refused(remainingAttempts: 0)
    }
    var dossier = try dossiers.dossier(process, in: tx)
    guard try !dossiers.lapse(&dossier, in: tx), dossier.process.status == .activating else {
      return .refused(remainingAttempts: 0)
    }
    switch try dossiers.passcodes.check(code, for: dossier.process.activationBinding, in: tx) {
    case .accepted:
      // A code of an unknown person was not sent, so a right one is a guess.
      guard let user = dossier.process.person.user else { return try refuse(&dossier, in: tx) }
      return .granted(CustomActivationGrant(user: user, flags: [Wultra.ActivationFlag.pending], commitsItself: true))
    case .expired: return .refused(remainingAttempts: 0)
    case .refused, .locked, .none, .malformed: return try refuse(&dossier, in: tx)
    }
  }

  @Sendable
  func created(_ activation: Activation, _ request: CustomActivationRequest, in tx: any SQLTransaction) throws {
    guard request.identity["credentialsType"] == Wultra.credentialsType, let process = try find(request, in: tx) else {
      return
    }
    var dossier = Dossier(process: process)
    dossier.process.activation = activation.id.rawValue
    dossier.process.deadline =
      process.createdAt + min(dossiers.policy.verificationLifetime, dossiers.policy.processLifetime)
    try dossiers.moveProcess(&dossier, on: .activated, by: "customer", in: tx)
    try dossiers.save(&dossier, in: tx)
  }

  /// Counts a wrong code; one too many ends the process.
  private func refuse(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> CustomGrant {
    dossier.process.activationFailures += 1
    let left = dossiers.policy.otpFailuresMax - dossier.process.activationFailures
    var isOver = try dossiers.score(WultraPolicy.Score.activationOTPFailed.rawValue, &dossier, in: tx)
    if left <= 0, !isOver {
      try dossiers.fail(&dossier, .maxFailedAttemptsOtp, in: tx)
      isOver = true
    }
    try dossiers.save(&dossier, in: tx)
    try dossiers.audit(
      "process.codeRefused", dossier.process, by: "customer",
      facts: ["failures": "\(dossier.process.activationFailures)"], in: tx)
    return .refused(remainingAttempts: isOver ? 0 : left)
  }

  private func find(_ request: CustomActivationRequest, in tx: any SQLTransaction) throws -> OnboardingProcess? {
    guard let id = request.identity["processId"],
      let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: id.lowercased())),
      process.tenant == request.application.tenant
    else { return nil }
    return process
  }
}
