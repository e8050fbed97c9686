// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

/// What one engine did.
struct LedgerEngineReport: Sendable {
  enum Load: String, CaseIterable, Sendable {
    /// A bare two-entry transaction each, not joined.
    case bare
    /// One client that asks the ledger one by one.
    case single
    /// All clients, every transfer with the same account on one side.
    case contended
    /// All clients, over all accounts.
    case spread
  }

  struct Measured: Sendable {
    let latencies: Latencies
    let seconds: Double

    var rate: Double { Double(latencies.milliseconds.count) / max(seconds, .leastNonzeroMagnitude) }
  }

  let engine: String
  private(set) var rounds: [Load: [Measured]] = [:]
  /// In the books at the end, and what their checker says.
  var transfers = 0
  var faults: [String] = []

  init(engine: String) { self.engine = engine }

  mutating func add(_ measured: Measured, to load: Load) { rounds[load, default: []].append(measured) }

  /// Of the rounds, in transfers a second.
  func median(_ load: Load) -> Double {
    let sorted = (rounds[load] ?? []).map(\.rate).sorted()
    return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
  }

  func percentile(_ hundredths: Double, _ load: Load) -> Double {
    (rounds[load] ?? []).reduce(into: Latencies()) { $0.add($1.latencies) }.percentile(hundredths)
  }
}

/// Everything that `gatehouse-lab bench ledger` measured.
struct LedgerReport: Sendable {
  let clients: Int
  let accounts: Int
  let isRelease: Bool
  var engines: [LedgerEngineReport] = []
  /// The same through the app's own call.
  var overHTTP: [LedgerEngineReport] = []
  /// Synced writes of one block a second, as `pg_test_fsync` counts them.
  var syncsPerSecond: Double?
  /// Transactions a second of pgbench's TPC-B-like script on the same server, by clients.
  var tpcb: [Int: Double] = [:]
  /// What was not measured, and why.
  var left: [String: String] = [:]

  /// Lines for people.
  var table: String {
    var lines = ["Transfers a second, each durable before it is answered; \(clients) clients, \(accounts) accounts."]
    for engine in engines + overHTTP {
      for load in LedgerEngineReport.Load.allCases where engine.rounds[load] != nil {
        lines.append(
          "\(engine.engine) \(load.rawValue)".padding(toLength: 28, withPad: " ", startingAt: 0)
            + String(
              format: "%9.0f /s   p50 %7.2f ms   p99 %7.2f ms", engine.median(load), engine.percentile(50, load),
              engine.percentile(99, load)))
      }
      let verdict = engine.faults.isEmpty ? "the books are right" : engine.faults.joined(separator: "; ")
      lines.append("\(engine.engine): \(engine.transfers) transfers in the books; \(verdict)")
    }
    if let syncsPerSecond { lines.append(String(format: "pg_test_fsync, fdatasync: %.0f /s", syncsPerSecond)) }
    for (clients, rate) in tpcb.sorted(by: { $0.key < $1.key }) {
      lines.append(String(format: "pgbench TPC-B, %d clients: %.0f /s", clients, rate))
    }
    if let ratio = ratioToTPCB { lines.append(String(format: "postgresql spread to pgbench: %.2f", ratio)) }
    for (what, reason) in left.sorted(by: { $0.key < $1.key }) { lines.append("not measured: \(what): \(reason)") }
    lines.append("Goals: 10000 /s on sqlite, 1.0 of pgbench on postgresql.")
    if !isRelease { lines.append("This is a debug build: only -c release says anything.") }
    return lines.joined(separator: "\n")
  }

  /// Against whichever number of clients pgbench was faster with.
  var ratioToTPCB: Double? {
    guard let best = tpcb.values.max(), let engine = engines.first(where: { $0.engine == "postgresql" }) else {
      return nil
    }
    return engine.median(.spread) / best
  }
}

extension LedgerReport: Encodable {
  func encode(to encoder: any Encoder) throws {
    var values = ["clients": Double(clients), "accounts": Double(accounts), "release": isRelease ? 1 : 0]
    for engine in engines + overHTTP {
      for load in LedgerEngineReport.Load.allCases where engine.rounds[load] != nil {
        values["\(engine.engine)_\(load.rawValue)_per_second"] = engine.median(load)
        values["\(engine.engine)_\(load.rawValue)_p50_ms"] = engine.percentile(50, load)
        values["\(engine.engine)_\(load.rawValue)_p99_ms"] = engine.percentile(99, load)
      }
      values["\(engine.engine)_transfers"] = Double(engine.transfers)
      values["\(engine.engine)_faults"] = Double(engine.faults.count)
    }
    values["fdatasync_per_second"] = syncsPerSecond
    for (clients, rate) in tpcb { values["tpcb_\(clients)_clients_per_second"] = rate }
    values["postgresql_to_tpcb"] = ratioToTPCB
    try values.encode(to: encoder)
  }
}
