// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp
import Kit
import Ledger
import Storage

/// Transfers a second on one engine, every one durable before it is answered: joined by the ledger, and bare ones one by
/// one beside it, in turns.
struct LedgerBench: Sendable {
  let engine: String
  let clients: Int
  let accounts: Int
  let duration: Duration
  let rounds: Int
  /// Commits at once; nil is what the ledger takes by itself.
  let threads: Int?
  /// Whether entries get their seals, as in service.
  let isSealed: Bool
  let say: @Sendable (String) -> Void

  private static let (tenant, currency) = ("bench", "CAD")
  private static let funds: Int64 = 1_000_000_000_000

  func run(_ database: any SQLDatabase) async throws -> LedgerEngineReport {
    try await database.migrate(
      [DataKeyStore.migration] + AuditStore.migrations + LedgerModule.migrations + [BareLedgerStore.migration])
    let seal = LedgerSeal(try await Vault.open(database, keyring: Keyring(world: .live), world: .live))
    let ledger = Ledger(database: database, world: .live, seal: isSealed ? seal : nil, workers: threads)
    try await open(ledger)
    var report = LedgerEngineReport(engine: engine)
    // The first round warms up and is not counted.
    for round in 0...rounds {
      for load in LedgerEngineReport.Load.allCases {
        let measured = try await measure(load, ledger)
        if round > 0 { report.add(measured, to: load) }
      }
      say("\(engine): round \(round) of \(rounds)")
    }
    let found = try await database.read { [isSealed] in try LedgerStore($0).verify(under: isSealed ? seal : nil) }
    (report.transfers, report.faults) = (found.transfers, found.faults.map(\.description))
    return report
  }

  private func id(_ number: Int) -> LedgerAccount.ID { .init(rawValue: "account-\(number)") }

  private func open(_ ledger: Ledger) async throws {
    let cash = LedgerAccount.ID(rawValue: "cash")
    try await ledger.database.write { tx in
      for (code, kind, least) in [("cash", LedgerProduct.Kind.house, Int64?.none), ("current", .customer, 0)] {
        try ledger.put(
          LedgerProduct(
            tenant: Self.tenant, code: code, kind: kind, currency: Self.currency, availableMin: least), in: tx)
      }
      _ = try ledger.open(.init(id: cash, tenant: Self.tenant, product: "cash", name: "Cash"), in: tx)
      for number in 0..<accounts {
        let opening = LedgerOpening(
          id: id(number), tenant: Self.tenant, product: "current", name: "\(number)", owners: ["party"])
        _ = try ledger.activate(ledger.open(opening, in: tx).id, tenant: Self.tenant, in: tx)
        let order = order("fund \(number)", from: cash, to: id(number), Self.funds)
        guard case .done = try ledger.transfer(order, in: tx) else { throw BenchMistake.notValid }
        try BareLedgerStore(tx).open(id(number).rawValue, funds: Self.funds)
      }
    }
  }

  private func order(
    _ key: String, from debit: LedgerAccount.ID, to credit: LedgerAccount.ID, _ amount: Int64
  ) -> TransferOrder {
    TransferOrder(
      tenant: Self.tenant, key: key, kind: "transfer", domain: "core-transfer", debit: debit, credit: credit,
      amount: Money(amount, Self.currency))
  }

  // MARK: Load

  private func measure(_ load: LedgerEngineReport.Load, _ ledger: Ledger) async throws -> LedgerEngineReport.Measured {
    let start = World.live.ticks()
    let end = start + duration
    let latencies = try await withThrowingTaskGroup(of: Latencies.self) { group in
      for client in 0..<(load == .single ? 1 : clients) {
        group.addTask { try await drive(load, client, ledger, until: end) }
      }
      return try await group.reduce(into: Latencies()) { $0.add($1) }
    }
    return .init(latencies: latencies, seconds: (World.live.ticks() - start).inSeconds)
  }

  private func drive(
    _ load: LedgerEngineReport.Load, _ client: Int, _ ledger: Ledger, until end: Duration
  ) async throws -> Latencies {
    var (latencies, number) = (Latencies(), client &* 7919)
    while true {
      let start = World.live.ticks()
      guard start < end else { return latencies }
      // Accounts in an order that looks like none; the hot one is in every transfer, in turns on either side.
      number = (number &* 1_103_515_245 &+ 12345) & 0x7fff_ffff
      let hot = 1 + (number >> 4) % (accounts - 1)
      let (one, other) =
        load == .contended ? (0, hot) : ((number >> 4) % accounts, ((number >> 4) + 1 + number % 97) % accounts)
      let (debit, credit) = number & 1 == 0 ? (one, other) : (other, one)
      let key = World.live.randomUUID()
      if load == .bare {
        try await ledger.database.write(.readCommitted) { tx in
          try BareLedgerStore(tx).transfer(key, from: id(debit).rawValue, to: id(credit).rawValue, 1)
        }
      } else {
        guard case .done = try await ledger.transfer(order(key, from: id(debit), to: id(credit), 1)) else {
          throw BenchMistake.notValid
        }
      }
      latencies.add(World.live.ticks() - start)
    }
  }
}
