// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How a process moves.
struct ProcessMachine: StateMachine {
  typealias Subject = OnboardingProcess
  typealias State = ProcessStatus
  typealias Event = ProcessEvent
  typealias Effect = ProcessEffect

  let core: CoreDependencies
  /// Why it fails; nil where it goes on. The first reason stays.
  let failure: ProcessFailure?
  /// When a failed process gives its activation up.
  let removesActivationAt: Instant

  var flow: String { "wultra-process" }
  var table: TransitionTable<State, Event, Effect> { processFlow }
  var state: WritableKeyPath<OnboardingProcess, ProcessStatus> { \.status }

  func tenant(of process: OnboardingProcess, in tx: any SQLTransaction) -> String? { process.tenant }

  func refusal(of event: ProcessEvent, in status: ProcessStatus) -> any Error { Problem.verificationFailed }

  func prepare(_ process: inout OnboardingProcess, for move: Move) { process.failure = process.failure ?? failure }

  func save(_ process: inout OnboardingProcess, in tx: any SQLTransaction) throws {
    process = try ProcessStore(tx, vault: core.vault).update(process, at: core.world.now())
  }

  func auditEntry(for move: Move, of process: OnboardingProcess) -> AuditEntry? {
    var facts = ["from": move.from.rawValue, "to": move.to.rawValue]
    facts["failure"] = failure?.rawValue
    return AuditEntry("wultra.process.\(move.event.rawValue)", chain: process.id.rawValue, facts: facts)
  }

  func owedEffect(_ effect: ProcessEffect, for move: Move, of process: OnboardingProcess) -> OwedEffect? {
    let (topic, subject) = (WultraEffects.topic(effect), process.id.rawValue)
    switch effect {
    case .tellInstitution: return OwedEffect(topic, subject: subject, payload: move.to.rawValue)
    case .removeActivation where process.activation == nil: return nil
    case .removeActivation:
      return OwedEffect(
        topic, subject: subject, dueAt: removesActivationAt)
    }
  }
}
