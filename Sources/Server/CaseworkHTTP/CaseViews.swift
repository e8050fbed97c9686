// SPDX-License-Identifier: Apache-2.0

import Casework
import Kit

// Members are spelled as on the wire.

package struct CaseView: Encodable {
  let case_id: String
  let kind: String
  /// As the flow names it.
  let tenant: String
  /// What waits, by the id that the flow knows it by.
  let subject_id: String
  let state: String
  /// How the audit names who has it in hand.
  let holder: String?
  let risk: Int
  let reasons: [String]
  /// RFC 3339, as all times.
  let opened_at: String
  let due_at: String
  let is_overdue: Bool
  let closed_at: String?
  let outcome: String?
  let decided_by: String?

  package init(_ item: Case, at now: Instant) {
    (case_id, kind, tenant) = (item.id.rawValue, item.kind.rawValue, item.tenant)
    (subject_id, state, holder) = (item.subject, item.state.rawValue, item.holder)
    (risk, reasons) = (item.risk, item.reasons)
    (opened_at, due_at, is_overdue) = (item.openedAt.rfc3339, item.dueAt.rfc3339, item.isOverdue(at: now))
    (closed_at, outcome, decided_by) = (item.closedAt?.rfc3339, item.outcome, item.decidedBy)
  }
}

package struct CasePageView: Encodable {
  let cases: [CaseView]
  let next_cursor: String?

  package init(_ page: CasePage) {
    cases = page.cases.map { CaseView($0, at: page.at) }
    next_cursor = page.next?.text
  }
}

package struct CaseNoteView: Encodable {
  let note_id: String
  let author: String
  let text: String
  let written_at: String

  package init(_ note: CaseNote) {
    (note_id, author, text) = (note.id.rawValue, note.author, note.words)
    written_at = note.writtenAt.rfc3339
  }
}

package struct CaseFileView: Encodable {
  struct Step: Encodable {
    let at: String
    let actor: String
    let action: String
    let facts: [String: String]
  }

  struct Receipt: Encodable {
    let receipt_id: String
    let decided_at: String
    let decided_by: String
    let outcome: String
  }

  let `case`: CaseView
  let notes: [CaseNoteView]
  let receipts: [Receipt]
  let history: [Step]

  package init(_ file: CaseFile, at now: Instant) {
    self.case = CaseView(file.item, at: now)
    notes = file.notes.map(CaseNoteView.init)
    receipts = file.receipts.map {
      Receipt(
        receipt_id: $0.id.rawValue, decided_at: $0.decidedAt.rfc3339, decided_by: $0.decidedBy, outcome: $0.outcome)
    }
    history = file.history.map {
      Step(at: $0.at.rfc3339, actor: $0.actor, action: $0.action, facts: $0.facts)
    }
  }
}

// MARK: Requests

struct NextCaseRequest: Decodable {
  let kinds: [String]?
}

struct ClaimRequest: Decodable {}

struct ReleaseRequest: Decodable {
  let why: String
}

struct HandOverRequest: Decodable {
  let to: String
  let why: String
}

struct NoteRequest: Decodable {
  let text: String
}

struct ApprovalDecisionRequest: Decodable {
  let decision: String
}

struct WithdrawalRequest: Decodable {}
