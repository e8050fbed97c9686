// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Screening {
  /// Where the question stands whether a customer is a listed entry. Diagram: docs/flows/screening-case.mmd.
  package enum CaseState: String, Sendable, CaseIterable, SQLConvertible, Codable {
    /// Waits for an analyst.
    case open
    /// Judged, and waits for a second person.
    case awaitingApproval = "awaiting_approval"
    /// Another person: not asked again until the entry or what is known of the customer changes.
    case falsePositive = "false_positive"
    /// The same person.
    case trueMatch = "true_match"

    /// Whether it waits for a person.
    package var isWaiting: Bool { self == .open || self == .awaitingApproval }

    /// What officers made of the hit, in the words of a kept screening.
    var disposition: Disposition {
      switch self {
      case .open, .awaitingApproval: .open
      case .falsePositive: .falsePositive
      case .trueMatch: .trueMatch
      }
    }
  }

  /// What happened to a case.
  package enum CaseEvent: String, Sendable, CaseIterable {
    /// A search found the entry again, and the entry or what is known of the customer is not what it was.
    case changed
    case judgedFalsePositive, judgedTrueMatch
    /// An analyst judged where two persons decide.
    case proposed
    case approvedFalsePositive, approvedTrueMatch
    /// The second person, or the first one, takes the proposal back.
    case returned
  }

  /// What a move of a case owes.
  package enum CaseEffect: String, Sendable, Hashable {
    /// Tell those who watch that a case waits.
    case alert
  }
}

/// The legal moves of a case. What was judged once is asked again only when its facts changed; a true match stays one,
/// for it takes more than a change of a list to clear a person of it.
package let screeningCaseFlow: TransitionTable<Screening.CaseState, Screening.CaseEvent, Screening.CaseEffect> = .init([
  .init(.open, on: .changed, to: .open),
  .init(.open, on: .judgedFalsePositive, to: .falsePositive),
  .init(.open, on: .judgedTrueMatch, to: .trueMatch),
  .init(.open, on: .proposed, to: .awaitingApproval),

  // What the first person looked at is not what the second one would approve.
  .init(.awaitingApproval, on: .changed, to: .open, do: .alert),
  .init(.awaitingApproval, on: .approvedFalsePositive, to: .falsePositive),
  .init(.awaitingApproval, on: .approvedTrueMatch, to: .trueMatch),
  .init(.awaitingApproval, on: .returned, to: .open),

  .init(.falsePositive, on: .changed, to: .open, do: .alert),

  .init(.trueMatch, on: .changed, to: .trueMatch),
])

/// How a case moves: saved under its version, audited as `screening.case_<event>` in a chain of its own. The customer's
/// chain says nothing of it, for customers may have that.
struct CaseMachine: StateMachine {
  typealias State = Screening.CaseState
  typealias Event = Screening.CaseEvent
  typealias Effect = Screening.CaseEffect

  /// Performs `CaseEffect.alert`; the subject is the case, the payload the version in which it came to be owed.
  static let alertTopic = "screening.alert"

  let vault: Vault
  let world: World
  /// Whether those who watch are told. What a customer's own step finds stands in the queue of its flow.
  var isAlerting = true
  /// Of the customer; nil where it is not known, and where the work queue has it already.
  var email: String?

  var flow: String { "screening-case" }
  var table: TransitionTable<State, Event, Effect> { screeningCaseFlow }
  var state: WritableKeyPath<Screening.Case, State> { \.state }

  func tenant(of item: Screening.Case, in tx: any SQLTransaction) -> String? { item.queue }

  func refusal(of event: Event, in state: State) -> any Error {
    switch state {
    case .awaitingApproval:
      Problem(.conflict, "awaiting-approval", "The hit was judged, and waits for a second person.")
    case .open: Problem(.conflict, "no-proposal", "Nothing was proposed for this hit.")
    case .falsePositive, .trueMatch: Problem(.conflict, "step-already-completed", "The hit was decided before.")
    }
  }

  func prepare(_ item: inout Screening.Case, for move: Move) {
    if move.to != .awaitingApproval { item.proposal = nil }
    if move.to.isWaiting {
      (item.decidedBy, item.decidedAt) = (nil, nil)
      // The whole wait counts, for the first person and for the second one.
      item.waitsSince = item.waitsSince ?? world.now()
    } else {
      item.waitsSince = nil
      if move.from != move.to { item.decidedAt = world.now() }
    }
    if move.to == .open { item.proposedBy = nil }
  }

  func save(_ item: inout Screening.Case, in tx: any SQLTransaction) throws {
    item = try ScreeningCaseStore(tx, vault).update(item)
  }

  func auditEntry(for move: Move, of item: Screening.Case) -> AuditEntry? {
    AuditEntry(
      "screening.case_\(Self.verb(move.event))", chain: item.auditChain,
      facts: [
        "from": move.from.rawValue, "to": move.to.rawValue, "screening": item.screeningID.rawValue,
        "version": "\(item.version)",
      ])
  }

  func owedEffect(_ effect: Effect, for move: Move, of item: Screening.Case) -> OwedEffect? {
    switch effect {
    case .alert:
      isAlerting ? OwedEffect(Self.alertTopic, subject: item.id.rawValue, payload: "\(item.version)") : nil
    }
  }

  func awaitedWork(for item: Screening.Case, in tx: any SQLTransaction) -> AwaitedWork? {
    item.awaitedWork(email: email)
  }

  /// The screening that found the entry last, with the lists that it searched and how.
  func decisionBasis(for item: Screening.Case, in tx: any SQLTransaction) throws -> DecisionBasis {
    var basis = DecisionBasis(evidence: [.init("screening", item.screeningID.rawValue)])
    guard let record = try ScreeningStore(tx, vault).find(item.screeningID) else { return basis }
    for list in record.lists { basis.versions["list \(list.code)"] = list.version }
    if let threshold = record.threshold { basis.versions["screening threshold"] = "\(threshold)" }
    if let matcher = record.matcher { basis.versions["screening matcher"] = matcher.version }
    return basis
  }

  private static func verb(_ event: Event) -> String {
    switch event {
    case .changed: "changed"
    case .judgedFalsePositive, .judgedTrueMatch: "judged"
    case .proposed: "proposed"
    case .approvedFalsePositive, .approvedTrueMatch: "approved"
    case .returned: "returned"
    }
  }
}

extension Screening.Case {
  var auditChain: String { "screening-case-\(id)" }

  /// A hit in the work queue, which waits for an analyst or for a second person. The list and the entry are not told:
  /// the queue may be seen by all who manage cases.
  func awaitedWork(email: String?) -> AwaitedWork? {
    guard state.isWaiting, let queue else { return nil }
    var work = AwaitedWork("screening-hit", tenant: queue, subject: id.rawValue, person: KeySubject(subjectID).id)
    work.risk = 90
    work.reasons = [state == .open ? "hit" : "approval"]
    work.chain = auditChain
    work.email = email
    return work
  }
}
