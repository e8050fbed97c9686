// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import ReferenceData
import Storage
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: serials of accounts that a node takes in blocks")
struct SerialAllocatorTests {
  private static let tenant = CardTestApp.tenant

  private static func set(_ app: CardTestApp, digits: Int? = nil, isSequential: Bool = true) async throws {
    _ = try await app.dependencies.accountNumbers.set(
      country: "CA", bank: "003", branch: "12345", digits: digits, isSequential: isSequential, of: tenant,
      by: "operator:a")
  }

  /// As a route does: what the node needs is taken before the transaction.
  private static func open(_ app: CardTestApp, _ person: CardTestApp.Person) async throws -> String? {
    try await app.dependencies.accountNumbers.reserve(of: tenant)
    let account = try await app.open(for: person, cents: 0).account
    return try await app.database.read { try AccountNumberStore($0).number(of: account)?.account }
  }

  private static func next(_ app: CardTestApp) async throws -> Int? {
    try await app.database.read {
      try $0.first("SELECT next_serial FROM finaptic_account_numbering")?.get("next_serial")
    }
  }

  @Test("a node gives its block in order, and asks the row of its tenant once for all of it")
  func order() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await Self.set(app)
      // Nothing is known of the tenant: the first one asks the row, and a block is taken before the second one.
      #expect(try await Self.open(app, ada)?.hasPrefix("00000001") == true)
      for serial in 2...9 {
        #expect(try await Self.open(app, ada)?.hasPrefix("0000000\(serial)") == true)
        #expect(try await Self.next(app) == 102)
      }
    }
  }

  @Test("what a failed transaction took, and what a node had left, is never given; other nodes go on behind it")
  func gaps() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await Self.set(app)
      for _ in 0..<2 { _ = try await Self.open(app, ada) }
      let numbers = app.dependencies.accountNumbers
      let account = BankAccount.ID(rawValue: app.dependencies.core.world.randomUUID())
      await #expect(throws: Problem.self) {
        try await app.database.write { tx in
          // No such account: the store refuses the row.
          _ = try? numbers.give(to: account, of: Self.tenant, in: tx)
          throw Problem.unexpected
        }
      }
      #expect(try await Self.open(app, ada)?.hasPrefix("00000004") == true)
      // Another node, which knows nothing of this one's block.
      let other = AccountNumbers(core: app.dependencies.core)
      let opened = try await app.open(for: ada, cents: 0).account
      try await app.database.write { tx in
        _ = try tx.execute("DELETE FROM finaptic_account_number WHERE account_id = \(opened)")
        try other.give(to: opened, of: Self.tenant, in: tx)
      }
      let given = try await app.database.read { try AccountNumberStore($0).number(of: opened)?.account }
      #expect(given?.hasPrefix("00000102") == true)
    }
  }

  @Test("two nodes that give numbers at once give each account one of its own")
  func concurrent() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await Self.set(app)
      var ids: [BankAccount.ID] = []
      for _ in 0..<8 { ids.append(try await app.open(for: ada, cents: 0).account) }
      let accounts = ids
      try await app.database.write { tx in _ = try tx.execute("DELETE FROM finaptic_account_number") }
      let nodes = [app.dependencies.accountNumbers, AccountNumbers(core: app.dependencies.core)]
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (place, id) in accounts.enumerated() {
          let node = nodes[place % nodes.count]
          group.addTask {
            try await node.reserve(of: Self.tenant)
            try await app.database.write(retrying: .outdated, .readCommitted) { tx in
              try node.give(to: id, of: Self.tenant, in: tx)
            }
          }
        }
        try await group.waitForAll()
      }
      let given = try await app.database.read { try AccountNumberStore($0).numbers(of: accounts) }
      #expect(given.count == 8 && Set(given.values.map(\.account)).count == 8)
      // What was given before is not given again, though its rows are gone.
      #expect(given.values.allSatisfy { $0.account.prefix(8) > "00000008" })
    }
  }

  @Test("what is left of the block of a numbering of before is not given any more")
  func switched() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await Self.set(app)
      for _ in 0..<2 { _ = try await Self.open(app, ada) }
      // By chance, and in order again, which begins with the first number that no account has.
      try await Self.set(app, isSequential: false)
      app.accounts.clock.advance(by: .minutes(1))
      try await Self.set(app)
      #expect(try await Self.next(app) == 3)
      // The row was asked, which the block of before would not have done.
      #expect(try await Self.open(app, ada)?.hasPrefix("00000003") == true)
      #expect(try await Self.next(app) == 4)
    }
  }

  @Test("serials that accounts have are passed over at once, however many they are")
  func taken() async throws {
    try await CardTestApp.run { app in
      let ada = try await app.customer("ada")
      try await Self.set(app)
      for _ in 0..<3 { _ = try await Self.open(app, ada) }
      let numbering = try #require(AccountNumbering(country: "CA", bank: "003", branch: "12345"))
      // As if 300 accounts had the numbers that come next.
      let person = try await app.open(for: ada, cents: 0).account
      try await app.database.write { tx in
        _ = try tx.execute("DELETE FROM finaptic_account_number WHERE account_id = \(person)")
        let (ledger, name) = (app.dependencies.ledger, BankAccount.ledgerTenant(Self.tenant))
        for serial in UInt64(4)...304 {
          let id = BankAccount.ID(rawValue: app.dependencies.core.world.randomUUID())
          _ = try ledger.open(
            .init(id: id, tenant: name, product: AccountProduct.current.code, name: "x", owners: [ada.customer]),
            in: tx)
          let number = try #require(numbering.number(serial))
          #expect(try AccountNumberStore(tx).insert(number, of: id, tenant: Self.tenant, at: .init(milliseconds: 0)))
        }
      }
      #expect(try await Self.open(app, ada)?.hasPrefix("00000305") == true)
    }
  }

  @Test("of short numbers few are taken at once")
  func size() throws {
    let short = try #require(AccountNumbering(country: "CA", bank: "003", branch: "12345", digits: 7))
    let long = try #require(AccountNumbering(country: "CA", bank: "003", branch: "12345", digits: 12))
    #expect(SerialAllocator.Block.size(of: short) == 10 && SerialAllocator.Block.size(of: long) == 100)
  }
}
