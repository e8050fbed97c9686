// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import FinapticWire
import Foundation
import GatehouseWire
import Kit
import Ledger
import ReferenceData
import Storage
import Synchronization
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Payments

@Suite("Finaptic: numbers of accounts")
struct AccountNumberTests {
  private static let tenant = CardTestApp.tenant
  private static let op = "operator:a"

  /// A pacs.008 with one transfer of ten dollars for each account that is named, and its bank's routing number.
  private static func message(_ id: String, _ named: [(account: AccountNumber, routing: String?)]) throws -> Data {
    let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
    return try CreditTransferMessage(
      id: id, created: created, method: .clearing, instructing: Agent(bic: BIC("DEUTDEFF")),
      transfers: named.enumerated().map { place, one in
        CreditTransfer(
          endToEndID: "E-\(id)-\(place)", transactionID: "\(id)-\(place)", amount: Money(10_00, "CAD"),
          settlementDay: created.day, charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"),
          debtorAgent: Agent(bic: BIC("DEUTDEFF")),
          creditorAgent: Agent(bic: BIC("WESTGB2L"), clearingMember: one.routing), creditor: "Ada",
          creditorAccount: one.account)
      }
    ).xml()
  }

  private static func number(_ account: BankAccount.ID, _ app: CardTestApp) async throws -> FinapticAPI.AccountNumber? {
    try await app.database.read { try AccountNumberStore($0).number(of: account)?.view }
  }

  @discardableResult
  private static func set(
    _ app: CardTestApp, _ country: String = "CA", _ bank: String = "003", _ branch: String = "12345",
    digits: Int? = nil, isSequential: Bool = false, of tenant: Int = tenant
  ) async throws -> Int {
    try await app.dependencies.accountNumbers.set(
      country: country, bank: bank, branch: branch, digits: digits, isSequential: isSequential, of: tenant, by: op)
  }

  @Test("accounts of before and after get a number, which people see and keep when others are numbered otherwise")
  func given() async throws {
    try await CardTestApp.run { app in
      let (ada, bob) = (try await app.customer("ada"), try await app.customer("bob"))
      let before = try await app.open(for: ada, cents: 0).account
      #expect(try await Self.number(before, app) == nil)
      #expect(try await Self.set(app) == 1)
      #expect(try await Self.set(app) == 0, "set again, it changes nothing")
      let first = try #require(try await Self.number(before, app))
      let after = try await app.open(for: bob, cents: 0).account
      let second = try #require(try await Self.number(after, app))
      #expect(first.country == "CA" && first.institution == "003" && first.transit == "12345" && first.iban == nil)
      #expect(first.number.count == 10 && second.number.count == 10 && first.number != second.number)

      let asked = FinapticAPI.AccountRequest(accountId: before.rawValue)
      let answer = try await app.call(.getAccount, asked, as: ada)
      #expect(try WireJSON.decode(FinapticAPI.Account.self, from: answer.body).number == first)
      let list = try await app.call(.listAccounts, FinapticAPI.PageRequest(pageSize: 10), as: ada)
      #expect(try WireJSON.decode(FinapticAPI.AccountsResponse.self, from: list.body).accounts.map(\.number) == [first])
      let repository = app.dependencies.accountRepository
      let bank = FinapticTenant.session(Self.tenant)
      func reader(_ scope: TenantScope) -> RecordReader {
        RecordReader(chain: "reader", actor: "agent:1", email: "r@bank.example", scope: scope)
      }
      let shown = "12345-003-\(first.number)"
      let found = try await repository.page(.init(name: shown), for: reader(.only(bank)))
      #expect(found.rows.map(\.id) == [before.rawValue])
      #expect(try await repository.page(.init(name: shown), for: reader(.allBut([bank]))).rows.isEmpty)
      let facts = try await repository.record(before.rawValue, for: reader(.only(bank))).facts
      #expect(facts.contains { $0.code == "account_number" && $0.value == shown })

      // Accounts that are opened while the numbering is set get theirs by the worker, a minute after.
      try await app.database.write { tx in
        _ = try tx.execute("DELETE FROM finaptic_account_number WHERE account_id = \(after)")
      }
      #expect(try await app.dependencies.accountNumbers.overview(of: Self.tenant)?.isFilled == false)
      app.accounts.clock.advance(by: .minutes(2))
      try await app.dependencies.accountNumbers.fillAll()
      #expect(try await Self.number(after, app) != nil)
      #expect(try await app.dependencies.accountNumbers.overview(of: Self.tenant)?.isFilled == true)

      #expect(try await Self.set(app, "DE", "37040044", "") == 0)
      #expect(try await Self.number(before, app) == first)
      let german = try await app.open(for: ada, cents: 0).account
      let iban = try #require(try await Self.number(german, app)?.iban)
      #expect(iban.hasPrefix("DE") && iban.dropFirst(4).hasPrefix("37040044"))
    }
  }

  @Test("numbers in order follow each other and pass over what is taken, and none is given when all are used")
  func unique() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await Self.set(app, digits: 7, isSequential: true)
      var numbers: [String] = []
      for _ in 0..<3 {
        let account = try await app.open(for: ada, cents: 0).account
        numbers.append(try #require(try await Self.number(account, app)).number)
      }
      #expect(numbers.map { $0.prefix(5) } == ["00001", "00002", "00003"])
      // Another tenant cannot give the numbers of this one.
      let taken = try await #require(throws: Problem.self) { try await Self.set(app, of: AccountTestApp.otherTenant) }
      #expect(taken.code == "numbering-taken")
      await #expect(throws: Problem.notFound) { try await Self.set(app, of: 99) }
      let wrong = try await #require(throws: Problem.self) { try await Self.set(app, "US", "003", "12345") }
      #expect(wrong.fields.map(\.pointer) == ["/numbering"])
      // The next serial is one that an account has already: it is passed over.
      try await app.database.write { tx in
        _ = try tx.execute("UPDATE finaptic_account_numbering SET next_serial = 2")
      }
      let next = try await app.open(for: ada, cents: 0).account
      #expect(try await Self.number(next, app)?.number.hasPrefix("00004") == true)
      try await app.database.write { tx in
        _ = try tx.execute("UPDATE finaptic_account_numbering SET next_serial = 100000")
      }
      let usedUp = try await #require(throws: Problem.self) { try await app.open(for: ada, cents: 0) }
      #expect(usedUp == AccountNumbers.usedUp)
    }
  }

  @Test("numbers in order go on behind those that accounts have, which no other tenant takes over")
  func again() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      func open() async throws -> String? {
        try await Self.number(try await app.open(for: ada, cents: 0).account, app)?.number
      }
      func next() async throws -> Int? {
        try await app.database.read {
          try $0.first("SELECT next_serial FROM finaptic_account_numbering")?.get("next_serial")
        }
      }
      try await Self.set(app, "DE", "37040044", "", isSequential: true)
      for serial in 1...3 { #expect(try await open() == "000000000\(serial)") }
      // Within a tenant, no two accounts have one account part, also at another bank.
      try await Self.set(app, "DE", "10010010", "", isSequential: true)
      #expect(try await next() == 4)
      #expect(try await open() == "0000000004")
      try await Self.set(app, "DE", "10010010", "")
      try await Self.set(app, "DE", "37040044", "", isSequential: true)
      #expect(try await next() == 5)
      let taken = try await #require(throws: Problem.self) {
        try await Self.set(app, "DE", "10010010", "", of: AccountTestApp.otherTenant)
      }
      #expect(taken.code == "numbering-taken")
      // Serials that the rule of the Netherlands gives no number are passed over.
      try await Self.set(app, "NL", "ABNA", "", isSequential: true)
      let numbers = (0..<1000).compactMap {
        AccountNumbering(country: "NL", bank: "ABNA", branch: "")?.number($0)?.account
      }
      #expect(try await open() == numbers.dropFirst().first)
      #expect(try await open() == numbers.dropFirst(2).first)
    }
  }

  @Test("a number is given however many serials have none by the country's rule")
  func rare() async throws {
    try await CardTestApp.run { app in
      try await Self.set(app, "NL", "ABNA", "")
      let core = app.dependencies.core
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      let calls = Mutex(0)
      // 1 has no number, 0 has one.
      let world = World(now: core.world.now) { count in
        let call = calls.withLock { calls in
          calls += 1
          return calls
        }
        return Array(repeating: 0, count: count - 1) + [call > 300 ? 0 : 1]
      }
      let numbers = AccountNumbers(
        core: CoreDependencies(database: core.database, world: world, vault: core.vault, blobs: core.blobs))
      try await app.database.write { tx in
        _ = try tx.execute("DELETE FROM finaptic_account_number WHERE account_id = \(account)")
        try numbers.give(to: account, of: Self.tenant, in: tx)
      }
      #expect(try await Self.number(account, app)?.number == "0000000000")
    }
  }

  @Test("openings at once have a number each")
  func concurrent() async throws {
    try await CardTestApp.run { app in
      try await Self.set(app, isSequential: true)
      let ada = try await app.customer("ada")
      let accounts = try await withThrowingTaskGroup(of: BankAccount.ID.self) { group in
        for _ in 0..<8 { group.addTask { try await app.open(for: ada, cents: 0).account } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      let numbers = try await app.database.read { try AccountNumberStore($0).numbers(of: accounts) }
      #expect(Set(numbers.values.map(\.text)).count == 8)
    }
  }

  @Test("a payment of another bank is booked by the number in each of its forms, and by no other bank's")
  func incoming() async throws {
    try await CardTestApp.run { app in
      try await app.dependencies.settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: Self.tenant, by: Self.op)
      try await Self.set(app)
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      let number = try #require(try await Self.number(account, app)?.number)
      let good: [(AccountNumber, String?)] = [
        (.other("000312345\(number)"), nil), (.other("00312345\(number)"), nil), (.other("12345-003-\(number)"), nil),
        (.other(number), "000312345"), (.other(number), nil), (.other(account.rawValue.replacing("-", with: "")), nil),
      ]
      let messages = app.dependencies.incomingMessages
      var outcome = IncomingMessages.Outcome()
      outcome.credited = good.count
      #expect(try await messages.take(Self.message("M-1", good), of: Self.tenant, by: Self.op) == outcome)
      #expect(try await app.balance(of: account) == [60_00, 60_00])
      // Another branch, another institution, a number that was not given.
      let wrongDigit = number.last == "1" ? "2" : "1"
      let bad: [(AccountNumber, String?)] = [
        (.other(number), "000312346"), (.other("000412345\(number)"), nil),
        (.other("000312345\(number)"), "000412345"),
        (.other("000312345\(number.dropLast())\(wrongDigit)"), nil), (.other("12345"), nil),
      ]
      var suspended = IncomingMessages.Outcome()
      suspended.suspended = bad.count
      #expect(try await messages.take(Self.message("M-2", bad), of: Self.tenant, by: Self.op) == suspended)

      // What leaves names the payer's account by its number.
      let order = OutgoingPayments.Order(
        account: account, amount: Money(1_00, "CAD"), creditor: "Ann Other", creditorAccount: "11-22",
        creditorBIC: "DEUTDEFF")
      let outgoing = app.dependencies.outgoingPayments
      guard
        case .ordered(let payment) = try await outgoing.order(order, key: "one", of: Self.tenant, by: Self.op),
        case .message(let message) = try await outgoing.handOver(payment.reference, of: Self.tenant, by: Self.op),
        case .creditTransfers(let read) = try PaymentMessage.read(message.xml)
      else { throw Problem.unexpected }
      #expect(read.transfers.first?.debtorAccount == .other("000312345\(number)"))
    }
  }

  @Test("a payment is booked by its IBAN, and so is a notification; another tenant's number is unknown")
  func iban() async throws {
    try await CardTestApp.run { app in
      try await app.dependencies.settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: Self.tenant, by: Self.op)
      try await Self.set(app, "GB", "WEST", "601613")
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      let text = try #require(try await Self.number(account, app)?.iban)
      let iban = AccountNumber(text: text)
      #expect(iban != .other(text))
      let messages = app.dependencies.incomingMessages
      var outcome = IncomingMessages.Outcome()
      (outcome.credited, outcome.suspended) = (1, 2)
      let foreign = AccountNumber(text: "GB29NWBK60161331926819")
      // The account alone has no check digits there: a wrong one could be another customer's.
      let alone = AccountNumber.other(String(text.suffix(8)))
      let bytes = try Self.message("M-1", [(iban, nil), (foreign, nil), (alone, nil)])
      #expect(try await messages.take(bytes, of: Self.tenant, by: Self.op) == outcome)
      let day = try #require(MessageTime("2026-11-26T10:00:00Z"))
      let detail = AccountStatement.Detail(endToEndID: "E-9", transactionID: "T-9", creditorAccount: iban)
      let entry = AccountStatement.Entry(
        amount: Money(3_00, "CAD"), isReversal: false, status: "BOOK", booked: day.day, valued: day.day,
        reference: "1", servicerReference: "S-1", details: [detail])
      let notice = try NotificationMessage(
        id: "N-1", created: day,
        notifications: [.init(id: "N-1", account: .other("SETTLEMENT-9"), entries: [entry])]
      ).xml()
      var credited = IncomingMessages.Outcome()
      credited.credited = 1
      #expect(try await messages.take(notice, of: Self.tenant, by: Self.op) == credited)
      #expect(try await app.balance(of: account) == [13_00, 13_00])
    }
  }
}
