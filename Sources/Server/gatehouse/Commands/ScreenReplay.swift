// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Screening

/// `gatehouse screen replay ID`: a kept screening, searched for again.
struct ScreenReplay: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "replay", abstract: "Search for a kept screening again; 1 when the answer is another one.",
    discussion: """
      Takes the versions of the lists that the screening names, as they are kept in the store, and the thresholds and \
      weights that it was made by, and compares the hits with those that are kept. What officers made of the hits does \
      not count. The screening stays as it is.
      """)

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var by: ReaderOptions
  @Argument(help: "The screening's id or reference number.")
  var id: String
  @OptionGroup var output: OutputOptions

  func run() async throws {
    let app = try await installation.app()
    let actor = try await by.actor(in: app, may: .decideAML)
    let screening = Screening(app.core)
    let kept = try await app.database.read { [id] tx in
      try screening.find(.init(rawValue: id), in: tx) ?? screening.find(referenceNo: id, in: tx)
    }
    guard let record = kept else { throw Problem(.notFound, "not-found", "There is no screening of this id.") }
    let replay: ScreeningReplay
    do {
      replay = try await ScreeningReplay(
        of: record, lists: app.screeningLists, countries: .iso, policy: app.screeningSource.policy)
    } catch let fault as ScreeningReplay.Fault {
      throw Problem(.conflict, "no-replay", "It cannot be searched for again: \(TerminalLine.of(fault.description)).")
    }
    let isEqual = replay.isEqual
    // A line of its own: a replay is no step of the customer's story.
    try await app.database.write(retrying: .outdatedOrDuplicate) { tx in
      try app.core.audit.append(
        "screening.replayed", to: record.subjectID, by: actor,
        facts: ["screening": record.id.rawValue, "equal": "\(isEqual)"], in: tx)
    }
    try output.show(ReplayReport(replay), replay.lines)
    guard isEqual else { throw ExitCode.refused }
  }
}

extension ScreeningReplay {
  fileprivate var lines: [String] {
    let searched = record.lists.map { TerminalLine.of("\($0.code) \($0.version)") }
    var lines = ["lists      \(searched.joined(separator: ", "))"]
    lines.append("matcher    \(matcher.version), policy \(matcher.policyDigest.prefix(16))")
    if let kept = record.matcher, !isMatcherSame {
      lines.append("           the screening was made by matcher \(TerminalLine.of(kept.version))")
    }
    if !isMatcherKept { lines.append("           the screening does not tell its policy: that of today was taken") }
    if let threshold = record.threshold { lines.append("threshold  \(threshold)") }
    for (title, hits) in [("kept", record.hits), ("again", hits)] {
      lines.append("\(title): \(hits.count.counted("hit", "hits"))")
      lines += hits.map { hit in
        TerminalLine.of("  \(hit.list)  \(hit.entityID)  \(String(format: "%.2f", hit.score))  \(hit.caption)")
      }
    }
    let extent = differsInWords ? " in the words for the reasons alone" : ""
    lines.append(isEqual ? "The answers are equal." : "✗ The answers differ\(extent).")
    return lines
  }
}

private struct ReplayReport: Encodable {
  struct Hit: Encodable {
    let list, ref, name: String
    let score: Double

    init(_ hit: Screening.Hit) { (list, ref, name, score) = (hit.list, hit.entityID, hit.caption, hit.score) }
  }

  let screening: String
  let lists: [WatchList.Version]
  let threshold: Double?
  let matcher, policy: String
  let keptMatcher: String?
  let equal: Bool
  let kept, again: [Hit]

  enum CodingKeys: String, CodingKey {
    case screening, lists, threshold, matcher, policy, equal, kept, again
    case keptMatcher = "kept_matcher"
  }

  init(_ replay: ScreeningReplay) {
    (screening, lists) = (replay.record.id.rawValue, replay.record.lists)
    threshold = replay.record.threshold
    (matcher, policy) = (replay.matcher.version, replay.matcher.policyDigest)
    keptMatcher = replay.record.matcher?.version
    equal = replay.isEqual
    (kept, again) = (replay.record.hits.map(Hit.init), replay.hits.map(Hit.init))
  }
}
