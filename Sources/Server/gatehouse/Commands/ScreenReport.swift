// SPDX-License-Identifier: Apache-2.0

import Foundation
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

    enum CodingKeys: String, CodingKey {
      case id = "case"
      case state, customer, tenant, list, ref, name, screening, version, score, proposal, explanation, matcher, subject
      case lists, threshold
      case waitsSince = "waits_since"
      case proposedBy = "proposed_by"
      case decidedBy = "decided_by"
      case needsTwo = "four_eyes"
    }

    init(_ shown: ScreeningCaseService.Item) {
      let (item, hit) = (shown.item, shown.item.hit)
      (id, state, customer) = (item.id.rawValue, item.state.rawValue, item.subjectID)
      (tenant, screening) = (shown.tenant?.spelling ?? "-", item.screeningID.rawValue)
      (list, ref, name, score) = (hit.list, hit.entityID, hit.caption, hit.score)
      (version, needsTwo) = (item.version, shown.needsTwo)
      (waitsSince, explanation) = (item.waitsSince?.rfc3339, hit.explanation?.text)
      (proposal, proposedBy, decidedBy) = (item.proposal?.rawValue, item.proposedBy, item.decidedBy)
      (subject, lists, threshold) = (shown.record?.subject, shown.record?.lists, shown.record?.threshold)
      matcher = shown.record?.matcher?.version
    }
  }

  let hits: [Hit]

}

extension ScreeningCaseService.Item {
  /// For people. Names are from outside.
  var lines: [String] {
    let hit = item.hit
    let score = String(format: "%.2f", hit.score)
    var lines = [
      TerminalLine.of(
        "\(item.id)  \(item.state.rawValue)  version \(item.version)  \(item.waitsSince?.rfc3339 ?? "-")  "
          + "customer \(item.subjectID)  \(tenant?.spelling ?? "-")"),
      TerminalLine.of("  customer \(record?.subject.names.first ?? "?")"),
      TerminalLine.of("  listed   \(hit.list)  \(hit.entityID)  \(hit.caption)  \(score)"),
    ]
    if let explanation = hit.explanation { lines.append(TerminalLine.of("  \(explanation.text)")) }
    if let proposal = item.proposal {
      lines.append("  \(proposal.rawValue) was proposed by \(item.proposedBy ?? "-"): another person approves it")
    }
    for note in item.notes {
      lines.append(TerminalLine.of("  \(note.at.rfc3339)  \(note.by)  \(note.disposition.rawValue)  \(note.text)"))
    }
    return lines
  }

  func show(json: Bool) throws {
    if json { return print(try CommandJSON.document(ScreenReport(hits: [ScreenReport.Hit(self)]))) }
    for line in lines { print(line) }
  }
}
