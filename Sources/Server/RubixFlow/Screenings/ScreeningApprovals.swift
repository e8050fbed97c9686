// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Identity
import Kit
import RubixWire
import Screening
import Storage

/// The second person's word on hits, where two persons decide, and the hits that wait for it:
/// `GET /customers/{id}/aml/cases` and `POST /customers/{id}/aml/cases/{case}/approval`.
package struct ScreeningApprovals: Sendable {
  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications
  let screened: ScreenedApplications
  let delistings: Delistings

  /// Every hit of a customer with its verdicts, those that wait before the others. The look is audited.
  /// - Throws: `Problem` forbidden without `decide:aml` or in one's own case; not-found.
  package func cases(of id: Application.ID, by officer: Agent) async throws -> HitCaseList {
    try officer.require(.decideAML)
    let shown = try await core.database.write(retrying: .outdated) { tx in
      try admit(officer, to: id, in: tx)
      let found = try Screening(core).cases(of: id.rawValue, in: tx)
      let waiting = found.filter(\.state.isWaiting), decided = found.filter { !$0.state.isWaiting }
      // In the queue each hit is a case of its own.
      let subject = (waiting.first ?? decided.first)?.id.rawValue ?? id.rawValue
      let why = try core.cases.lookFact(at: subject, by: officer.actor, in: tx)
      try core.audit.append(
        "customer.viewed", to: id.rawValue, by: officer.actor, facts: ["what": "hits", "why": why], in: tx)
      return try (waiting + decided).map { item in
        (item: item, lists: try Screening(core).find(item.screeningID, in: tx)?.lists ?? [])
      }
    }
    let gone = try await delistings.of(shown.map { ($0.item.hit, $0.lists) })
    return HitCaseList(cases: zip(shown, gone).map { HitCaseView($0.item, $1) })
  }

  /// Agrees to what another officer proposed, or gives it back to the analysts.
  /// - Throws: `Problem` as `cases`; validation-failed; conflict `no-proposal`, `case-changed`,
  ///   `step-already-completed`, `case-held`; forbidden `same-person` for the officer who proposed it.
  package func decide(
    _ item: Screening.Case.ID, of id: Application.ID, _ body: RequestContent, by officer: Agent
  ) async throws -> HitCaseView {
    try officer.require(.decideAML)
    let request = try body.decode(as: HitApprovalRequest.self)
    let desk = ScreeningCaseService(core, customers: [screened], delistings: delistings)
    let (tenant, actor) = (TenantID(RubixModule.name, officer.tenant.id), officer.actor)
    let rule = ShownCustomer(approvals: self, officer: officer, customer: id)
    let text = request.notes ?? ""
    switch request.decision {
    case "approve":
      guard let disposition = Screening.Disposition(rawValue: request.disposition ?? ""), disposition != .open else {
        throw Problem.validation([.init("/disposition", "not-a-verdict", "false_positive or true_match.")])
      }
      let approved = try await desk.approve(
        item, disposition, version: request.version, text: text, of: tenant, by: actor, under: rule)
      return HitCaseView(approved.item, try await desk.delistings(of: [approved])[0])
    case "give_back":
      guard !text.trimmingCharacters(in: .whitespacesAndNewlines).isEmpty else {
        throw Problem.validation([.init("/notes", "required", "Say why, in 1 to \(Screening.textMax) characters.")])
      }
      let returned = try await desk.giveBack(
        item, version: request.version, text: text, of: tenant, by: actor, under: rule)
      return HitCaseView(returned.item, try await desk.delistings(of: [returned])[0])
    default: throw Problem.validation([.init("/decision", "unknown-value", "approve or give_back.")])
    }
  }

  /// The hits of the customer whom the officer looks at.
  private struct ShownCustomer: DecisionRule {
    let approvals: ScreeningApprovals
    let officer: Agent
    let customer: Application.ID

    func require(decisionOn subjectID: String, in tx: any SQLTransaction) throws {
      // The hit of another customer is not found here.
      guard subjectID == customer.rawValue else { throw Problem.notFound }
      try approvals.admit(officer, to: customer, in: tx)
    }
  }

  private func admit(_ officer: Agent, to id: Application.ID, in tx: any SQLTransaction) throws {
    try agentSessions.requireLive(officer, in: tx)
    try officer.requireOther(than: applications.load(id, tenant: officer.tenant, in: tx).application)
  }
}

struct HitApprovalRequest: Decodable, Sendable {
  /// approve or give_back.
  let decision: String
  /// Of an approval: what was proposed, so that nothing else is agreed to.
  let disposition: String?
  /// Of the case that the officer saw.
  let version: Int
  /// Reasons; needed to give a proposal back.
  let notes: String?
}

package struct HitCaseList: Encodable, Sendable {
  let cases: [HitCaseView]
}

/// A hit as officers decide on it.
package struct HitCaseView: Encodable, Sendable {
  struct Note: Encodable, Sendable {
    let by: String
    let at: String
    let disposition: String
    let reason: String?
    let text: String
  }

  let case_id: String
  let version: Int
  let state: String
  let list: String
  let entity_id: String
  let caption: String
  let score: Double
  /// What waits for a second person; left out otherwise.
  let proposal: String?
  let proposed_by: String?
  /// Why the entry resembles the customer; left out of a provider's alert without one.
  let explanation: String?
  /// The first version of the list without the entry; left out while the list has it.
  let delisted_since: String?
  /// When the whole list was removed; left out otherwise.
  let list_removed_at: String?
  let notes: [Note]

  init(_ item: Screening.Case, _ delisting: Delistings.Delisting?) {
    (case_id, version, state) = (item.id.rawValue, item.version, item.state.rawValue)
    (list, entity_id, caption) = (item.hit.list, item.hit.entityID, item.hit.caption)
    (score, proposal, proposed_by) = (item.hit.score, item.proposal?.rawValue, item.proposedBy)
    (explanation, delisted_since) = (item.hit.explanation?.text, delisting?.version?.version)
    list_removed_at = delisting?.removedAt?.rfc3339
    notes = item.notes.map { note in
      Note(
        by: note.by, at: note.at.rfc3339, disposition: note.disposition.rawValue, reason: note.reason?.rawValue,
        text: note.text)
    }
  }
}
