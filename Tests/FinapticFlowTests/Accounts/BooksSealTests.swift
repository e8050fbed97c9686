// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow

@Suite("Finaptic: old entries of the books are bound once")
struct BooksSealTests {
  @Test("naming them binds none, and a second time is refused unless it is asked for")
  func once() async throws {
    try await BankingTestApp.run { bank in
      let books = bank.dependencies
      let account = try await bank.open(try await bank.customer(), funds: 1000)
      let older = Ledger(database: bank.database, world: bank.clock.world)
      let first = try await older.transfer(bank.order(.purchase, 100, from: account, to: BankingTestApp.cards))
      #expect(first.done != nil)
      #expect(try await books.sealOldEntries(by: "test", isDry: true).accounts == 2)
      #expect(try await bank.database.read { try FinapticDependencies.booksAreSealed(in: $0) } == false)
      #expect(try await books.sealOldEntries(by: "test").accounts == 2)
      #expect(try await bank.database.read { try FinapticDependencies.booksAreSealed(in: $0) })
      // What is without a seal from now on is from no release before.
      let forged = try await older.transfer(bank.order(.purchase, 50, from: account, to: BankingTestApp.cards))
      #expect(forged.done != nil)
      await #expect(throws: Problem.self) { _ = try await books.sealOldEntries(by: "test") }
      #expect(try await books.sealOldEntries(by: "test", isDry: true).accounts == 2)
      #expect(try await books.sealOldEntries(by: "test", isAgain: true).accounts == 2)
    }
  }
}
