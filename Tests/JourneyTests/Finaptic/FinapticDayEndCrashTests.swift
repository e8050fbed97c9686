// SPDX-License-Identifier: Apache-2.0

import FinapticFlow
import Foundation
import GatehouseWire
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

/// `gatehouse sandbox advance`, which ends days, is killed while it books. A copy of the same data, in which the same
/// days end without a kill, says what the books have to hold.
@Suite(
  "Finaptic: kill -9 of a day end", .ownFile,
  .enabled(if: ServedProcess.program != nil, "\(ServedProcess.missing)"))
struct FinapticDayEndCrashTests {
  private static let (tenant, accounts, postings) = (7, 10, 4)
  /// Where the clock of the sandbox ends: past the end of a month that comes after the last posting.
  private static let end = Duration.days(38)

  @Test("postings with a value date, interest and fees are booked once each", .timeLimit(.minutes(3)))
  func killed() async throws {
    let folder = try TestFolder()
    let (data, control) = (folder.file("data"), folder.file("control"))
    try await Self.prepare(data)
    try FileManager.default.copyItem(atPath: data, toPath: control)
    // Two lives end among the postings of a day, one among what the end of a month books.
    for _ in 0..<3 {
      let mark = try await Self.books(data).transfers + Self.accounts / 2
      try await Self.advance(data, untilTransfers: mark)
      // The next life ends the same day, as a server does that starts again.
      try await Self.advance(data, by: .seconds(1))
    }
    try await Self.advance(data)
    try await Self.advance(control)
    let (books, wanted) = (try await Self.books(data), try await Self.books(control))
    #expect(books == wanted)
    #expect(books.balances.count == Self.accounts && Set(books.balances).count == 1)
    #expect(books.ended == ["booked": Self.accounts * Self.postings])
  }

  // MARK: The program

  /// - Parameters:
  ///   - span: nil is up to `end`.
  ///   - mark: the program is killed when the books have as many transfers; nil lets it end.
  private static func advance(_ data: String, by span: Duration? = nil, untilTransfers mark: Int? = nil) async throws {
    let app = try await open(data)
    let lead = try #require(app.sandboxClock).lead
    let left = span ?? end - lead
    let process = ChildProcess()
    process.executableURL = ServedProcess.program
    process.arguments = ["sandbox", "advance", "\(left.wholeSeconds)s", "--yes", "--data", data]
    process.standardOutput = FileHandle.nullDevice
    process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
    try process.run()
    if let mark {
      try await waitUntil("\(mark) transfers are there") {
        let isThere = try await transfers(app) >= mark
        return isThere || !process.isRunning
      }
      kill(process.processIdentifier, SIGKILL)
    }
    process.waitUntilExit()
    try app.database.close()
    #expect(process.terminationStatus == (mark == nil ? 0 : SIGKILL))
  }

  // MARK: Before and after

  private static func open(_ data: String) async throws -> App {
    var settings = Settings()
    (settings.dataFolder, settings.logLevel) = (data, "error")
    try await settings.putSchema()
    return try await App.open(settings, logger: settings.logger("test"))
  }

  /// Accounts that all have the same, and the same to come.
  private static func prepare(_ data: String) async throws {
    let app = try await open(data)
    let parts = app.finaptic.dependencies
    try await parts.tenants.add(tenant, name: "Crash", kind: .sandbox, by: "test")
    let made = try await FinapticTestCustomer.make(in: app, tenant: tenant, accounts: accounts)
    _ = try await parts.accountTerms.set(
      AccountProduct.current.code, of: tenant, yearlyInterest: 50_000, monthlyFee: 2_50, by: "test")
    let travel = try #require(app.sandboxTravel)
    _ = try await travel.advance(by: .days(2), for: "test")
    let today = Int(Ledger.day(of: app.world.now()))
    for account in made.accounts {
      // The first one counts from yesterday, so that interest of an ended day is counted again.
      for (number, day) in ([-1] + (0..<postings).map { 1 + $0 / 2 }).enumerated() {
        let order = BankPostings.Order(
          "DEPOSIT", number == 0 ? "9000.00" : "10.0\(number)", on: account, reason: "CUSTOMER_PAYMENT",
          valueDate: "\(WireDate(daysSince1970: today + day))")
        _ = try await parts.bankPostings.post(order, tenant: tenant, by: "test")
      }
    }
    try app.database.close()
  }

  private struct Books: Equatable {
    /// Actual balances, an account each.
    var balances: [Int64] = []
    /// Scheduled postings by state.
    var ended: [String: Int] = [:]
    var transfers = 0
  }

  private static func books(_ data: String) async throws -> Books {
    let app = try await open(data)
    let found = try await app.database.read { tx in
      #expect(try LedgerStore(tx).verify().faults.isEmpty)
      var books = Books()
      books.balances = try tx.query(
        """
        SELECT actual FROM ledger_account WHERE tenant = \(BankAccount.ledgerTenant(tenant))
          AND product = \(AccountProduct.current.code) ORDER BY id
        """
      ).map { try $0.get("actual") }
      for row in try tx.query("SELECT state, COUNT(*) AS n FROM finaptic_scheduled_posting GROUP BY state") {
        books.ended[try row.get("state")] = try row.get("n")
      }
      return books
    }
    var all = found
    all.transfers = try await transfers(app)
    try app.database.close()
    return all
  }

  private static func transfers(_ app: App) async throws -> Int {
    try await app.database.read { try $0.first("SELECT COUNT(*) AS n FROM ledger_transfer")?.get("n") ?? 0 }
  }
}
