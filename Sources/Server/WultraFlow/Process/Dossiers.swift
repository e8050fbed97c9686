// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import Identity
import Kit
import Storage
import WultraWire

/// How a command ended. Both commit: what a refusal counted has to stay.
enum Decided<Answer: Sendable>: Sendable {
  case answer(Answer)
  case refused(Problem)

  /// After the commit.
  /// - Throws: the refusal.
  func get() throws -> Answer {
    switch self {
    case .answer(let answer): return answer
    case .refused(let problem): throw problem
    }
  }
}

/// Who calls with an activation, proved.
package struct VerificationCaller: Sendable {
  package let activation: Activation.ID
  /// BCP 47.
  package let language: String

  package init(activation: Activation.ID, language: String) {
    self.activation = activation
    self.language = language
  }
}

/// A process with its newest verification, as one transaction sees them.
package struct Dossier: Sendable {
  package internal(set) var process: OnboardingProcess
  /// Nil before the first one is begun.
  package internal(set) var verification: IdentityVerification?
  /// Whether an app that follows has something to hear when this is saved.
  var hasUpdates = false
  /// The rows as the transaction read them or wrote them last.
  private var stored: (process: OnboardingProcess, verification: IdentityVerification?)
  /// Whether the transaction has written the row of the process.
  private(set) var isHeld = false

  init(process: OnboardingProcess, verification: IdentityVerification? = nil) {
    self.process = process
    self.verification = verification
    stored = (process, verification)
  }

  var hasUnsavedProcess: Bool { process != stored.process }
  var hasUnsavedVerification: Bool { verification != stored.verification }

  /// Takes over the process as its row is now.
  mutating func noteSaved(_ process: OnboardingProcess) {
    (self.process, stored.process, isHeld) = (process, process, true)
  }

  /// Takes over the verification as its row is now.
  mutating func noteSaved(_ verification: IdentityVerification) {
    (self.verification, stored.verification) = (verification, verification)
  }
}

extension Dossier {
  /// What the app shows (wultra-onboarding.md §5, rule of `/api/identity/status`).
  ///
  /// 1. No verification was begun: not started.  2. The process has failed: failed.  3. The activation says that none
  /// was begun since the last: not started.  4. What is stored.
  private func shown(_ flags: [String]) -> VerificationState {
    guard let verification else { return .notStarted }
    if process.status == .failed { return .failed }
    return flags.contains(Wultra.ActivationFlag.pending) ? .notStarted : verification.state
  }

  func state(flags: [String], _ policy: WultraPolicy) -> Wultra.IdentityState {
    let shown = shown(flags)
    return Wultra.IdentityState(
      processId: process.id.rawValue, identityVerificationStatus: shown.status, identityVerificationPhase: shown.phase,
      config: policy.configuration,
      remainingAttempts: shown == .awaitingOTP
        ? verification.map { max(0, policy.otpFailuresMax - $0.otpFailures) } : nil)
  }

  func event(flags: [String]) -> Wultra.IdentityEvent {
    let shown = shown(flags)
    return Wultra.IdentityEvent(
      processId: process.id.rawValue, identityVerificationStatus: shown.status, identityVerificationPhase: shown.phase)
  }
}

/// What the commands and effects of this flow do in their transactions: they load a dossier, move it and save it.
///
/// A transaction that changes a dossier writes the row of the process first (`hold`), so that of two at once the later
/// one runs again, and locks are taken in one order: process, verification, audit.
package struct Dossiers: Sendable {
  static let actor = ActivationActor.flow("wultra")

  package let core: CoreDependencies
  let activations: Activations
  let passcodes: Passcodes
  let live: LiveEvents
  package let policy: WultraPolicy
  /// Takes why a picture could not be read for the receipt of a decision, which goes on without it.
  let unread: @Sendable (any Error) -> Void

  package init(
    core: CoreDependencies, activations: Activations, policy: WultraPolicy,
    unread: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    (self.core, self.activations, self.policy, self.unread) = (core, activations, policy, unread)
    passcodes = Passcodes(vault: core.vault, world: core.world, policy: policy.passcodes)
    live = LiveEvents(database: core.database, world: core.world)
  }

  // MARK: Loading

  /// The caller's process, which goes on; one whose time has run out ends here.
  /// - Returns: nil when it ended just now, which has to commit; the caller is then refused with ONBOARDING_FAILED.
  /// - Throws: `Problem` ONBOARDING_FAILED: the same for one that is not there, not the caller's or over.
  func open(_ id: String, of caller: VerificationCaller, in tx: any SQLTransaction) throws -> Dossier? {
    guard let process = try ProcessStore(tx, vault: core.vault).find(.init(rawValue: id.lowercased())),
      process.activation == caller.activation.rawValue, process.status == .verifying
    else { throw Problem.onboardingFailed }
    var dossier = try self.dossier(process, in: tx)
    return try lapse(&dossier, in: tx) ? nil : dossier
  }

  package func dossier(_ process: OnboardingProcess, in tx: any SQLTransaction) throws -> Dossier {
    Dossier(process: process, verification: try IdentityVerificationStore(tx).current(of: process.id))
  }

  /// A verification with its process, for effects.
  func dossier(_ id: IdentityVerification.ID, in tx: any SQLTransaction) throws -> Dossier? {
    guard let verification = try IdentityVerificationStore(tx).find(id),
      let process = try ProcessStore(tx, vault: core.vault).find(verification.process)
    else { return nil }
    return Dossier(process: process, verification: verification)
  }

  /// The key that seals what is kept of a process. It is asked for where the process is seen to go on, so that an
  /// object that is stored after an erasure is sealed under the key that is destroyed. Nil where data keys seal.
  func key(of process: OnboardingProcess, in tx: any SQLTransaction) throws -> SubjectKey? {
    try core.vault.subjectKey(of: KeySubject(process.id.rawValue), in: tx)
  }

  // MARK: Moving

  /// Moves the verification.
  /// - Throws: `Problem` IDENTITY_VERIFICATION_FAILED when it is out of order; also when there is no verification.
  package func move(
    _ dossier: inout Dossier, on event: VerificationEvent, failure: ProcessFailure? = nil, by actor: String = "system",
    facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    let machine = VerificationMachine(core: core, policy: policy, failure: failure)
    guard var verification = dossier.verification else { throw machine.refusal(of: event, in: .notStarted) }
    try hold(&dossier, in: tx)
    try core.mover.move(&verification, on: event, of: machine, by: actor, facts: facts, in: tx)
    dossier.noteSaved(verification)
    dossier.hasUpdates = true
  }

  /// Moves the process.
  /// - Parameter removesActivationAt: when a failed process gives its activation up; nil is after the policy's delay.
  /// - Throws: `Problem` IDENTITY_VERIFICATION_FAILED when it is out of order.
  func moveProcess(
    _ dossier: inout Dossier, on event: ProcessEvent, failure: ProcessFailure? = nil,
    by actor: String = "system", removesActivationAt: Instant? = nil, in tx: any SQLTransaction
  ) throws {
    let machine = ProcessMachine(
      core: core, failure: failure,
      removesActivationAt: removesActivationAt ?? core.world.now() + policy.removalDelay)
    var process = dossier.process
    try core.mover.move(&process, on: event, of: machine, by: actor, in: tx)
    dossier.noteSaved(process)
    dossier.hasUpdates = true
  }

  func audit(
    _ action: String, _ process: OnboardingProcess, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try core.audit.append("wultra.\(action)", to: process.id.rawValue, by: actor, facts: facts, in: tx)
  }

  // MARK: Saving

  /// Writes the row of the process, with whatever changed in it, unless this transaction has done so.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func hold(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    if !dossier.isHeld { try saveProcess(&dossier, in: tx) }
  }

  /// Writes what is not written yet, and publishes the change: every command ends here.
  package func save(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    if !dossier.isHeld || dossier.hasUnsavedProcess { try saveProcess(&dossier, in: tx) }
    if dossier.hasUnsavedVerification, let verification = dossier.verification {
      dossier.noteSaved(try IdentityVerificationStore(tx).update(verification, at: core.world.now()))
    }
    if dossier.hasUpdates {
      try publish(dossier, in: tx)
      dossier.hasUpdates = false
    }
  }

  private func saveProcess(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    dossier.noteSaved(try ProcessStore(tx, vault: core.vault).update(dossier.process, at: core.world.now()))
  }

  // MARK: Ends

  /// Ends a process and its verification.
  func fail(
    _ dossier: inout Dossier, _ failure: ProcessFailure, by actor: String = "system",
    removesActivationAt: Instant? = nil, in tx: any SQLTransaction
  ) throws {
    if let verification = dossier.verification, verificationFlow.allows(.ended, from: verification.state) {
      try move(&dossier, on: .ended, failure: failure, by: actor, in: tx)
    }
    try voidPasscodes(dossier, in: tx)
    try moveProcess(
      &dossier, on: .ended, failure: failure, by: actor, removesActivationAt: removesActivationAt, in: tx)
  }

  func voidPasscodes(_ dossier: Dossier, in tx: any SQLTransaction) throws {
    let bindings = [dossier.process.activationBinding, dossier.verification?.binding].compactMap(\.self)
    for binding in bindings {
      try passcodes.void(binding.channel, subject: binding.subject, purpose: binding.purpose, in: tx)
    }
  }

  /// Ends a process whose time has run out, and saves it.
  /// - Returns: whether it did.
  func lapse(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Bool {
    let now = core.world.now()
    guard dossier.process.status.isOpen, dossier.process.deadline <= now else { return false }
    let whole = dossier.process.createdAt + policy.processLifetime <= now
    let step: ProcessFailure =
      dossier.process.status == .activating ? .expiredProcessActivation : .expiredProcessIdentityVerification
    try fail(&dossier, whole ? .expiredProcessOnboarding : step, in: tx)
    try save(&dossier, in: tx)
    return true
  }

  /// Adds to the process's score and ends it when that is too high; the caller saves.
  /// - Returns: whether it ended.
  func score(_ points: Int, _ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Bool {
    dossier.process.errorScore += points
    guard dossier.process.errorScore > policy.errorScoreMax, dossier.process.status.isOpen else { return false }
    try fail(&dossier, .maxProcessErrorScoreExceeded, in: tx)
    return true
  }

  // MARK: Others

  /// Asks the institution while a customer waits.
  func asking<Answer: Sendable>(_ ask: @escaping @Sendable () async throws -> Answer) async throws -> Answer {
    do { return try await Deadline.run(.seconds(15), ask) } catch is CancellationError {
      throw CancellationError()
    } catch let problem as Problem { throw problem } catch {
      throw Problem.institutionUnreachable
    }
  }

  // MARK: Flags

  /// What the activation says of its verification; other flags stay.
  func setFlag(_ flag: String?, of dossier: inout Dossier, in tx: any SQLTransaction) throws {
    try hold(&dossier, in: tx)
    guard let id = dossier.process.activation.map({ Activation.ID(rawValue: $0) }),
      let activation = try activations.find(id, in: tx)
    else { return }
    let others = activation.flags.filter {
      $0 != Wultra.ActivationFlag.pending && $0 != Wultra.ActivationFlag.inProgress
    }
    _ = try activations.setFlags(others + [flag].compactMap(\.self), of: id, by: Self.actor, in: tx)
  }

  func flags(of process: OnboardingProcess, in tx: any SQLTransaction) throws -> [String] {
    guard let id = process.activation.map({ Activation.ID(rawValue: $0) }) else { return [] }
    return try activations.find(id, in: tx)?.flags ?? []
  }

  // MARK: Events

  /// The kind of the events that show the state of a verification.
  static let eventKind = "verification"

  static func eventTopic(_ process: OnboardingProcess.ID) -> String { "wultra:\(process)" }

  /// Publishes the state of a dossier at the end of the transaction to apps that follow it.
  private func publish(_ dossier: Dossier, in tx: any SQLTransaction) throws {
    let event = dossier.event(flags: try flags(of: dossier.process, in: tx))
    try live.publish(
      Self.eventKind, payload: WireJSON.encode(event), to: Self.eventTopic(dossier.process.id), in: tx)
  }
}
