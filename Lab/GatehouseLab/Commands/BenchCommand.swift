// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit
import Storage

/// Measures this machine with this program.
struct BenchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench", abstract: "Measure the program on this machine.",
    subcommands: [
      Store.self, PowerAuth.self, SaltEdge.self, Addresses.self, Ledger.self, Chat.self, Evidence.self,
      Screening.self, Sealing.self, Cases.self,
    ])

  struct Store: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "store",
      abstract: "Steps per second at two sizes of the store, and the share of an empty handler that a read reaches.",
      discussion: """
        Each size is an installation of its own, filled through the stores; journeys without pictures are played against \
        both in turns over HTTP on the loopback, client and server in this process. Build with -c release.
        """)

    @Option(help: "Applications in store, the smaller and the larger installation.")
    var sizes = "1000,100000"

    @Option(help: "Journeys played at each size.")
    var journeys = 200

    @Option(help: "Rounds that are counted; one more warms up.")
    var rounds = 5

    @Option(help: "Connections at once.")
    var connections = 8

    @Option(
      help: "PostgreSQL to measure beside SQLite; default: a throw-away server, where Debian's package is installed.")
    var databaseURL: String?

    @Option(help: "sqlite or postgresql; default: both.")
    var only: String?

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    func run() async throws {
      let sizes = sizes.split(separator: ",").compactMap { Int($0) }.sorted()
      guard (1...2).contains(sizes.count), sizes.allSatisfy({ (100...1_000_000).contains($0) }) else {
        throw ValidationError("--sizes is one or two numbers from 100 to 1000000")
      }
      guard (1...100).contains(rounds), (1...32).contains(connections), (rounds...10_000).contains(journeys) else {
        throw ValidationError("--rounds is 1 to 100, --connections 1 to 32, --journeys from --rounds to 10000")
      }
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var report = BenchReport(journeys: journeys, rounds: rounds, connections: connections)
      if only != "postgresql" { report.engines.append(try await bench("sqlite", sizes).run(in: folder) { _ in nil }) }
      if only != "sqlite" { try await measurePostgres(sizes, in: folder, &report) }
      if json {
        print(try BenchOutput.json(report))
      } else {
        print(report.table)
      }
    }

    private func measurePostgres(_ sizes: [Int], in folder: String, _ report: inout BenchReport) async throws {
      let bench = bench("postgresql", sizes)
      if let databaseURL {
        report.engines.append(try await bench.run(in: folder) { try await BenchSchema.make(databaseURL, stored: $0) })
        return
      }
      guard let cluster = try ThrowawayCluster.start() else {
        report.left["postgresql"] = "neither --database-url nor Debian's package postgresql"
        return
      }
      defer { cluster.stop() }
      report.engines.append(try await bench.run(in: folder) { try await BenchSchema.make(cluster.url, stored: $0) })
    }

    private func bench(_ engine: String, _ sizes: [Int]) -> StoreBench {
      StoreBench(
        engine: engine, sizes: sizes, journeys: journeys, rounds: rounds, connections: connections,
        say: BenchOutput.say)
    }
  }
}

extension BenchReport {
  /// Lines for people.
  var table: String {
    var lines = ["\(journeys) journeys without pictures at each size, \(rounds) rounds, \(connections) connections"]
    lines.append(Self.row(["engine", "stored", "steps/s", "p50 ms", "p99 ms", "p99 ratio"]))
    for engine in engines {
      for size in engine.sizes {
        let isLast = size.stored == engine.sizes.last?.stored
        lines.append(
          Self.row([
            engine.engine, "\(size.stored)", Self.text(size.stepsPerSecond, 0), Self.text(size.p50, 1),
            Self.text(size.p99, 1), isLast && engine.sizes.count > 1 ? Self.text(engine.ratio, 2) : "",
          ]))
      }
    }
    lines.append("")
    lines.append(Self.row(["engine", "handler", "requests/s", "share", "of live", "server µs", "client µs"]))
    for engine in engines {
      let share = engine.share
      for handler in ShareBench.Handler.allCases {
        lines.append(
          Self.row([
            engine.engine, handler.rawValue, Self.text(share.median(handler), 0), Self.text(share.share(handler), 2),
            Self.text(share.share(handler, of: .live), 2), Self.text(share.serverMicroseconds(handler), 0),
            Self.text(share.clientMicroseconds(handler), 0),
          ]))
      }
      lines.append(
        Self.row([
          engine.engine, "me, first", Self.text(share.first, 0),
          Self.text(share.first / max(share.median(.empty), .leastNonzeroMagnitude), 2),
        ]))
    }
    lines.append("")
    lines += [
      "A step is one HTTP call, timed by its caller. A share is of the empty handler's throughput, the client's cost",
      "in both; live: nothing is done behind all that a request of the product passes; token: the access token is",
      "checked; look: the store is asked one trivial question; me: GET auth/me; first: by customers whom the node does",
      "not know yet. µs is processor time of the server for one request, a database server's not included.",
      "Goals: p99 ratio at most 1.3, share of me at least 0.6.",
    ]
    for (engine, reason) in left.sorted(by: { $0.key < $1.key }) { lines.append("not measured: \(engine): \(reason)") }
    return lines.joined(separator: "\n")
  }

  private static func row(_ cells: [String]) -> String {
    cells.map { $0.padding(toLength: max(12, $0.count + 1), withPad: " ", startingAt: 0) }.joined()
  }

  private static func text(_ value: Double, _ digits: Int) -> String { String(format: "%.\(digits)f", value) }
}
