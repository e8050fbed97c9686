import Kit
import Storage

/// How a verification moves.
struct VerificationMachine: StateMachine {
  typealias Subject = IdentityVerification
  typealias State = VerificationState
  typealias Event = VerificationEvent
  typealias Effect = VerificationEffect

  let core: CoreDependencies
  let policy: WultraPolicy
  /// Why it comes to nothing; nil where it goes on.
  let failure: ProcessFailure?

  var flow: String { "wultra-verification" }
  var table: TransitionTable<State, Event, Effect> { verificationFlow }
  var state: WritableKeyPath<IdentityVerification, VerificationState> { \.state }

  func tenant(of verification: IdentityVerification, in tx: any SQLTransaction) throws -> String? {
    try ProcessStore(tx, vault: core.vault).tenant(of: verification.process)
  }

  func refusal(of event: VerificationEvent, in state: VerificationState) -> any Error { Problem.verificationFailed }

  func prepare(_ verification: inout IdentityVerification, for move: Move) {
    if let failure { verification.failure = failure }
  }

  func save(_ verification: inout IdentityVerification, in tx: any SQLTransaction) throws {
    verification = try IdentityVerificationStore(tx).update(verification, at: core.world.now())
  }

  func auditEntry(for move: Move, of verification: IdentityVerification) -> AuditEntry? {
    var facts = [
      "from": move.from.rawValue, "to": move.to.rawValue, "verification": verification.id.rawValue,
    ]
    facts["failure"] = failure?.rawValue
    return AuditEntry(
      "wultra.verification.\(move.event.rawValue)", chain: verification.process.rawValue, facts: facts)
  }

  func owedEffect(_ effect: VerificationEffect, for move: Move, of verification: IdentityVerification) -> OwedEffect? {
    let delay: Duration? =
      switch effect {
      case .eraseEvidence: policy.retention
      case .endIdleUpload: policy.uploadPatience
      default: nil
      }
    return OwedEffect(
      WultraEffects.topic(effect), subject: verification.id.rawValue, dueAt: delay.map { core.world.now() + $0 })
  }

  /// Drops the reviews of a verification that is closed, because no decision is due any more.
  func complete(
    _ move: Move, of verification: inout IdentityVerification, by actor: String, in tx: any SQLTransaction
  ) throws {
    guard move.to.isClosed else { return }
    for review in try ReviewStore(tx).drop(verification.id, at: core.world.now()) {
      try core.cases.conclude(
        review.awaitedWork(of: verification.process), outcome: move.event.rawValue, on: DecisionBasis(),
        by: actor, in: tx)
    }
  }
}
