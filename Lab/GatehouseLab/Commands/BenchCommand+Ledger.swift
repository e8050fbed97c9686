// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Storage

extension BenchCommand {
  struct Ledger: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "ledger",
      abstract: "Durable transfers a second, contended and spread, beside bare ones, pgbench and the disk.",
      discussion: """
        The embedded store in a folder that goes away, and a throw-away PostgreSQL from Debian's package, as durable as \
        one in service. Clients and ledger in this process; --http adds transfers through the app's own call, with \
        server and clients on this machine's processors. Build with -c release.
        """)

    @Option(help: "Clients at once.")
    var clients = 64

    @Option(help: "Accounts that spread transfers go between.")
    var accounts = 1000

    @Option(help: "Seconds of each load in a round.")
    var seconds = 3

    @Option(help: "Rounds that are counted; one more warms up.")
    var rounds = 3

    @Option(help: "Commits at once (default: 1 on SQLite, 2 on PostgreSQL).")
    var threads: Int?

    @Option(help: "sqlite or postgresql; default: both.")
    var only: String?

    @Option(help: "How SQLite's commits reach the disk: full or shared.")
    var sync = "full"

    @Flag(help: "Leave the entries without seals, to see what these cost.")
    var unsealed = false

    @Flag(help: "Also over HTTP: contended and spread.")
    var http = false

    @Flag(help: "Print one JSON document instead of a table.")
    var json = false

    /// Rows of pgbench's tables: more branches than clients would be in each other's way for.
    private static let scale = 10
    /// With so many clients pgbench is usually fastest on two processors.
    private static let fewClients = 20

    func validate() throws {
      guard (1...1000).contains(clients), (100...1_000_000).contains(accounts), (1...600).contains(seconds),
        (1...100).contains(rounds), (1...16).contains(threads ?? 1), [nil, "sqlite", "postgresql"].contains(only),
        durability != nil
      else {
        throw ValidationError(
          """
          --clients is 1 to 1000, --accounts 100 to 1000000, --seconds 1 to 600, --rounds 1 to 100, --threads 1 to 16, \
          --sync full or shared
          """)
      }
    }

    func run() async throws {
      let folder = BenchOutput.folder()
      defer { try? FileManager.default.removeItem(atPath: folder) }
      var report = LedgerReport(clients: clients, accounts: accounts, isRelease: PowerAuth.isRelease)
      if only != "postgresql" {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let database = try SQLite(path: "\(folder)/ledger.sqlite", durability: durability ?? .full)
        report.engines.append(try await bench("sqlite").run(database))
        try database.close()
        if http {
          report.overHTTP.append(try await benchHTTP("sqlite_http").run(settings("\(folder)/house"), database: nil))
        }
      }
      if only != "sqlite" { try await measurePostgres(&report, folder) }
      guard json else {
        print(report.table)
        return
      }
      print(try BenchOutput.json(report))
    }

    private func measurePostgres(_ report: inout LedgerReport, _ folder: String) async throws {
      guard let cluster = try ThrowawayCluster.start() else {
        report.left["postgresql"] = "Debian's package postgresql is not installed"
        return
      }
      defer { cluster.stop() }
      report.syncsPerSecond = try cluster.syncsPerSecond()
      // Before and after, so that a disk that changes its mind is seen.
      try cluster.prepareTPCB(scale: Self.scale)
      for clients in [Self.fewClients, min(clients, 90)] {
        report.tpcb[clients] = try cluster.tpcb(clients: clients, seconds: seconds * 2)
      }
      let database = Postgres(PostgresSettings(url: cluster.url))
      report.engines.append(try await bench("postgresql").run(database))
      if http {
        let database = Postgres(PostgresSettings(url: try cluster.another("house")))
        report.overHTTP.append(
          try await benchHTTP("postgresql_http").run(settings("\(folder)/second"), database: database))
        try database.close()
      }
      try database.close()
      for (clients, rate) in report.tpcb {
        report.tpcb[clients] = max(rate, try cluster.tpcb(clients: clients, seconds: seconds * 2) ?? 0)
      }
    }

    private var durability: SQLite.Durability? { SQLite.Durability(rawValue: sync) }

    private func settings(_ folder: String) -> Settings {
      var settings = Settings()
      settings.databaseSync = durability ?? .full
      (settings.dataFolder, settings.logLevel) = (folder, "warning")
      settings[FinapticSettings.self].limitFactor = 1_000_000
      return settings
    }

    private func benchHTTP(_ engine: String) -> LedgerHTTPBench {
      LedgerHTTPBench(
        engine: engine, clients: clients, accounts: accounts, duration: .seconds(seconds), rounds: rounds,
        say: BenchOutput.say)
    }

    private func bench(_ engine: String) -> LedgerBench {
      LedgerBench(
        engine: engine, clients: clients, accounts: accounts, duration: .seconds(seconds), rounds: rounds,
        threads: threads, isSealed: !unsealed,
        say: BenchOutput.say)
    }
  }
}
