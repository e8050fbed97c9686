// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Storage

extension BenchCommand {
  struct Cases: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "cases",
      abstract: "How long pages of the work queue take with many cases, on both engines. Build with -c release.")

    @Option(help: "Cases that wait.")
    var cases = 100_000

    @Option(help: "How often each is asked.")
    var rounds = 200

    @Option(help: "sqlite or postgresql; default: both.")
    var only: String?

    func run() async throws {
      guard (100...1_000_000).contains(cases), (1...10_000).contains(rounds) else {
        throw ValidationError("--cases is 100 to 1000000, --rounds 1 to 10000")
      }
      let folder = FileManager.default.temporaryDirectory.appending(path: "gatehouse-cases-\(World.live.uuid())").path
      defer { try? FileManager.default.removeItem(atPath: folder) }
      print("\(cases) cases, \(rounds) rounds; milliseconds, with the audit line of each look")
      if only != "postgresql" {
        try await show("sqlite", CaseBench(engine: "sqlite", cases: cases, rounds: rounds), nil, folder)
      }
      guard only != "sqlite" else { return }
      guard let cluster = try ThrowawayCluster.start() else { return print("postgresql: Debian's package is missing") }
      defer { cluster.stop() }
      let database = try await BenchSchema.make(cluster.url, stored: cases)
      try await show("postgresql", CaseBench(engine: "postgresql", cases: cases, rounds: rounds), database, folder)
    }

    private func show(
      _ engine: String, _ bench: CaseBench, _ database: (any SQLDatabase)?, _ folder: String
    ) async throws {
      for line in try await bench.run(in: folder, database) {
        let (p50, p99) = (line.latencies.percentile(50), line.latencies.percentile(99))
        print("\(engine)  \(line.what): p50 \(String(format: "%.2f", p50)), p99 \(String(format: "%.2f", p99))")
      }
    }
  }
}
