// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where a case stands. Diagram: docs/flows/case.mmd.
package enum CaseState: String, Sendable, CaseIterable, SQLConvertible {
  /// No member of staff has it in hand.
  case open
  case claimed
  /// A person decided.
  case decided
  /// Nothing is to be decided any more: the customer, time or another rule ended it.
  case withdrawn

  package var isClosed: Bool { self == .decided || self == .withdrawn }
}

/// What moves a case.
package enum CaseEvent: String, Sendable, CaseIterable {
  case claimed, handedOver, released, decided, withdrawn
  /// The same subject waits again.
  case reopened
}

/// The life of a case. A service client of the institution decides without a claim, because its own program gives out
/// the work.
package let caseFlow: TransitionTable<CaseState, CaseEvent, Never> = .init([
  .init(.open, on: .claimed, to: .claimed),
  .init(.open, on: .decided, to: .decided),
  .init(.open, on: .withdrawn, to: .withdrawn),
  .init(.claimed, on: .handedOver, to: .claimed),
  .init(.claimed, on: .released, to: .open),
  .init(.claimed, on: .decided, to: .decided),
  .init(.claimed, on: .withdrawn, to: .withdrawn),
  .init(.decided, on: .reopened, to: .open),
  .init(.withdrawn, on: .reopened, to: .open),
])

/// The moves of rows of `casework_case`.
struct CaseMachine: StateMachine {
  typealias State = CaseState
  typealias Event = CaseEvent
  typealias Effect = Never

  let world: World
  /// Who has it in hand after the move.
  var holder: String?
  /// The code of how it ended, or why it was moved.
  var code = ""
  /// What waits now, for a case that is opened again.
  var renewed: Case?
  let actor: String

  let flow = "case"
  var table: TransitionTable<State, Event, Effect> { caseFlow }
  var state: WritableKeyPath<Case, CaseState> { \.state }

  func refusal(of event: CaseEvent, in state: CaseState) -> any Error {
    switch state {
    case .claimed: Problem.caseHeld
    case .open: Problem.caseNotHeld
    case .decided, .withdrawn: Problem.caseClosed
    }
  }

  func prepare(_ item: inout Case, for move: Move) {
    switch move.event {
    case .claimed, .handedOver: item.holder = holder
    case .released:
      // A call that its agent puts back is not theirs again.
      if item.holder == item.bookedWith { item.bookedWith = Case.handedBack }
      item.holder = nil
    case .decided, .withdrawn:
      (item.holder, item.closedAt, item.outcome) = (nil, world.now(), code)
      item.decidedBy = move.event == .decided ? actor : nil
    case .reopened:
      (item.holder, item.closedAt, item.outcome, item.decidedBy) = (nil, nil, nil, nil)
      guard let renewed else { return }
      (item.risk, item.reasons) = (renewed.risk, renewed.reasons)
      (item.openedAt, item.dueAt, item.bookedWith) = (renewed.openedAt, renewed.dueAt, renewed.bookedWith)
    }
  }

  func save(_ item: inout Case, in tx: any SQLTransaction) throws {
    try CaseStore(tx).save(item)
    item.version += 1
  }

  func auditEntry(for move: Move, of item: Case) -> AuditEntry? {
    var facts = ["kind": item.kind.rawValue, "subject": item.subject, "from": move.from.rawValue]
    facts["to"] = move.to.rawValue
    facts["holder"] = item.holder
    if !code.isEmpty { facts[move.to.isClosed ? "outcome" : "why"] = code }
    return AuditEntry("case.\(move.event.auditVerb)", chain: item.chain, facts: facts)
  }
}

extension CaseEvent {
  fileprivate var auditVerb: String { self == .handedOver ? "handed_over" : rawValue }
}
