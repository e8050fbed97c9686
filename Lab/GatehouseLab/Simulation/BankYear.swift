// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import Demonstration
import FinapticFlow
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import Ledger
import LedgerSimulation
import Payments
import Storage

/// A year of a whole installation with invented customers: each day's postings, its day end, and the statements of each
/// month as PDF and camt.053. `YearSimulation` plays the ledger alone, whose interest is computed again by itself; this
/// plays what the program does at the end of a day, on a clock that is set.
struct BankYear: Sendable {
  /// What the end of a day took.
  struct End: Sendable {
    let day: Int64
    /// Statements that were made.
    let statements: Int
    let dayEnd, making: Duration
  }

  /// What statements of a sample of the accounts say.
  struct Checked: Sendable {
    var statements = 0
    /// Months that lack a statement, or whose statement does not go on from that of the month before.
    var faults: [String] = []
  }

  private static let tenant = 1
  private static let accountsOfCustomer = 20
  /// Orders of one transaction.
  private static let batch = 250
  private static let sample = 100

  let accounts: Int
  let days: Int64
  let seed: UInt64
  /// Where the installation lies.
  let folder: String
  let sync: SQLite.Durability

  /// - Parameter say: gets a line for each month.
  func run(_ say: @Sendable (String) -> Void) async throws -> (ends: [End], checked: Checked) {
    let clock = SimulatedClock(day: YearSimulation.firstDay)
    clock.set(YearSimulation.firstDay, minutes: 540)
    var settings = Settings()
    settings.databaseSync = sync
    (settings.dataFolder, settings.logLevel) = (folder, "error")
    let app = try await App.open(
      settings, world: clock.world(seed: seed), logger: settings.logger("gatehouse"),
      passwordCost: DemoApp.passwordCost)
    let dependencies = app.finaptic.dependencies
    let ids = try await open(dependencies)
    var random = SeededGenerator(seed: seed)
    var ends: [End] = []
    for day in YearSimulation.firstDay..<(YearSimulation.firstDay + days) {
      clock.set(day, minutes: 600)
      try await order(on: day, ids, dependencies, &random)
      // The day end of a day runs on the next one, when nothing can be booked on it any more.
      clock.set(day + 1, minutes: 10)
      let start = World.live.ticks()
      try await dependencies.dayEnd.run()
      let ended = World.live.ticks()
      let statements = try await dependencies.statements.run()
      let end = End(
        day: day, statements: statements, dayEnd: ended - start, making: World.live.ticks() - ended)
      ends.append(end)
      if statements > 0 {
        say("\(WireDate(daysSince1970: Int(day))): day end \(end.dayEnd), \(statements) statements in \(end.making)")
      }
    }
    return (ends, try await check(ids, ends, dependencies))
  }

  private func open(_ dependencies: FinapticDependencies) async throws -> [String] {
    try await dependencies.tenants.add(Self.tenant, name: "Simulation", kind: .sandbox, by: "simulation")
    let fixture = BankFixture(dependencies: dependencies)
    var ids: [String] = []
    for start in stride(from: 0, to: accounts, by: Self.accountsOfCustomer) {
      ids += try await fixture.fill(
        min(Self.accountsOfCustomer, accounts - start), funds: 1_500_00, tenant: Self.tenant,
        email: "customer\(start)@bank.example"
      ).accounts
    }
    let terms = LedgerProduct(
      tenant: BankAccount.ledgerTenant(Self.tenant), code: AccountProduct.current.code, kind: .customer,
      currency: InternalAccounts.currency, availableMin: -500_00, yearlyInterestMillionths: 24_500, monthlyFee: 3_95)
    try await dependencies.core.database.write { tx in try dependencies.ledger.put(terms, in: tx) }
    return ids
  }

  /// On a day every fiftieth account has a posting.
  private func order(
    on day: Int64, _ ids: [String], _ dependencies: FinapticDependencies, _ random: inout SeededGenerator
  ) async throws {
    let cash = InternalAccounts.account(.cash, tenant: Self.tenant)
    let orders = (0..<max(ids.count / 50, 1)).map { turn in
      let id = LedgerAccount.ID(rawValue: ids[Int.random(in: 0..<ids.count, using: &random)])
      let isCredit = Int.random(in: 0..<10, using: &random) < 6
      let amount = Money(Int64.random(in: 1...900_00, using: &random), InternalAccounts.currency)
      return TransferOrder(
        isCredit ? .deposit : .withdrawal, tenant: Self.tenant, key: "year \(day) \(turn)",
        debit: isCredit ? cash : id, credit: isCredit ? id : cash, amount: amount)
    }
    for start in stride(from: 0, to: orders.count, by: Self.batch) {
      let some = orders[start..<min(start + Self.batch, orders.count)]
      try await dependencies.core.database.write(.readCommitted) { tx in
        for order in some {
          if case .refused = try dependencies.ledger.transfer(order, in: tx) { throw Problem.unexpected }
        }
      }
    }
  }

  /// Reads the statements of some accounts as they were given out: each is what its digest says, adds up, and begins
  /// with the balance with which that of the month before ends.
  private func check(_ ids: [String], _ ends: [End], _ dependencies: FinapticDependencies) async throws -> Checked {
    var checked = Checked()
    // By the calendar, not by what was made.
    let months = ends.count { WireDate(daysSince1970: Int($0.day) + 1).day == 1 }
    for place in stride(from: 0, to: ids.count, by: max(1, ids.count / Self.sample)) {
      let id = ids[place]
      let made = try await dependencies.core.database.read {
        try MonthlyStatementStore($0).all(of: .init(rawValue: id))
      }
      if made.count != months { checked.faults.append("\(id): \(made.count) statements of \(months) months") }
      var last: Money?
      for one in made.reversed() {
        checked.statements += 1
        _ = try await dependencies.statements.document(one, .pdf)
        let xml = try await dependencies.statements.document(one, .message)
        guard case .statement(let message) = try PaymentMessage.read(xml), let statement = message.statements.first,
          statement.difference?.minorUnits == 0
        else {
          checked.faults.append("\(id), \(one.month.text): does not add up")
          continue
        }
        func balance(_ type: String) -> Money? { statement.balances.first { $0.type == type }?.amount }
        if let last, balance("OPBD") != last {
          let name = "\(id), \(one.month.text)"
          checked.faults.append("\(name): begins with another balance than the one of before ended with")
        }
        last = balance("CLBD")
      }
    }
    let books = try await dependencies.core.database.read { try LedgerStore($0).verify() }
    checked.faults += books.faults.map(\.description)
    return checked
  }
}
