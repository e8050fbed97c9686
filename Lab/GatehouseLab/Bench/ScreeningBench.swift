// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import Screening
import Synchronization

/// What the matcher finds, what its index misses, how fast both are, and how long a list takes to be swapped.
struct ScreeningBench: Sendable {
  let data: ScreeningData
  let sizes: [Int]
  /// Rows of each table that are timed.
  let sample: Int
  let exhaustive: Int
  /// Entries of the list that is swapped.
  let swapped: Int
  let seed: UInt64
  let say: @Sendable (String) -> Void

  private let policy = MatchingPolicy.standard

  func run(beside peers: [ScreeningPeer], show: (String) -> Void) async throws {
    show(pairs(beside: peers))
    let index = ScreeningIndex(data.lists, countries: .iso)
    show(searches(index, beside: peers))
    show(try disguised(index))
    if exhaustive > 0 { show(missed(index)) }
    for size in sizes.sorted() { show(speed(size, beside: peers)) }
    if swapped > 0 { show(try await swap()) }
  }

  // MARK: What is found

  private func pairs(beside peers: [ScreeningPeer]) -> String {
    var lines = ["name pairs at the default threshold", ScreeningFigures.header]
    let scored = data.pairs.map { pair in
      (pair, NamePair(pair.names.0, pair.names.1, kind: pair.kind, policy: policy).score)
    }
    func row(_ name: String, _ rows: [(ScreeningData.Pair, Double)]) -> String {
      ScreeningFigures(
        rows.map { ($0.1, $0.0.isMatch) }, threshold: policy.threshold,
        strongWrong: rows.count { $0.0.isStrong && ($0.1 >= policy.threshold) != $0.0.isMatch }
      ).row(name)
    }
    lines.append(row("gatehouse, all", scored))
    lines.append(row("gatehouse, people", scored.filter { $0.0.kind == .person }))
    lines += peers.map(\.row)
    return lines.joined(separator: "\n")
  }

  private func searches(_ index: ScreeningIndex, beside peers: [ScreeningPeer]) -> String {
    say("searching \(data.positives.count) listed and \(data.negatives.count) invented people")
    var lines = ["", "whole searches over \(index.versions.map(\.code).joined(separator: " and "))"]
    for (name, isAlone) in [("name, birth date, nationality", false), ("name alone", true)] {
      func queries(_ queries: [ScreeningData.Query]) -> [ScreeningData.Query] {
        isAlone ? queries.map(\.nameAlone) : queries
      }
      var scored: [(score: Double, isTrue: Bool)] = []
      var found = 0
      for query in queries(data.positives) {
        let answers = index.answers(to: query.subject, policy: policy) ?? []
        let best = answers.first { query.expected.contains($0.ref) }
        if best?.match ?? false { found += 1 }
        scored.append((best?.score ?? 0, true))
      }
      for query in queries(data.negatives) {
        scored.append((index.answers(to: query.subject, policy: policy, limit: 1)?.first?.score ?? 0, false))
      }
      let figures = ScreeningFigures(scored, threshold: policy.threshold, strongWrong: 0)
      lines.append(
        "\(name): \(found) of \(data.positives.count) found, "
          + "\(figures.falseHits) false alarms in \(data.negatives.count), "
          + String(format: "AUC %.4f", figures.auc))
    }
    lines += peers.map {
      "\($0.matcher), all that is known, at \($0.threshold): \($0.found) of \($0.positives) found, "
        + "\($0.alarms) false alarms in \($0.negatives)"
    }
    return lines.joined(separator: "\n")
  }

  /// The nightly self-test, with its number of entries.
  private func disguised(_ index: ScreeningIndex) throws -> String {
    let report = try ScreeningSelfTest.report(
      of: index, policy: policy, seed: seed, sample: ScreeningSelfTest.sample)
    let lines = report.findings.map { finding in
      let share = finding.recall.map { Self.text($0, 3) } ?? "-"
      return "  \(finding.kind.rawValue): \(share), \(finding.found) of \(finding.tried)"
    }
    return (["", "entries of the lists, disguised, that are found"] + lines).joined(separator: "\n")
  }

  // MARK: What the index misses

  private func missed(_ index: ScreeningIndex) -> String {
    say("searching exhaustively")
    var (accepted, found, searches) = (0, 0, 0)
    for (_, queries) in data.tables {
      for query in queries.prefix(exhaustive).flatMap({ [$0, $0.nameAlone] }) {
        let all = index.exhaustiveHitEntries(of: query.subject, policy: policy)
        accepted += all.count
        found += all.intersection(index.hitEntries(of: query.subject, policy: policy)).count
        searches += 1
      }
    }
    let share = accepted == 0 ? 100 : Double(found) / Double(accepted) * 100
    return "\nof \(accepted) hits that measuring every name gives in \(searches) searches the index finds \(found) "
      + String(format: "(%.2f %%, goal 99.90)", share)
  }

  // MARK: How fast

  private func speed(_ size: Int, beside peers: [ScreeningPeer]) -> String {
    say("growing lists to \(size) entries")
    let listed = data.lists.reduce(0) { $0 + $1.entries.count }
    var lists = data.lists
    if size > listed {
      var growth = ScreeningGrowth(data.lists, seed: seed)
      lists.append(growth.list(of: size - listed, code: "GROWN"))
    }
    let begun = ProcessorTime.ofThread
    let hours = Mutex(0)
    let world = World(
      now: World.live.now, random: World.live.random, ticks: { .seconds(3600 * hours.withLock { $0 }) })
    let index = ScreeningIndex(lists, countries: .iso, world: world)
    let built = ProcessorTime.ofThread - begun
    lists = []
    let memory = MemoryInUse.resident / 1_048_576
    var lines = [
      "",
      "\(max(size, listed)) entries: arranged in \(Self.text(built, 1)) s, \(memory) MiB resident",
    ]
    let answered = timed { _ = index.answers(to: $0, policy: policy) }
    lines += answered.lines
    // The same number of rows of each table, as the peer was asked.
    lines.append("  together: \(answered.together)")
    // What is remembered of these words is forgotten after an hour, so that they are new again.
    hours.withLock { $0 += 2 }
    let screened = timed { _ = index.screen($0, policy: policy) }
    lines.append("  hits alone, as customers are screened: \(screened.together)")
    if size == sizes.min() {
      lines += peers.map {
        "  \($0.matcher): \(Self.text($0.rate, 1)) a second, \(listed) entries: \(Self.text(answered.rate / $0.rate, 0)) "
          + "times as many here"
      }
    }
    return lines.joined(separator: "\n")
  }

  private struct Timed {
    var lines: [String] = []
    /// Searches a second and core.
    var rate = 0.0
    var all = Latencies()

    var together: String {
      "\(ScreeningBench.text(rate, 0)) searches a second and core, p99 \(ScreeningBench.text(all.percentile(99), 2)) ms"
    }
  }

  /// Searches for the first rows of each table.
  private func timed(_ search: (Screening.Subject) -> Void) -> Timed {
    var timed = Timed()
    var seconds: [Double] = []
    for (name, queries) in data.tables {
      let some = queries.prefix(sample)
      guard !some.isEmpty else { continue }
      var latencies = Latencies()
      let begun = ProcessorTime.ofThread
      for query in some {
        let asked = World.live.ticks()
        search(query.subject)
        let took = World.live.ticks() - asked
        latencies.add(took)
        timed.all.add(took)
      }
      seconds.append(max(ProcessorTime.ofThread - begun, .leastNonzeroMagnitude) / Double(some.count))
      timed.lines.append(
        "  \(name): \(Self.text(1 / seconds[seconds.count - 1], 0)) searches a second, p50 "
          + "\(Self.text(latencies.percentile(50), 2)) ms, p99 \(Self.text(latencies.percentile(99), 2)) ms")
    }
    timed.rate = seconds.isEmpty ? 0 : Double(seconds.count) / seconds.reduce(0, +)
    return timed
  }

  // MARK: A list that is swapped

  /// A folder as a server has it: while the file is replaced and arranged, another task asks without a pause.
  private func swap() async throws -> String {
    say("swapping a list of \(swapped) entries")
    let folder = BenchOutput.folder()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    var growth = ScreeningGrowth(data.lists, seed: seed)
    let tables = (0..<2).map { _ in Self.table(growth.list(of: swapped, code: "S")) }
    let path = URL(fileURLWithPath: "\(folder)/s.csv")
    let version = URL(fileURLWithPath: "\(folder)/s.version")
    try tables[0].write(to: path, options: .atomic)
    try Data("1".utf8).write(to: version, options: .atomic)
    let lists = ScreeningFolder(path: folder, countries: .iso, world: .live)
    _ = try await lists.index()
    let queries = data.positives + data.negatives.prefix(500)
    let asking = Task { () -> (asked: Int, failed: Int, longest: Duration) in
      var (asked, failed, longest) = (0, 0, Duration.zero)
      while !Task.isCancelled {
        let begun = World.live.ticks()
        do {
          let index = try await lists.index()
          _ = index.answers(to: queries[asked % queries.count].subject)
        } catch { failed += 1 }
        asked += 1
        longest = max(longest, World.live.ticks() - begun)
      }
      return (asked, failed, longest)
    }
    let begun = World.live.ticks()
    try tables[1].write(to: path, options: .atomic)
    try Data("2".utf8).write(to: version, options: .atomic)
    // Searches look into the list as it was until the new one is arranged.
    // A file's version ends with digits of its content. Without a pause the question would take a thread of its own.
    while try await lists.index().versions.first?.version.hasPrefix("2+") != true {
      try await Task.sleep(for: .milliseconds(5))
    }
    let seconds = (World.live.ticks() - begun).inSeconds
    asking.cancel()
    let (asked, failed, longest) = await asking.value
    return
      "\na list of \(swapped) entries read, arranged and swapped in \(Self.text(seconds, 1)) s of wall time (goal 5); "
      + "meanwhile \(asked) searches, \(failed) of them failed, the longest took "
      + "\(Self.text(longest.inSeconds * 1000, 0)) ms"
  }

  private static func table(_ list: WatchList) -> Data {
    var text = "ref,name,kind,aliases,dob\n"
    for entry in list.entries {
      let fields = [
        entry.reference, entry.names[0], entry.kind.rawValue, entry.names.dropFirst().joined(separator: "; "),
        entry.datesOfBirth.map(\.words).joined(separator: "; "),
      ]
      text += fields.map { "\"\($0.replacing("\"", with: "\"\""))\"" }.joined(separator: ",") + "\n"
    }
    return Data(text.utf8)
  }

  fileprivate static func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
