// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Identity
import Kit
import RubixWire
import Screening
import Storage

extension Screening.Record {
  /// Whether it has hits that wait, which no step of the customer found.
  fileprivate var waitsUnseen: Bool { origin != .step && status == .potentialMatch }
}

/// What compliance officers make of hits: `POST /customers/{id}/aml/decision` (rubix-onboarding §7.4).
package struct ScreeningDecisions: Sendable {
  static let hitsMax = 200
  static let notesMax = 2000

  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications
  let screened: ScreenedApplications

  /// Writes verdicts down. One true match rejects; all false positives let the customer go on; else hits stay open.
  /// - Throws: `Problem` forbidden without `decide:aml` or in one's own case; not-found; validation-failed;
  ///   step-already-completed when it was decided before; case-changed when the officer looked at another result.
  package func decide(
    _ id: Application.ID, _ body: RequestContent, by officer: Agent
  ) async throws -> ScreeningResult {
    try officer.require(.decideAML)
    let request = try body.decode(as: ScreeningDecisionRequest.self)
    let verdicts = try Self.checked(request)
    return try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(officer, in: tx)
      var dossier = try applications.load(id, tenant: officer.tenant, in: tx)
      try officer.requireOther(than: dossier.application)
      let screening = Screening(core)
      guard let latest = try screening.latest(for: id.rawValue, in: tx) else { throw Problem.stepOutOfOrder }
      // What a change of a list found waits in any phase, for the application does not show it.
      guard
        try dossier.application.phase == .reviewingScreening || latest.waitsUnseen
          || screening.status(of: id.rawValue, in: tx) == .waiting
      else { throw Problem.stepAlreadyCompleted }
      // A verdict is on what the officer looked at: entries and results may have changed since.
      guard request.screeningID == nil || request.screeningID == latest.id.rawValue else { throw Problem.caseChanged }
      let record = try screening.dispose(
        verdicts, of: latest.id, by: officer.actor, needsTwo: officer.tenant.screeningNeedsTwo, text: request.notes,
        in: tx)
      try ScreeningNoteStore(tx, vault: core.vault).insert(
        request.notes, id: core.world.uuid(), screening: record.id.rawValue, of: id,
        by: officer.member.id.rawValue, at: core.world.now())
      try follow(record, verdicts: verdicts, of: &dossier, by: officer, in: tx)
      return record.officerView
    }
  }

  private func follow(
    _ record: Screening.Record, verdicts: [Screening.Verdict], of dossier: inout Dossier, by officer: Agent,
    in tx: any SQLTransaction
  ) throws {
    let falsePositives = verdicts.filter { $0.disposition == .falsePositive }.count
    let facts = [
      "screening": record.id.rawValue, "false_positive": "\(falsePositives)",
      "true_match": "\(verdicts.count - falsePositives)",
    ]
    let status = try Self.status(record, Screening(core).status(of: dossier.application.id.rawValue, in: tx))
    try screened.follow(status, of: &dossier, by: officer.actor, facts: facts, in: tx)
  }

  /// What the last result and all hits of a customer amount to. The last result does not have what a list gave another
  /// reference since or took off; hits that are older than cases have none.
  private static func status(
    _ record: Screening.Record, _ all: Screening.CustomerStatus
  ) -> Screening.CustomerStatus {
    switch record.status {
    case .trueMatch: .matched
    case .clean: all
    case .potentialMatch, .pending, .error: all == .matched ? .matched : .waiting
    }
  }

  private static func checked(_ request: ScreeningDecisionRequest) throws -> [Screening.Verdict] {
    var fields: [Problem.Field] = []
    if request.hits.isEmpty || request.hits.count > hitsMax {
      fields.append(.init("/hits", "count", "1 to \(hitsMax) hits."))
    }
    let notes = request.notes.trimmingCharacters(in: .whitespacesAndNewlines)
    if notes.isEmpty || request.notes.unicodeScalars.count > notesMax {
      fields.append(.init("/notes", "required", "Your reasons, in 1 to \(notesMax) characters."))
    }
    if !DisplayedText.isPlain(notes, lines: true) {
      fields.append(.init("/notes", "format", "Characters that can be seen, in lines."))
    }
    if let id = request.screeningID, UUID(uuidString: id) == nil {
      fields.append(.init("/screening_id", "format", "The id of a screening."))
    }
    var seen: Set<[String]> = []
    let verdicts = request.hits.prefix(hitsMax).enumerated().compactMap { number, hit -> Screening.Verdict? in
      if !seen.insert([hit.list, hit.entityID]).inserted {
        fields.append(.init("/hits/\(number)", "duplicate", "This hit is named twice."))
      }
      guard let disposition = Screening.Disposition(rawValue: hit.disposition.rawValue), disposition != .open else {
        fields.append(.init("/hits/\(number)/disposition", "not-a-verdict", "false_positive or true_match."))
        return nil
      }
      return Screening.Verdict(list: hit.list, entityID: hit.entityID, disposition: disposition)
    }
    guard fields.isEmpty else { throw Problem.validation(fields) }
    return verdicts
  }
}
