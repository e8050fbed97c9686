// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import Kit
import Storage
import WultraWire

/// A verification from the outside: how it stands, how it begins and how it is begun anew (wultra-onboarding.md §3
/// #1–#3).
package struct VerificationCommands: Sendable {
  let dossiers: Dossiers
  private var core: CoreDependencies { dossiers.core }

  /// What the app shows next.
  /// - Throws: `Problem` ONBOARDING_FAILED when the activation is of no process.
  package func status(of activation: Activation) async throws -> Wultra.IdentityState {
    let (now, policy) = (core.world.now(), dossiers.policy)
    let (dossier, isDue) = try await core.database.read { tx in
      let dossier = try find(activation, in: tx)
      return (dossier, dossier.process.status.isOpen && dossier.process.deadline <= now)
    }
    guard isDue else { return dossier.state(flags: activation.flags, policy) }
    let lapsed = try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      var dossier = try find(activation, in: tx)
      _ = try dossiers.lapse(&dossier, in: tx)
      return dossier
    }
    return lapsed.state(flags: activation.flags, policy)
  }

  func find(_ activation: Activation, in tx: any SQLTransaction) throws -> Dossier {
    guard let process = try ProcessStore(tx, vault: core.vault).find(activation: activation.id.rawValue) else {
      throw Problem.onboardingFailed
    }
    return try dossiers.dossier(process, in: tx)
  }

  /// Begins a verification. One that was begun and has no pictures yet is begun already: the app did not hear of it.
  /// Where the institution has set the flag that one is due, the app is told that none was begun, and another one
  /// begins in place of the one that goes on.
  /// - Throws: `Problem` IDENTITY_VERIFICATION_FAILED without consent, or when one goes on;
  ///   ONBOARDING_PROCESS_LIMIT_REACHED after too many.
  package func initiate(_ process: String, by caller: VerificationCaller) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      guard var dossier = try dossiers.open(process, of: caller, in: tx) else { return .refused(.onboardingFailed) }
      dossier.process.person.language = caller.language
      guard try dossiers.flags(of: dossier.process, in: tx).contains(Wultra.ActivationFlag.pending) else {
        guard let running = dossier.verification, running.state == .uploading,
          try SubmittedDocumentStore(tx, vault: core.vault).all(of: running.id).isEmpty
        else { throw Problem.verificationFailed }
        return .answer(())
      }
      guard try dossiers.hasConsent(dossier, in: tx) else { throw Problem.verificationFailed }
      let store = IdentityVerificationStore(tx)
      guard try store.count(of: dossier.process.id) < dossiers.policy.verificationsMax else {
        try dossiers.fail(&dossier, .maxFailedAttemptsIdentityVerification, in: tx)
        try dossiers.save(&dossier, in: tx)
        return .refused(.processLimitReached)
      }
      if let running = dossier.verification, !running.state.isClosed {
        try dossiers.voidPasscodes(dossier, in: tx)
        try dossiers.move(&dossier, on: .reset, failure: .canceledProcess, by: "customer", in: tx)
      }
      // Clocks of nodes differ, and the newest one counts: it is younger than the one before it on every clock.
      let earliest = dossier.verification.map { $0.createdAt + .milliseconds(1) }
      let verification = IdentityVerification(
        id: .init(core.world), process: dossier.process.id, state: .notStarted,
        createdAt: max(core.world.now(), earliest ?? core.world.now()))
      try store.insert(verification)
      dossier.verification = verification
      try dossiers.move(&dossier, on: .initiated, by: "customer", in: tx)
      try dossiers.setFlag(Wultra.ActivationFlag.inProgress, of: &dossier, in: tx)
      try dossiers.save(&dossier, in: tx)
      return .answer(())
    }.get()
  }

  /// Gives a verification up, so that another can be begun.
  /// - Throws: `Problem` ONBOARDING_PROCESS_LIMIT_REACHED when the process ended by it.
  package func cleanUp(_ process: String, by caller: VerificationCaller) async throws {
    try await core.database.write(retrying: .outdatedOrDuplicate) { tx -> Decided<Void> in
      guard var dossier = try dossiers.open(process, of: caller, in: tx) else { return .refused(.onboardingFailed) }
      var isOver = false
      if let verification = dossier.verification {
        let wasOpen = !verification.state.isClosed
        try dossiers.move(&dossier, on: .reset, failure: .canceledProcess, by: "customer", in: tx)
        if wasOpen {
          try dossiers.voidPasscodes(dossier, in: tx)
          isOver = try dossiers.score(WultraPolicy.Score.verificationReset.rawValue, &dossier, in: tx)
        }
      }
      if !isOver { try dossiers.setFlag(Wultra.ActivationFlag.pending, of: &dossier, in: tx) }
      try dossiers.save(&dossier, in: tx)
      return isOver ? .refused(.processLimitReached) : .answer(())
    }.get()
  }

  // MARK: Events

  /// The topic of the events of an activation's process. Ours; no published app follows it.
  /// - Throws: `Problem` ONBOARDING_FAILED when the activation belongs to no process.
  func eventTopic(of activation: Activation) async throws -> String {
    try await core.database.read { Dossiers.eventTopic(try find(activation, in: $0).process.id) }
  }

  /// Whether an activation still proves its device: an answer goes on for minutes after its request was proved.
  func isActive(_ activation: Activation.ID) async throws -> Bool {
    try await core.database.read { try dossiers.activations.find(activation, in: $0)?.state == .active }
  }

  /// The state to show now, and the number of the change that led to it.
  func currentEvent(of activation: Activation.ID) async throws -> (Data, Int64) {
    try await core.database.read { tx in
      guard let activation = try dossiers.activations.find(activation, in: tx) else { throw Problem.onboardingFailed }
      let dossier = try find(activation, in: tx)
      return (
        try WireJSON.encode(dossier.event(flags: activation.flags)),
        try dossiers.live.position(of: Dossiers.eventTopic(dossier.process.id), in: tx)
      )
    }
  }
}

extension Dossiers {
  /// Ends a verification well if everything holds, and otherwise as failed; the caller saves (§5, final check).
  ///
  /// 1. Every picture that counts is accepted, and the required set is there.  2. The presence check is passed where
  /// there is one.  3. The code is right where one is asked for.  4. The activation is active; its own code was right,
  /// or it would not be of this process.
  func complete(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    guard let verification = dossier.verification else { return }
    let documents = try SubmittedDocumentStore(tx, vault: core.vault).used(of: verification.id)
    let activation = try dossier.process.activation.flatMap {
      try activations.find(Activation.ID(rawValue: $0), in: tx)
    }
    let holds =
      DocumentEvaluation(documents, policy) == .complete
      && (!policy.checksPresence || verification.presence == .accepted)
      && (!policy.asksOTP || verification.isOTPVerified) && activation?.state == .active
    guard holds else {
      return try move(&dossier, on: .finalCheckFailed, failure: .finalValidationFailed, in: tx)
    }
    try move(&dossier, on: .finalCheckPassed, in: tx)
    try setFlag(nil, of: &dossier, in: tx)
    try moveProcess(&dossier, on: .verified, in: tx)
  }
}
