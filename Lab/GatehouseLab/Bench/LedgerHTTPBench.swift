// SPDX-License-Identifier: Apache-2.0

import Delivery
import Demonstration
import FinapticFlow
import FinapticWire
import Foundation
import GatehouseApp
import Kit
import Ledger
import ServiceLifecycle
import Storage

/// Transfers a second through the app's own call, `coreTransfer/initiateTransfer`: keys, tokens, limits, idempotency
/// and rows for customers included. Server, worker and clients in this process.
struct LedgerHTTPBench: Sendable {
  let engine: String
  let clients: Int
  let accounts: Int
  let duration: Duration
  let rounds: Int
  let say: @Sendable (String) -> Void

  private static let tenant = 1
  private static let funds: Int64 = 1_000_000_000_000

  func run(_ settings: Settings, database: (any SQLDatabase)?) async throws -> LedgerEngineReport {
    let app = try await App.open(
      settings, database: database, logger: settings.logger("gatehouse"), passwordCost: DemoApp.passwordCost)
    let tenants = app.finaptic.dependencies.tenants
    try await tenants.add(Self.tenant, name: "Bench", kind: .sandbox, by: "bench")
    let key = try await tenants.issueKey("bench", tenant: Self.tenant, by: "bench").key.id.rawValue
    let (token, _, ids) = try await BankFixture(dependencies: app.finaptic.dependencies).fill(
      accounts, funds: Self.funds, tenant: Self.tenant)
    let head =
      "POST \(FinapticMethod.initiateTransfer.path) HTTP/1.1\r\nX-Client-Key: \(key)\r\n"
      + "Authorization: Bearer \(token)\r\n"
    var report = try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }, app.worker] as [any Service] }, logger: app.logger
    ) { port in
      var report = LedgerEngineReport(engine: engine)
      for round in 0...rounds {
        for load in [LedgerEngineReport.Load.contended, .spread] {
          let measured = try await measure(load, port, head, ids)
          if round > 0 { report.add(measured, to: load) }
        }
        say("\(engine): round \(round) of \(rounds)")
      }
      return report
    }
    let found = try await app.database.read { try LedgerStore($0).verify() }
    (report.transfers, report.faults) = (found.transfers, found.faults.map(\.description))
    return report
  }

  private func measure(
    _ load: LedgerEngineReport.Load, _ port: Int, _ head: String, _ ids: [String]
  ) async throws -> LedgerEngineReport.Measured {
    let threads = BlockingThreadPool("bench", width: clients)
    let start = World.live.ticks()
    let end = start + duration
    let latencies = try await withThrowingTaskGroup(of: Latencies.self) { group in
      for client in 0..<clients {
        group.addTask { try await threads.run { try drive(load, client, port, head, ids, until: end) } }
      }
      return try await group.reduce(into: Latencies()) { $0.add($1) }
    }
    return .init(latencies: latencies, seconds: (World.live.ticks() - start).inSeconds)
  }

  private func drive(
    _ load: LedgerEngineReport.Load, _ client: Int, _ port: Int, _ head: String, _ ids: [String], until end: Duration
  ) throws -> Latencies {
    let connection = try LoopbackConnection(port: port)
    var (latencies, number) = (Latencies(), client &* 7919)
    while true {
      let start = World.live.ticks()
      guard start < end else { return latencies }
      number = (number &* 1_103_515_245 &+ 12345) & 0x7fff_ffff
      let hot = 1 + (number >> 4) % (ids.count - 1)
      let (one, other) =
        load == .contended ? (0, hot) : ((number >> 4) % ids.count, ((number >> 4) + 1 + number % 97) % ids.count)
      let (debit, credit) = number & 1 == 0 ? (one, other) : (other, one)
      let body = Data(
        """
        {"source_account_id":"\(ids[debit])","destination_account_id":"\(ids[credit])",\
        "fund_transfer":{"amount":"0.01","currency":"CAD"}}
        """.utf8)
      let answer = try connection.send(
        LoopbackConnection.request(head + "Idempotency-Key: \(World.live.randomUUID())\r\n", body: body))
      guard answer.status == 200, String(decoding: answer.body, as: UTF8.self).contains("COMPLETED") else {
        throw BenchMistake.notValid
      }
      latencies.add(World.live.ticks() - start)
    }
  }
}
