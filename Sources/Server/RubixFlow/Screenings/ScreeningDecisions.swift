import Foundation
import HTTP
import Identity
import Kit
import RubixWire
import Screening
import Storage

/// What compliance officers make of hits: `POST /customers/{id}/aml/decision` (rubix-onboarding §7.4).
package struct ScreeningDecisions: Sendable {
  static let hitsMax = 200
  static let notesMax = 2000

  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications

  /// Writes verdicts down. One true match rejects; all false positives let the customer go on; else hits stay open.
  /// - Throws: `Problem` forbidden without `decide:aml` or in one's own case; not-found; validation-failed;
  ///   step-already-completed when it was decided before.
  package func decide(
    _ id: Application.ID, _ body: RequestContent, by officer: Agent
  ) async throws -> ScreeningResult {
    try officer.require(.decideAML)
    let request = try body.decode(as: ScreeningDecisionRequest.self)
    let verdicts = try Self.checked(request)
    return try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(officer.identity, in: tx)
      var dossier = try applications.load(id, tenant: officer.tenant, in: tx)
      try officer.requireOther(than: dossier.application)
      let screening = Screening(vault: core.vault, world: core.world)
      guard dossier.application.phase == .reviewingScreening,
        let latest = try screening.latest(for: id.rawValue, in: tx)
      else {
        throw try screening.latest(for: id.rawValue, in: tx) == nil
          ? Problem.stepOutOfOrder : Problem.stepAlreadyCompleted
      }
      let record = try screening.dispose(verdicts, of: latest.id, by: officer.member.id.rawValue, in: tx)
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
    var facts = [
      "screening": record.id.rawValue, "false_positive": "\(falsePositives)",
      "true_match": "\(verdicts.count - falsePositives)",
    ]
    switch record.status {
    case .clean:
      dossier.application.drop(.amlScreeningFailed)
      dossier.application.record(.amlScreeningSuccessful)
      dossier.application.reviewReason = nil
      facts["step"] = OnboardingStep.amlScreeningSuccessful.rawValue
      try applications.move(&dossier, on: .screeningCleared, by: officer.actor, facts: facts, in: tx)
    case .trueMatch:
      // The agent must not call a customer who was just declined.
      if let call = dossier.appointment, call.status == .scheduled {
        _ = try applications.appointments(of: dossier.tenant).cancelCurrent(
          for: dossier.application.id.rawValue, in: tx)
        dossier.appointment = nil
      }
      try applications.move(&dossier, on: .screeningConfirmed, by: officer.actor, facts: facts, in: tx)
    case .potentialMatch, .pending, .error:
      try core.audit.append(
        "screening.disposed", to: dossier.application.id.rawValue, by: officer.actor, facts: facts, in: tx)
      return
    }
    try applications.save(&dossier, in: tx)
  }

  private static func checked(_ request: ScreeningDecisionRequest) throws -> [Screening.Verdict] {
    var fields: [Problem.Field] = []
    if request.hits.isEmpty || request.hits.count > hitsMax {
      fields.append(.init("/hits", "count", "1 to \(hitsMax) hits."))
    }
    let notes = request.notes.trimmingCharacters(in: .whitespacesAndNewlines)
    if notes.isEmpty || request.notes.count > notesMax {
      fields.append(.init("/notes", "required", "Your reasons, in 1 to \(notesMax) characters."))
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
