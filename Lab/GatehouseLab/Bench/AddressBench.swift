// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Storage

/// How long suggestions take over an index in a file, beside SQLite's full-text index over the same addresses.
struct AddressBench: Sendable {
  let count: Int
  let queries: Int
  let seed: UInt64
  let say: @Sendable (String) -> Void

  private static let batch = 20_000

  func run(in folder: String) async throws -> AddressReport {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    var report = AddressReport(count: count, queries: queries)
    var (generator, builder) = (AddressGenerator(seed: seed), AddressIndexBuilder())
    let path = "\(folder)/addresses.index"
    let baseline = try SQLite(path: "\(folder)/baseline.sqlite", durability: .shared)
    defer { try? baseline.close() }
    try await baseline.migrate([AddressBaselineStore.migration])

    say("inventing \(count) addresses")
    var (sought, baselineTime, ownTime): ([String], Duration, Duration) = ([], .zero, .zero)
    for start in stride(from: 0, to: count, by: Self.batch) {
      let addresses = (start..<min(start + Self.batch, count)).map { _ in generator.address() }
      // Every batch gives its share of what is looked for.
      let share = (queries * (start + addresses.count)) / count - sought.count
      for _ in 0..<share { sought.append(generator.pattern(for: addresses[generator.below(addresses.count)])) }
      ownTime += Self.timed { for address in addresses { builder.add(address) } }
      let begun = World.live.ticks()
      try await baseline.write { try AddressBaselineStore(tx: $0).insert(addresses) }
      baselineTime += World.live.ticks() - begun
    }
    let begun = World.live.ticks()
    try DurableFile.write(builder.finished(), to: path)
    (report.buildSeconds, report.baselineBuildSeconds) = (
      (ownTime + World.live.ticks() - begun).inSeconds, baselineTime.inSeconds
    )

    let bytes = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
    report.bytes = bytes.count
    let index = try AddressIndex(bytes)
    say("looking for \(queries) patterns")
    var found: [Int] = []
    for pattern in sought {
      var results = 0
      report.own.add(Self.timed { results = index.search(pattern).count })
      found.append(results)
    }
    let patterns = sought
    let (latencies, baselineFound) = try await baseline.read { tx in
      let store = AddressBaselineStore(tx: tx)
      var (latencies, found) = (Latencies(), [Int]())
      for pattern in patterns {
        let begun = World.live.ticks()
        let results = try store.search(pattern).count
        latencies.add(World.live.ticks() - begun)
        found.append(results)
      }
      return (latencies, found)
    }
    report.baseline = latencies
    report.agreeing = zip(found, baselineFound).count { $0 == $1 }
    return report
  }

  private static func timed(_ work: () -> Void) -> Duration {
    let begun = World.live.ticks()
    work()
    return World.live.ticks() - begun
  }
}

/// Everything that `gatehouse-lab bench addresses` measured.
struct AddressReport: Sendable {
  let count: Int
  let queries: Int
  var bytes = 0
  var buildSeconds = 0.0
  var baselineBuildSeconds = 0.0
  var own = Latencies()
  var baseline = Latencies()
  /// Patterns for which both found as many addresses.
  var agreeing = 0

  static let goal = 10.0

  init(count: Int, queries: Int) { (self.count, self.queries) = (count, queries) }

  func table(isRelease: Bool) -> String {
    func row(_ name: String, _ latencies: Latencies, _ build: Double) -> String {
      name.padding(toLength: 14, withPad: " ", startingAt: 0)
        + String(
          format: "p50 %8.3f ms   p99 %8.3f ms   max %8.3f ms   made in %6.1f s", latencies.percentile(50),
          latencies.percentile(99), latencies.percentile(100), build)
    }
    var lines = [
      "\(count) invented addresses, \(queries) patterns as they are typed, one after the other, ten results at most",
      row("index file", own, buildSeconds), row("SQLite FTS5", baseline, baselineBuildSeconds),
      "index \(bytes / 1_048_576) MiB; as many results for \(agreeing) of \(queries) patterns; goal: p99 below \(Int(Self.goal)) ms",
    ]
    if !isRelease { lines.append("This is a debug build: only -c release says anything.") }
    return lines.joined(separator: "\n")
  }
}

extension AddressReport: Encodable {
  func encode(to encoder: any Encoder) throws {
    try [
      "addresses": Double(count), "queries": Double(queries), "index_bytes": Double(bytes),
      "index_seconds": buildSeconds, "fts5_seconds": baselineBuildSeconds, "index_p50_ms": own.percentile(50),
      "index_p99_ms": own.percentile(99), "fts5_p50_ms": baseline.percentile(50),
      "fts5_p99_ms": baseline.percentile(99), "agreeing": Double(agreeing),
    ].encode(to: encoder)
  }
}
