// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Disguises entries of the operator's own lists and looks whether they are found: what the matcher is worth on these
/// lists with these settings, every night.
package struct ScreeningSelfTest: Sendable {
  /// What of one kind was found.
  package struct Finding: Sendable, Hashable, Codable {
    package let kind: NamePerturbation
    package let tried: Int
    package let found: Int

    /// 0…1; nil when no entry can be disguised like this.
    package var recall: Double? { tried == 0 ? nil : Double(found) / Double(tried) }
  }

  /// One run.
  package struct Report: Sendable, Hashable, Codable {
    package let lists: [WatchList.Version]
    package let matcher: String
    package let policy: String
    package let threshold: Double
    /// The same seed with the same lists and rules gives the same report.
    package let seed: UInt64
    package let findings: [Finding]

    /// The kinds of which less was found.
    package func below(_ least: Double) -> [Finding] { findings.filter { ($0.recall ?? 1) < least } }
  }

  /// Entries that are disguised in each way by default.
  package static let sample = 200
  /// Draws for one entry that can be disguised: lists of organisations have no dates of birth.
  private static let drawsMax = 20

  let core: CoreDependencies
  let source: ScreeningSource
  /// Alarms when less is found.
  let recallMin: Double
  /// Told of kinds of which too little is found.
  let alarm: @Sendable (Finding) -> Void

  package init(
    _ core: CoreDependencies, source: ScreeningSource, recallMin: Double,
    alarm: @escaping @Sendable (Finding) -> Void
  ) {
    (self.core, self.source, self.recallMin, self.alarm) = (core, source, recallMin, alarm)
  }

  static let migration = SelfTestStore.migration

  /// Tests the lists as they are now, and keeps nothing.
  package func report(seed: UInt64, sample: Int = sample) async throws -> Report {
    let index = try await source.arranged()
    return try Self.report(of: index, policy: source.policy, seed: seed, sample: sample)
  }

  /// Tests lists that are arranged already.
  package static func report(
    of index: ScreeningIndex, policy: MatchingPolicy, seed: UInt64, sample: Int
  ) throws -> Report {
    let matcher = try Screening.Matcher(policy)
    let findings = NamePerturbation.allCases.enumerated().map { number, kind in
      // Randomness of its own: another kind before it changes nothing for this one.
      var random = SelfTestRandomness(seed: seed &+ UInt64(number))
      var (tried, found) = (0, 0)
      for _ in 0..<(sample * Self.drawsMax) where tried < sample && index.entryCount > 0 {
        let (entry, list) = index.listed(random.below(index.entryCount))
        guard let subject = kind.subject(of: entry, &random) else { continue }
        tried += 1
        if Self.finds(entry, of: list, subject, index, policy) { found += 1 }
      }
      return Finding(kind: kind, tried: tried, found: found)
    }
    return Report(
      lists: index.versions, matcher: matcher.version, policy: matcher.policyDigest, threshold: policy.threshold,
      seed: seed, findings: findings)
  }

  private static func finds(
    _ entry: WatchList.Entry, of list: String, _ subject: Screening.Subject, _ index: ScreeningIndex,
    _ policy: MatchingPolicy
  ) -> Bool {
    guard case .screened(let report) = index.screen(subject, policy: policy) else { return false }
    return report.hits.contains { $0.list == list && $0.entityID == entry.reference }
  }

  /// Tests once a day, whichever node is first, and keeps what came of it. Run regularly.
  package func runDaily() async throws {
    let day = String(core.world.now().rfc3339.prefix(10))
    guard try await core.database.read({ try SelfTestStore($0).find(day: day) }) == nil else { return }
    let seed = core.world.random(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let report: Report
    do { report = try await self.report(seed: seed) } catch is ScreeningFolder.Fault { return }
    let isFirst = try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
      guard try SelfTestStore(tx).insert(report, day: day, at: core.world.now()) else { return false }
      try core.audit.append(
        "screening.self_tested", to: ScreeningCaseService.chain, by: "system",
        facts: Dictionary(
          uniqueKeysWithValues: report.findings.map { ($0.kind.rawValue, "\($0.found) of \($0.tried)") }), in: tx)
      return true
    }
    guard isFirst else { return }
    for finding in report.below(recallMin) { alarm(finding) }
  }

  /// The last daily run; nil before the first.
  package func latest() async throws -> Report? {
    try await core.database.read { try SelfTestStore($0).latest() }
  }
}
