// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage
import TestSupport
import Testing

@testable import FinapticFlow
@testable import Payments

@Suite("Finaptic: messages of other banks by pages")
struct MessagePagesTests {
  private static var tenant: Int { CardTestApp.tenant }
  private static let pages = MessagePage.Limit(parts: 2, bytes: .max)

  private static func message(
    _ id: String, _ account: String, cents: [Int64], currency: String = "CAD"
  ) throws -> CreditTransferMessage {
    let created = try #require(MessageTime("2026-11-26T10:00:00Z"))
    return CreditTransferMessage(
      id: id, created: created, method: .clearing, instructing: Agent(bic: BIC("DEUTDEFF")),
      transfers: cents.enumerated().map { place, cents in
        CreditTransfer(
          endToEndID: "E-\(id)-\(place)", transactionID: "\(id)-\(place)",
          amount: Money(cents, place == 4 ? currency : "CAD"), settlementDay: created.day, charges: .shared,
          debtor: "Ann Other", debtorAccount: .other("11-22"), debtorAgent: Agent(bic: BIC("DEUTDEFF")),
          creditorAgent: Agent(bic: BIC("WESTGB2L")), creditor: "Ada", creditorAccount: .other(account))
      })
  }

  private static func run(
    _ play: @escaping @Sendable (CardTestApp, BankAccount.ID, String) async throws -> Void
  ) async throws {
    try await CardTestApp.run { app in
      try await app.dependencies.settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", of: tenant, by: "op")
      let account = try await app.open(for: app.customer("ada"), cents: 0).account
      try await play(app, account, account.rawValue.replacing("-", with: ""))
    }
  }

  @Test("a message is booked page by page, once, and comes again for nothing")
  func booked() async throws {
    try await Self.run { app, account, name in
      let file = MessageFile.bytes(try Self.message("M-1", name, cents: [1_00, 2_00, 3_00, 4_00, 5_00]).xml())
      let messages = app.dependencies.incomingMessages
      var outcome = IncomingMessages.Outcome()
      outcome.credited = 5
      #expect(try await messages.take(file, of: Self.tenant, by: "op", pages: Self.pages) == outcome)
      #expect(try await app.balance(of: account) == [15_00, 15_00])
      var again = IncomingMessages.Outcome()
      again.repeated = 5
      // Also by a program that takes other pages.
      for pages in [Self.pages, .standard] {
        #expect(try await messages.take(file, of: Self.tenant, by: "op", pages: pages) == again)
      }
      #expect(try await app.balance(of: account) == [15_00, 15_00])
    }
  }

  @Test("a message that was cut short in any page is taken up where it ended, also by other pages", arguments: 1...4)
  func cutShort(done: Int) async throws {
    try await Self.run { app, account, name in
      let message = try Self.message("M-1", name, cents: [1_00, 2_00, 3_00, 4_00, 5_00])
      let (bytes, messages) = (try message.xml(), app.dependencies.incomingMessages)
      // As a program leaves it that dies after some transfers.
      let key = messages.name(of: .creditTransfers(message))
      let accounts = try await app.dependencies.settlement.accounts(of: Self.tenant)
      let steps = try IncomingMessages.steps(of: .creditTransfers(message), accounts).prefix(done)
      try await app.database.write { tx in
        try SettlementStore(tx).insert(
          key, digest: messages.core.vault.digest(bytes, for: IncomingMessages.digestPurpose), tenant: Self.tenant,
          at: app.dependencies.core.world.now())
      }
      for (place, step) in steps.enumerated() {
        let id = BankPayment.ID(rawValue: app.dependencies.core.world.randomUUID())
        try await app.database.write { tx in
          _ = try messages.perform(
            step, .init(tenant: Self.tenant, actor: "op", message: key, place: place, id: id), in: tx)
        }
      }
      var outcome = IncomingMessages.Outcome()
      (outcome.repeated, outcome.credited) = (done, 5 - done)
      #expect(try await messages.take(.bytes(bytes), of: Self.tenant, by: "op", pages: Self.pages) == outcome)
      #expect(try await app.balance(of: account) == [15_00, 15_00])
    }
  }

  @Test("what is wrong on the last page lets nothing of the message be booked")
  func nothing() async throws {
    try await Self.run { app, account, name in
      let messages = app.dependencies.incomingMessages
      // The fifth transfer is in a currency that the tenant does not settle in.
      let foreign = try Self.message("M-1", name, cents: [1_00, 2_00, 3_00, 4_00, 5_00], currency: "EUR").xml()
      let refused = try await #require(throws: Problem.self) {
        try await messages.take(.bytes(foreign), of: Self.tenant, by: "op", pages: Self.pages)
      }
      #expect(refused.code == "no-settlement-account")
      let whole = String(decoding: try Self.message("M-2", name, cents: [1_00, 2_00, 3_00]).xml(), as: UTF8.self)
      let wrong = MessageFile.bytes(Data(whole.replacing("<NbOfTxs>3<", with: "<NbOfTxs>4<").utf8))
      await #expect(throws: MessageFault.self) {
        try await messages.take(wrong, of: Self.tenant, by: "op", pages: Self.pages)
      }
      #expect(try await app.balance(of: account) == [0, 0])
    }
  }

  @Test("a file of a folder is put aside for what it says, and taken up again after a disk or a store failed")
  func reasons() {
    let used = Problem(.conflict, "message-reused", "Used.")
    #expect(PaymentFolder.reason(MessageFault("x")) == "x" && PaymentFolder.reason(MessageFault.changed) != nil)
    #expect(PaymentFolder.reason(used) == "message-reused: Used.")
    let passing: [any Error] = [MessageFault.unreadable, Problem.unexpected, Problem.unavailable, CancellationError()]
    #expect(passing.allSatisfy { PaymentFolder.reason($0) == nil })
  }

  @Test("an account that is named by 32 bytes which are fewer characters is unknown, and ends no program")
  func otherCharacters() async throws {
    try await Self.run { app, _, _ in
      var outcome = IncomingMessages.Outcome()
      outcome.suspended = 1
      for (place, name) in ["é", "😀é", "0é"].enumerated() {
        let count = 32 / name.utf8.count
        let text = String(repeating: name, count: count).padding(32)
        let bytes = try Self.message("M-\(place)", text, cents: [Int64(place) + 1]).xml()
        #expect(try await app.dependencies.incomingMessages.take(bytes, of: Self.tenant, by: "op") == outcome)
      }
    }
  }
}

extension String {
  /// With zeros up to so many bytes.
  fileprivate func padding(_ bytes: Int) -> String { self + String(repeating: "0", count: bytes - utf8.count) }
}
