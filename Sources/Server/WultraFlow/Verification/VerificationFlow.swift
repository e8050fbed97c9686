// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What happened to a verification.
package enum VerificationEvent: String, Sendable, CaseIterable {
  case initiated
  /// Every picture that was sent is read, and at least one can be checked.
  case documentsRead
  /// A provider took the documents and will answer.
  case verificationBegun
  case documentsAccepted, documentsRejected, documentsFailed
  /// A document is missing, or one has to be taken again.
  case documentsIncomplete
  case crossCheckBegun, crossCheckAccepted, crossCheckRejected, crossCheckFailed
  /// The reviewer asks for other pictures of some documents.
  case retakeRequested
  case evaluationBegun, clientAccepted, clientRejected, clientFailed
  case presenceRequired, presenceInitiated, presenceSubmitted
  /// Told only where no code follows.
  case presenceRejected, presenceFailed
  case otpRequired, otpResent, otpExhausted
  /// The code was right and the presence check was not.
  case presenceRepeated
  case finalCheckPassed, finalCheckFailed
  /// The user begins anew.
  case reset
  /// The process came to its end, or a limit was reached.
  case ended
}

/// What a verification's move causes outside of it.
package enum VerificationEffect: String, Sendable, CaseIterable {
  case verifyDocuments, crossCheckDocuments, evaluateClient, judgePresence
  /// Ends the verification when the app has nothing left to scan and sends no other document.
  case endIdleUpload
  /// Takes the next step that needs no person.
  case advance
  /// Pictures and readings go when their retention is over.
  case eraseEvidence
}

/// The verification of a person's identity (wultra-onboarding.md §5), phase × status × event.
package let verificationFlow: TransitionTable<VerificationState, VerificationEvent, VerificationEffect> = .init(
  VerificationFlow.documents + VerificationFlow.client + VerificationFlow.ends)

/// The rows by topic.
private enum VerificationFlow {
  typealias Table = TransitionTable<VerificationState, VerificationEvent, VerificationEffect>

  static let documents: [Table.Row] =
    [
      .init(.notStarted, on: .initiated, to: .uploading),
      .init(.uploading, on: .documentsRead, to: .uploaded, do: .verifyDocuments),
      .init(.uploaded, on: .verificationBegun, to: .verifyingDocuments),
    ] + judgements(in: .uploaded) + judgements(in: .verifyingDocuments) + [
      .init(.documentsAccepted, on: .crossCheckBegun, to: .crossChecking, do: .crossCheckDocuments),
      .init(.crossChecking, on: .crossCheckAccepted, to: .crossChecked, do: .advance),
      .init(.crossChecking, on: .crossCheckRejected, to: .crossCheckRejected),
      .init(.crossChecking, on: .crossCheckFailed, to: .crossCheckFailed),
      .init(.crossChecking, on: .retakeRequested, to: .uploading),
    ]

  /// A provider answers at once or later.
  private static func judgements(in state: VerificationState) -> [Table.Row] {
    [
      .init(state, on: .documentsIncomplete, to: .uploading, do: .endIdleUpload),
      .init(state, on: .documentsAccepted, to: .documentsAccepted, do: .advance),
      .init(state, on: .documentsRejected, to: .documentsRejected),
      .init(state, on: .documentsFailed, to: .documentsFailed),
    ]
  }

  static let client: [Table.Row] = [
    .init(.crossChecked, on: .evaluationBegun, to: .evaluatingClient, do: .evaluateClient),
    .init(.evaluatingClient, on: .clientAccepted, to: .clientAccepted, do: .advance),
    .init(.evaluatingClient, on: .clientRejected, to: .clientRejected),
    .init(.evaluatingClient, on: .clientFailed, to: .clientFailed),

    .init(.clientAccepted, on: .presenceRequired, to: .awaitingPresence),
    .init(.awaitingPresence, on: .presenceInitiated, to: .checkingPresence),
    .init(.checkingPresence, on: .presenceInitiated, to: .checkingPresence),
    .init(.checkingPresence, on: .presenceSubmitted, to: .judgingPresence, do: .judgePresence),
    .init(.judgingPresence, on: .presenceRejected, to: .presenceRejected),
    .init(.judgingPresence, on: .presenceFailed, to: .presenceFailed),

    .init(.clientAccepted, on: .otpRequired, to: .awaitingOTP),
    .init(.judgingPresence, on: .otpRequired, to: .awaitingOTP),
    .init(.awaitingOTP, on: .otpResent, to: .awaitingOTP),
    .init(.awaitingOTP, on: .otpExhausted, to: .failed, do: .eraseEvidence),
    .init(.awaitingOTP, on: .presenceRepeated, to: .awaitingPresence),
  ]

  static let ends: [Table.Row] =
    [VerificationState.clientAccepted, .judgingPresence, .awaitingOTP].flatMap { state -> [Table.Row] in
      [
        .init(state, on: .finalCheckPassed, to: .completed, do: .eraseEvidence),
        .init(state, on: .finalCheckFailed, to: .failed, do: .eraseEvidence),
      ]
    }
    + VerificationState.allCases.filter { !$0.isClosed && $0 != .notStarted }.flatMap { state -> [Table.Row] in
      [
        .init(state, on: .reset, to: .failed, do: .eraseEvidence),
        .init(state, on: .ended, to: .failed, do: .eraseEvidence),
      ]
    } + [
      // What failed is begun anew in the same way.
      .init(.failed, on: .reset, to: .failed)
    ]
}

/// How a verification moves.
struct VerificationMachine: StateMachine {
  typealias State = VerificationState
  typealias Event = VerificationEvent
  typealias Effect = VerificationEffect

  let core: CoreDependencies
  let policy: WultraPolicy
  /// Why it fails; nil where it goes on.
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
