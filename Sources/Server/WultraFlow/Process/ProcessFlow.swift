// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How far an onboarding has come. Diagram: docs/flows/wultra-process.mmd.
package enum ProcessStatus: String, Sendable, CaseIterable, SQLConvertible {
  /// Begun; the device is not activated yet.
  case activating
  /// The device is activated, its user is being verified.
  case verifying
  case finished
  case failed

  var isOpen: Bool { self == .activating || self == .verifying }
}

/// What happened to a process.
package enum ProcessEvent: String, Sendable, CaseIterable {
  case activated, verified
  /// By the user, a limit or the clock: `ProcessFailure` says which.
  case ended
}

/// What a process's move causes outside of it.
package enum ProcessEffect: String, Sendable, CaseIterable {
  /// A failed process keeps no activation.
  case removeActivation
  case tellInstitution
}

/// The onboarding of a person and their device (wultra-onboarding.md §2).
package let processFlow: TransitionTable<ProcessStatus, ProcessEvent, ProcessEffect> = .init([
  .init(.activating, on: .activated, to: .verifying, do: .tellInstitution),
  .init(.activating, on: .ended, to: .failed, do: .tellInstitution),
  .init(.verifying, on: .verified, to: .finished, do: .tellInstitution),
  .init(.verifying, on: .ended, to: .failed, do: .removeActivation, .tellInstitution),
  // Cleaning up may be repeated, and repeats what it owes.
  .init(.failed, on: .ended, to: .failed, do: .removeActivation),
])

/// Why a process, or a verification, came to nothing (wultra-onboarding.md §5.1). Told to operators, never to apps.
package enum ProcessFailure: String, Sendable, CaseIterable, SQLConvertible {
  case expiredProcessOnboarding, expiredProcessActivation, expiredProcessIdentityVerification
  case maxFailedAttemptsOtp, tooManyProcessesPerUser, maxProcessErrorScoreExceeded
  case maxFailedAttemptsIdentityVerification, maxFailedAttemptsDocumentUpload, maxFailedAttemptsPresenceCheck
  case maxFailedAttemptsClientEvaluation
  /// The pictures that came were accepted, and the documents that are needed beside them did not come.
  case documentsMissing
  case canceledProcess, userLookupFailed, documentVerificationFailed, documentVerificationRejected
  case presenceCheckRejected, presenceCheckFailed, clientEvaluationFailed, clientEvaluationRejected
  case finalValidationFailed
}

/// How a process moves.
struct ProcessMachine: StateMachine {
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
