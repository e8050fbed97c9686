// SPDX-License-Identifier: Apache-2.0

import RubixWire
import WultraWire
import TestSupport
import Testing

@testable import WultraFlow

@Suite("Wultra: what may follow what", .storeless)
struct VerificationFlowTests {
  /// wultra-onboarding.md §5, row by row: from, events, to.
  private static let rows: [(String, [VerificationEvent], String)] = [
    ("NONE/NOT_INITIALIZED", [.initiated], "DOCUMENT_UPLOAD/IN_PROGRESS"),
    ("DOCUMENT_UPLOAD/IN_PROGRESS", [.documentsRead], "DOCUMENT_UPLOAD/VERIFICATION_PENDING"),
    ("DOCUMENT_UPLOAD/VERIFICATION_PENDING", [.verificationBegun], "DOCUMENT_VERIFICATION/IN_PROGRESS"),
    ("DOCUMENT_UPLOAD/VERIFICATION_PENDING", [.documentsIncomplete], "DOCUMENT_UPLOAD/IN_PROGRESS"),
    ("DOCUMENT_UPLOAD/VERIFICATION_PENDING", [.documentsAccepted], "DOCUMENT_VERIFICATION/ACCEPTED"),
    ("DOCUMENT_UPLOAD/VERIFICATION_PENDING", [.documentsRejected], "DOCUMENT_VERIFICATION/REJECTED"),
    ("DOCUMENT_UPLOAD/VERIFICATION_PENDING", [.documentsFailed], "DOCUMENT_VERIFICATION/FAILED"),
    ("DOCUMENT_VERIFICATION/IN_PROGRESS", [.documentsIncomplete], "DOCUMENT_UPLOAD/IN_PROGRESS"),
    ("DOCUMENT_VERIFICATION/IN_PROGRESS", [.documentsAccepted], "DOCUMENT_VERIFICATION/ACCEPTED"),
    ("DOCUMENT_VERIFICATION/IN_PROGRESS", [.documentsRejected], "DOCUMENT_VERIFICATION/REJECTED"),
    ("DOCUMENT_VERIFICATION/IN_PROGRESS", [.documentsFailed], "DOCUMENT_VERIFICATION/FAILED"),
    ("DOCUMENT_VERIFICATION/ACCEPTED", [.crossCheckBegun], "DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS"),
    ("DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS", [.crossCheckAccepted], "DOCUMENT_VERIFICATION_FINAL/ACCEPTED"),
    ("DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS", [.crossCheckRejected], "DOCUMENT_VERIFICATION_FINAL/REJECTED"),
    ("DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS", [.crossCheckFailed], "DOCUMENT_VERIFICATION_FINAL/FAILED"),
    // Not in the specification: a reviewer asks for other pictures.
    ("DOCUMENT_VERIFICATION_FINAL/IN_PROGRESS", [.retakeRequested], "DOCUMENT_UPLOAD/IN_PROGRESS"),
    ("DOCUMENT_VERIFICATION_FINAL/ACCEPTED", [.evaluationBegun], "CLIENT_EVALUATION/IN_PROGRESS"),
    ("CLIENT_EVALUATION/IN_PROGRESS", [.clientAccepted], "CLIENT_EVALUATION/ACCEPTED"),
    ("CLIENT_EVALUATION/IN_PROGRESS", [.clientRejected], "CLIENT_EVALUATION/REJECTED"),
    ("CLIENT_EVALUATION/IN_PROGRESS", [.clientFailed], "CLIENT_EVALUATION/FAILED"),
    ("CLIENT_EVALUATION/ACCEPTED", [.presenceRequired], "PRESENCE_CHECK/NOT_INITIALIZED"),
    ("CLIENT_EVALUATION/ACCEPTED", [.otpRequired], "OTP_VERIFICATION/VERIFICATION_PENDING"),
    ("CLIENT_EVALUATION/ACCEPTED", [.finalCheckPassed], "COMPLETED/ACCEPTED"),
    ("CLIENT_EVALUATION/ACCEPTED", [.finalCheckFailed], "COMPLETED/FAILED"),
    ("PRESENCE_CHECK/NOT_INITIALIZED", [.presenceInitiated], "PRESENCE_CHECK/IN_PROGRESS"),
    ("PRESENCE_CHECK/IN_PROGRESS", [.presenceInitiated], "PRESENCE_CHECK/IN_PROGRESS"),
    ("PRESENCE_CHECK/IN_PROGRESS", [.presenceSubmitted], "PRESENCE_CHECK/VERIFICATION_PENDING"),
    ("PRESENCE_CHECK/VERIFICATION_PENDING", [.otpRequired], "OTP_VERIFICATION/VERIFICATION_PENDING"),
    ("PRESENCE_CHECK/VERIFICATION_PENDING", [.presenceRejected], "PRESENCE_CHECK/REJECTED"),
    ("PRESENCE_CHECK/VERIFICATION_PENDING", [.presenceFailed], "PRESENCE_CHECK/FAILED"),
    ("PRESENCE_CHECK/VERIFICATION_PENDING", [.finalCheckPassed], "COMPLETED/ACCEPTED"),
    ("PRESENCE_CHECK/VERIFICATION_PENDING", [.finalCheckFailed], "COMPLETED/FAILED"),
    ("OTP_VERIFICATION/VERIFICATION_PENDING", [.otpResent], "OTP_VERIFICATION/VERIFICATION_PENDING"),
    ("OTP_VERIFICATION/VERIFICATION_PENDING", [.presenceRepeated], "PRESENCE_CHECK/NOT_INITIALIZED"),
    ("OTP_VERIFICATION/VERIFICATION_PENDING", [.finalCheckPassed], "COMPLETED/ACCEPTED"),
    ("OTP_VERIFICATION/VERIFICATION_PENDING", [.otpExhausted, .finalCheckFailed], "COMPLETED/FAILED"),
    ("COMPLETED/FAILED", [.reset], "COMPLETED/FAILED"),
  ]

  /// From every state that has begun and not ended, the user or a limit leads to the failed end.
  private static func target(_ state: VerificationState, _ event: VerificationEvent) -> String? {
    if let row = rows.first(where: { $0.0 == state.rawValue && $0.1.contains(event) }) { return row.2 }
    let hasBegun = state != .notStarted && state != .completed && state != .failed
    return hasBegun && (event == .reset || event == .ended) ? "COMPLETED/FAILED" : nil
  }

  @Test("every state answers every event as the specification says, or not at all")
  func complete() {
    for state in VerificationState.allCases {
      for event in VerificationEvent.allCases {
        let move = try? verificationFlow.move(from: state, on: event)
        #expect(move?.to.rawValue == Self.target(state, event), "\(state.rawValue) \(event)")
      }
    }
  }

  @Test("every state can be reached, and every open one can come to an end")
  func reachable() {
    var reached: Set<VerificationState> = [.notStarted]
    for _ in VerificationState.allCases {
      reached.formUnion(verificationFlow.rows.filter { reached.contains($0.from) }.map(\.to))
    }
    #expect(reached == Set(VerificationState.allCases))
    for state in VerificationState.allCases where !state.isClosed && state != .notStarted {
      #expect(verificationFlow.allows(.ended, from: state))
    }
  }

  @Test("what is told of a state are words that released apps know")
  func words() {
    for state in VerificationState.allCases {
      #expect(Wultra.VerificationStatus.known.contains(state.status), "\(state)")
      #expect(state.phase.map { Wultra.VerificationPhase.known.contains($0) } ?? (state == .notStarted))
    }
  }

  @Test("each end owes the erasure of its evidence")
  func erasure() {
    let ends = verificationFlow.rows.filter { $0.to.isClosed && $0.from != .failed }
    #expect(!ends.isEmpty)
    for row in ends {
      #expect(row.effects.contains(.eraseEvidence), "\(row.from) \(row.event)")
    }
  }

  @Test("a picture answers every event in every status, or not at all")
  func document() {
    let legal: [SubmittedDocument.Status: [DocumentEvent: SubmittedDocument.Status]] = [
      .uploaded: [.submitted: .reading],
      .reading: [.read: .read, .rejected: .rejected, .failed: .failed, .replaced: .disposed],
      .read: [.accepted: .accepted, .rejected: .rejected, .replaced: .disposed],
      .verifying: [.replaced: .disposed], .accepted: [.replaced: .disposed, .retakeRequested: .rejected],
      .rejected: [.replaced: .disposed], .failed: [.replaced: .disposed], .disposed: [:],
    ]
    for status in SubmittedDocument.Status.allCases {
      for event in DocumentEvent.allCases {
        #expect((try? documentFlow.move(from: status, on: event))?.to == legal[status]?[event], "\(status) \(event)")
      }
    }
  }

  @Test("a process answers every event in every status, or not at all")
  func process() {
    let legal: [ProcessStatus: [ProcessEvent: ProcessStatus]] = [
      .activating: [.activated: .verifying, .ended: .failed],
      .verifying: [.verified: .finished, .ended: .failed], .failed: [.ended: .failed], .finished: [:],
    ]
    for status in ProcessStatus.allCases {
      for event in ProcessEvent.allCases {
        #expect((try? processFlow.move(from: status, on: event))?.to == legal[status]?[event], "\(status) \(event)")
      }
    }
  }
}
