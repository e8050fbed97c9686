import Capabilities
import Foundation
import GatehouseWire
import Kit
import Storage

/// A process with its newest verification, as one transaction sees them.
struct Dossier: Sendable {
  var process: OnboardingProcess
  /// Nil before the first one is begun.
  var verification: IdentityVerification?
  /// Whether an app that follows has something to hear when this is saved.
  var hasNews = false

  init(process: OnboardingProcess, verification: IdentityVerification? = nil) {
    self.process = process
    self.verification = verification
  }
}

/// How a command ended. Both commit: what a refusal counted has to stay.
enum Decided<Answer: Sendable>: Sendable {
  case answer(Answer)
  case refused(Problem)
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

/// Runs the commands and effects of this flow: loads, moves and saves in one transaction, again when another one was
/// faster.
package struct WultraRunner: Sendable {
  static let triesMax = 8
  static let actor = ActivationActor.flow("wultra")

  package let parts: WultraParts

  package init(parts: WultraParts) { self.parts = parts }

  /// A write that is tried again when another one was faster.
  func writing<Value: Sendable>(
    _ isolation: SQLIsolation = .snapshot, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    var tries = 1
    while true {
      do { return try await parts.database.write(isolation, body) } catch SQLError.outdated
        where tries < Self.triesMax
      {
        tries += 1
      } catch SQLError.outdated {
        throw Problem.unavailable
      } catch SQLError.notUnique where tries < Self.triesMax {
        // Somebody else began the same process or verification: the next try finds it.
        tries += 1
      } catch is IllegalMove {
        throw Problem.verificationFailed
      }
    }
  }

  /// A command: its refusals commit.
  func deciding<Answer: Sendable>(
    _ isolation: SQLIsolation = .snapshot, _ body: @escaping @Sendable (any SQLTransaction) throws -> Decided<Answer>
  ) async throws -> Answer {
    switch try await writing(isolation, body) {
    case .answer(let answer): return answer
    case .refused(let problem): throw problem
    }
  }

  // MARK: Loading

  /// The caller's process, which goes on; one whose time has run out ends here.
  /// - Throws: `Problem` ONBOARDING_FAILED: the same for one that is not there, not the caller's or over.
  func open(
    _ id: String, of caller: VerificationCaller, in tx: any SQLTransaction
  ) throws -> Decided<Dossier> {
    guard let process = try ProcessStore(tx, vault: parts.vault).find(.init(rawValue: id.lowercased())),
      process.activation == caller.activation.rawValue, process.status == .verifying
    else { throw Problem.onboardingFailed }
    var dossier = try self.dossier(process, in: tx)
    if try lapse(&dossier, in: tx) { return .refused(.onboardingFailed) }
    return .answer(dossier)
  }

  func dossier(_ process: OnboardingProcess, in tx: any SQLTransaction) throws -> Dossier {
    Dossier(process: process, verification: try IdentityVerificationStore(tx).current(of: process.id))
  }

  /// A verification with its process, for effects.
  func dossier(_ id: IdentityVerification.ID, in tx: any SQLTransaction) throws -> Dossier? {
    guard let verification = try IdentityVerificationStore(tx).find(id),
      let process = try ProcessStore(tx, vault: parts.vault).find(verification.process)
    else { return nil }
    return Dossier(process: process, verification: verification)
  }

  // MARK: Moving

  /// The one way a verification changes its state: a legal move, its audit line, its effects, its news.
  /// - Throws: `IllegalMove`; also when there is no verification.
  func move(
    _ dossier: inout Dossier, on event: VerificationEvent, failure: ProcessFailure? = nil, by actor: String = "system",
    facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    guard var verification = dossier.verification else {
      throw IllegalMove(state: "\(VerificationState.notStarted)", event: "\(event)")
    }
    let move = try verificationFlow.move(from: verification.state, on: event)
    parts.moves.note("wultra-verification", move, in: tx)
    verification.state = move.to
    if let failure { verification.failure = failure }
    dossier.verification = verification
    var facts = facts
    facts["from"] = move.from.rawValue
    facts["to"] = move.to.rawValue
    facts["verification"] = verification.id.rawValue
    if let failure { facts["failure"] = failure.rawValue }
    try audit("verification.\(event.rawValue)", dossier.process, by: actor, facts: facts, in: tx)
    if move.to.isClosed { try ReviewStore(tx).drop(verification.id, at: parts.world.now()) }
    for effect in move.effects {
      let dueAt = effect == .eraseEvidence ? parts.world.now() + parts.policy.retention : nil
      try parts.outbox.enqueue(WultraEffects.topic(effect), subject: verification.id.rawValue, dueAt: dueAt, in: tx)
    }
    dossier.hasNews = true
  }

  /// The one way a process changes its status; the caller saves.
  /// - Parameter removesActivationAt: when a failed process gives its activation up; nil is after the policy's delay.
  func moveProcess(
    _ dossier: inout Dossier, on event: ProcessEvent, failure: ProcessFailure? = nil,
    by actor: String = "system", removesActivationAt: Instant? = nil, in tx: any SQLTransaction
  ) throws {
    let move = try processFlow.move(from: dossier.process.status, on: event)
    parts.moves.note("wultra-process", move, in: tx)
    dossier.process.status = move.to
    dossier.process.failure = dossier.process.failure ?? failure
    let process = dossier.process
    var facts = ["from": move.from.rawValue, "to": move.to.rawValue]
    if let failure { facts["failure"] = failure.rawValue }
    try audit("process.\(event.rawValue)", process, by: actor, facts: facts, in: tx)
    for effect in move.effects {
      let isRemoval = effect == .removeActivation
      guard !isRemoval || process.activation != nil else { continue }
      try parts.outbox.enqueue(
        WultraEffects.topic(effect), subject: process.id.rawValue, payload: isRemoval ? "" : move.to.rawValue,
        dueAt: isRemoval ? removesActivationAt ?? (parts.world.now() + parts.policy.removalDelay) : nil, in: tx)
    }
    dossier.hasNews = true
  }

  func audit(
    _ action: String, _ process: OnboardingProcess, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try parts.audit.append("wultra.\(action)", to: process.id.rawValue, by: actor, facts: facts, in: tx)
  }

  /// Writes both rows, and says so to whoever follows: every command ends here.
  func save(_ dossier: inout Dossier, in tx: any SQLTransaction) throws {
    let now = parts.world.now()
    dossier.process = try ProcessStore(tx, vault: parts.vault).update(dossier.process, at: now)
    if let verification = dossier.verification {
      dossier.verification = try IdentityVerificationStore(tx).update(verification, at: now)
    }
    if dossier.hasNews {
      try publish(dossier, in: tx)
      dossier.hasNews = false
    }
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
      try parts.passcodes.void(binding.channel, subject: binding.subject, purpose: binding.purpose, in: tx)
    }
  }

  /// Ends a process whose time has run out, and saves it.
  /// - Returns: whether it did.
  func lapse(_ dossier: inout Dossier, in tx: any SQLTransaction) throws -> Bool {
    let now = parts.world.now()
    guard dossier.process.status.isOpen, dossier.process.deadline <= now else { return false }
    let whole = dossier.process.createdAt + parts.policy.processLifetime <= now
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
    guard dossier.process.errorScore > parts.policy.errorScoreMax, dossier.process.status.isOpen else { return false }
    try fail(&dossier, .maxProcessErrorScoreExceeded, in: tx)
    return true
  }

  // MARK: Flags

  /// What the activation says of its verification; other flags stay.
  func setFlag(_ flag: String?, of process: OnboardingProcess, in tx: any SQLTransaction) throws {
    guard let id = process.activation.map({ Activation.ID(rawValue: $0) }),
      let activation = try parts.activations.find(id, in: tx)
    else { return }
    let others = activation.flags.filter {
      $0 != Wultra.ActivationFlag.pending && $0 != Wultra.ActivationFlag.inProgress
    }
    _ = try parts.activations.setFlags(others + [flag].compactMap(\.self), of: id, by: Self.actor, in: tx)
  }

  func flags(of process: OnboardingProcess, in tx: any SQLTransaction) throws -> [String] {
    guard let id = process.activation.map({ Activation.ID(rawValue: $0) }) else { return [] }
    return try parts.activations.find(id, in: tx)?.flags ?? []
  }
}
