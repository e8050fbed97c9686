// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import Screening

/// Cases as `--json` prints them.
struct ScreenReport: Encodable {
  struct Hit: Encodable {
    let id, state, customer, tenant, list, ref, name, screening: String
    let version: Int
    let score: Double
    let waitsSince, proposal, proposedBy, decidedBy, explanation, matcher: String?
    let subject: Screening.Subject?
    let lists: [WatchList.Version]?
    let threshold: Double?
    let needsTwo: Bool
    /// Left out of an entry that the list still has, or had when it was removed.
    let delistedSince: WatchList.Version?
    /// When the whole list was removed; left out otherwise.
    let listRemovedAt: String?
    /// What persons said of it, oldest first.
    let notes: [Note]

    enum CodingKeys: String, CodingKey {
      case id = "case"
      case state, customer, tenant, list, ref, name, screening, version, score, proposal, explanation, matcher, subject
      case lists, threshold, notes
      case waitsSince = "waits_since"
      case proposedBy = "proposed_by"
      case decidedBy = "decided_by"
      case needsTwo = "four_eyes"
      case delistedSince = "delisted_since"
      case listRemovedAt = "list_removed_at"
    }

    init(_ shown: ScreeningCaseService.Item, _ delisting: Delistings.Delisting?) {
      let (item, hit) = (shown.item, shown.item.hit)
      (id, state, customer) = (item.id.rawValue, item.state.rawValue, item.subjectID)
      (tenant, screening) = (shown.tenant?.spelling ?? "-", item.screeningID.rawValue)
      (list, ref, name, score) = (hit.list, hit.entityID, hit.caption, hit.score)
      (version, needsTwo) = (item.version, shown.needsTwo)
      (waitsSince, explanation) = (item.waitsSince?.rfc3339, hit.explanation?.text)
      (proposal, proposedBy, decidedBy) = (item.proposal?.rawValue, item.proposedBy, item.decidedBy)
      (subject, lists, threshold) = (shown.record?.subject, shown.record?.lists, shown.record?.threshold)
      (matcher, delistedSince) = (shown.record?.matcher?.version, delisting?.version)
      listRemovedAt = delisting?.removedAt?.rfc3339
      notes = item.notes.map(Note.init)
    }
  }

  /// A verdict, a proposal, an approval or one that was given back.
  struct Note: Encodable {
    let at, by, verdict, text: String
    /// Of a false positive, from the catalogue; left out where none was asked for.
    let reason: String?

    init(_ note: Screening.CaseNote) {
      (at, by, verdict, text) = (note.at.rfc3339, note.by, note.disposition.rawValue, note.text)
      reason = note.reason?.rawValue
    }
  }

  let hits: [Hit]
}

extension ScreeningCaseService.Item {
  /// For people. Names are from outside.
  /// - Parameter colleagues: members of staff as people know them, by the names of the audit log.
  func lines(_ delisting: Delistings.Delisting?, colleagues: [String: String] = [:]) -> [String] {
    let hit = item.hit
    let score = String(format: "%.2f", hit.score)
    var lines = [
      TerminalLine.of(
        "\(item.id)  \(item.state.rawValue)  version \(item.version)  \(item.waitsSince?.rfc3339 ?? "-")  "
          + "customer \(item.subjectID)  \(tenant?.spelling ?? "-")"),
      TerminalLine.of("  customer \(record?.subject.names.first ?? "?")"),
      TerminalLine.of("  listed   \(hit.list)  \(hit.entityID)  \(hit.caption)  \(score)"),
    ]
    if let gone = delisting {
      lines.append(
        TerminalLine.of(
          gone.version.map {
            "  delisted: not in \($0.code) \($0.version), loaded \(gone.at.rfc3339), nor since"
          } ?? "  delisted: the list \(hit.list) was removed at \(gone.at.rfc3339)"))
    }
    if let explanation = hit.explanation { lines.append(TerminalLine.of("  \(explanation.text)")) }
    if let proposal = item.proposal {
      let proposer = item.proposedBy.map { colleagues[$0] ?? $0 } ?? "-"
      lines.append(
        TerminalLine.of("  \(proposal.rawValue) was proposed by \(proposer): another person approves it"))
    }
    for note in item.notes {
      let verdict = [note.disposition.rawValue, note.reason?.rawValue].compactMap(\.self).joined(separator: "  ")
      let speaker = colleagues[note.by] ?? note.by
      lines.append(TerminalLine.of("  \(note.at.rfc3339)  \(speaker)  \(verdict)  \(note.text)"))
    }
    return lines
  }

  func show(in app: App, json: Bool) async throws {
    let delisting = try await app.screeningCases.delistings(of: [self])[0]
    if json { return print(try CommandJSON.document(ScreenReport(hits: [ScreenReport.Hit(self, delisting)]))) }
    let colleagues = try await app.colleagues(on: [self])
    for line in lines(delisting, colleagues: colleagues) { print(line) }
  }
}

extension App {
  /// Members of staff who proposed verdicts on hits or said something of them, by the names of the audit log.
  func colleagues(on items: [ScreeningCaseService.Item]) async throws -> [String: String] {
    let actors = Set(items.flatMap { $0.item.notes.map(\.by) + [$0.item.proposedBy].compactMap(\.self) })
    return try await database.read { [staff] tx in
      try actors.reduce(into: [:]) { names, actor in names[actor] = try staff.colleague(actor, in: tx) }
    }
  }
}
