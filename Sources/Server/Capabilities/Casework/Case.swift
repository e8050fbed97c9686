// SPDX-License-Identifier: Apache-2.0

import Kit

/// Something that waits for a person of the institution, or that did.
package struct Case: Sendable, Equatable {
  package typealias ID = Identifier<Case>

  package let id: ID
  /// The institution whose staff work on it; empty where the installation names none for the flow's tenant.
  package let desk: String
  /// As the flow names it.
  package let tenant: String
  package let kind: CaseKind
  /// The id of what waits, as the flow knows it.
  package let subject: String
  /// The id of the key subject with whom it is erased.
  package let person: String
  /// Keyed digest of the person's e-mail address, for the comparison with a member of staff.
  let owner: String?
  package var state: CaseState
  /// How audit lines name the member of staff who has it in hand.
  package var holder: String?
  /// How audit lines name the agent with whom a call is booked at `dueAt`; nil without a booked call, `handedBack` when
  /// its agent put it back into the queue.
  package var bookedWith: String?
  /// 0 to 100.
  package var risk: Int
  package var reasons: [String]
  /// Since when it waits this time.
  package var openedAt: Instant
  package var dueAt: Instant
  package var closedAt: Instant?
  /// The code of how it ended.
  package var outcome: String?
  package var decidedBy: String?
  package var version: Int64

  /// How far a point of risk moves a case to the front: the riskiest goes before what is due ten hours earlier.
  static let pointOfRisk = Duration.minutes(6)

  /// In the place of the agent: the call is anybody's from `bookedLead` before its time.
  package static let handedBack = ""

  /// How long before a booked call its agent is given the case: time to read it before the call can be joined, which is
  /// five minutes before.
  static let bookedLead = Duration.minutes(10)
  /// How long after its time a booked call is kept from colleagues who ask for the next case: the call, and until it
  /// counts as missed. The colleague who stands in for the agent claims the case.
  static let bookedTerm = Duration.minutes(30)

  /// The lowest comes first: the oldest and riskiest. It does not change while a case waits.
  package var priority: Int64 { (dueAt - .seconds(Self.pointOfRisk.wholeSeconds * risk)).milliseconds }

  /// How audit lines name its story.
  package var chain: String { "case-\(id)" }

  package func isOverdue(at now: Instant) -> Bool { !state.isClosed && dueAt < now }
}

extension Problem {
  package static let caseHeld = Problem(.conflict, "case-held", "A colleague has this case in hand.")
  package static let caseClosed = Problem(.conflict, "case-closed", "This case needs no decision any more.")
  package static let caseNotHeld = Problem(.conflict, "case-not-held", "This case is not in hand; claim it first.")
  package static let ownCase = Problem(.forbidden, "forbidden", "This is your own case.")
}
