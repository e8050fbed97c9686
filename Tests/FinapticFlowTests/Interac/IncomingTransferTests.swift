// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: money that waits")
struct IncomingTransferTests {
  private typealias Result = FinapticAPI.AuthenticateIncomingTransferResponse

  private func look(_ app: AccountTestApp, _ number: String, as customer: MoneyCustomer) async throws
    -> AccountTestApp.Answer
  {
    try await app.call(
      .getIncomingTransferDetails, FinapticAPI.IncomingTransferRequest(interacPaymentNumber: number), as: customer)
  }

  private func answer(_ app: AccountTestApp, _ number: String, _ answer: String, as customer: MoneyCustomer)
    async throws -> AccountTestApp.Answer
  {
    // Who may not look at it answers all the same.
    let looked = try await look(app, number, as: customer)
    let details: FinapticAPI.IncomingTransferResponse? = looked.status == 200 ? try looked.view() : nil
    let hash = SecurityAnswer.hash(of: answer, salt: details?.transferDetails.hashSalt ?? "") ?? ""
    return try await app.call(
      .authenticateIncomingTransfer,
      FinapticAPI.AuthenticateIncomingTransferRequest(interacPaymentNumber: number, securityAnswer: hash),
      as: customer)
  }

  private func take(_ app: AccountTestApp, _ number: String, onto account: String? = nil, as customer: MoneyCustomer)
    async throws -> AccountTestApp.Answer
  {
    try await app.call(
      .completeIncomingTransfer,
      FinapticAPI.CompleteIncomingTransferRequest(
        interacPaymentNumber: number, targetAccountId: account ?? customer.account, recipientMemo: "Thanks"),
      as: customer)
  }

  private func decline(_ app: AccountTestApp, _ number: String, as customer: MoneyCustomer) async throws
    -> AccountTestApp.Answer
  {
    try await app.call(
      .declineIncomingTransfer, FinapticAPI.DeclineIncomingTransferRequest(interacPaymentNumber: number),
      as: customer)
  }

  private func asked(_ app: AccountTestApp, _ amount: String = "25.00") async throws -> String {
    try await app.send(amount, to: "ada@example.ca") {
      ($0.securityQuestion, $0.securityAnswer) = ("Which colour?", "Blue")
    }.interacPaymentNumber
  }

  @Test("asked, answered, taken once: it is on the account, with the sender's words")
  func taken() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let number = try await app.send(to: "ada@example.ca") {
        ($0.securityQuestion, $0.securityAnswer, $0.senderMemo) = ("Which colour?", "Blue", "Lunch")
        $0.remittance = .init(unstructured: .init(data: "Invoice 7"), structured: RemittanceTests.whole)
      }.interacPaymentNumber
      let notice = try #require(try await app.messages(to: "ada@example.ca").first)
      #expect(notice.body.contains("finaptic://interac/deposit?lang=en&paymentid=\(number)"))
      let details: FinapticAPI.IncomingTransferResponse = try await look(app, number, as: ada).view()
      #expect(details.transferDetails.transferStatus == "AVAILABLE" && details.transferDetails.authenticationRequired)
      #expect(details.transferDetails.securityQuestion == "Which colour?")
      #expect(details.transferDetails.transferAmount == .init(amount: "25.00", currency: "CAD"))
      #expect(try await take(app, number, as: ada).code == "TRANS_INTERAC_AUTHENTICATION_REQUIRED")
      let right: Result = try await answer(app, number, " blue ", as: ada).view()
      #expect(right.success)
      #expect(
        try await answer(app, number, "blue", as: ada).code == "TRANS_INTERAC_PREVIOUS_TRANSFER_IN_PROGRESS")
      let done: FinapticAPI.CompleteIncomingTransferResponse = try await take(app, number, as: ada).view()
      #expect(try await app.balance(ada.account) == 25_00)
      #expect(try await take(app, number, as: ada).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
      #expect(try await decline(app, number, as: ada).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
      #expect(try await answer(app, number, "blue", as: ada).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
      #expect(try await app.balance(ada.account) == 25_00)
      let shown: FinapticAPI.TransferDetails = try await app.call(
        .getTransferDetails, FinapticAPI.TransactionRequest(transactionId: done.transactionId), as: ada
      ).view()
      #expect(shown.transferType == "INTERAC_REGULAR_PAYMENT" && shown.customerRole == "RECIPIENT")
      #expect(shown.counterparty?.legalName == "Grace Hopper" && shown.clearingSystemRefNumber == number)
      #expect(shown.remittance?.unstructured?.data == "Invoice 7" && shown.remittance?.structured != nil)
    }
  }

  @Test("three wrong answers cancel it, and each one says whether another is allowed")
  func wrong() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let number = try await asked(app)
      for isLast in [false, false, true] {
        let result: Result = try await answer(app, number, "green", as: ada).view()
        #expect(!result.success && result.retryAllowed == !isLast)
      }
      #expect(try await answer(app, number, "blue", as: ada).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      #expect(try await take(app, number, as: ada).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      #expect(try await decline(app, number, as: ada).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      let details: FinapticAPI.IncomingTransferResponse = try await look(app, number, as: ada).view()
      #expect(details.transferDetails.transferStatus == "CANCELED")
      #expect(try await app.balance(ada.account) == 0)
    }
  }

  @Test("an unknown number, another customer's, another account, too much in a day")
  func refused() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2)
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      #expect(
        try await look(app, "CA0000000000", as: ada).refusal == "400 INVALID_ARGUMENT TRANS_INTERAC_INVALID_TRANSFER")
      let number = try await app.send("6000.00", to: "x@example.ca").interacPaymentNumber
      #expect(try await take(app, number, onto: bob.account, as: ada).code == "TRANS_INTERAC_INVALID_ACCOUNT")
      #expect(try await take(app, number, as: ada).status == 200)
      for call in [look, decline] {
        #expect(try await call(app, number, bob).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      }
      #expect(try await take(app, number, as: bob).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      #expect(try await answer(app, number, "x", as: bob).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      let second = try await app.send("4000.01", to: "x@example.ca").interacPaymentNumber
      #expect(
        try await take(app, second, as: ada).refusal
          == "400 FAILED_PRECONDITION TRANS_INTERAC_TRANSFER_LIMITS_EXCEEDED")
      app.clock.advance(by: .days(1))
      let again: FinapticAPI.AuthState = try await app.signIn(ada.email).view()
      let later = MoneyCustomer(id: ada.id, email: ada.email, token: again.accessToken, accounts: ada.accounts)
      #expect(try await take(app, second, as: later).status == 200)
      let own = try await app.send(to: "x@example.ca") { $0.customerId = bob.id }.interacPaymentNumber
      #expect(try await take(app, own, as: later).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      #expect(try await app.balance(ada.account) == 10_000_01)
    }
  }

  @Test("declined, recalled, or over: the sender has it again, and nothing was booked")
  func ended() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let (one, two, three) = (try await asked(app), try await asked(app), try await asked(app))
      #expect(try await decline(app, one, as: ada).status == 200)
      let simulation = try await app.simulation()
      let recalled = try await app.database.write {
        try simulation.recall(.init(interacPaymentNumber: two), in: $0)
      }
      #expect(recalled.transferStatus == "CANCELED")
      app.clock.advance(by: .days(31))
      let session: FinapticAPI.AuthState = try await app.signIn(ada.email).view()
      let later = MoneyCustomer(id: ada.id, email: ada.email, token: session.accessToken, accounts: ada.accounts)
      // Over for everybody at once, and in the store when the worker comes by.
      for _ in 0..<2 {
        for number in [one, two, three] {
          #expect(try await take(app, number, as: later).code == "TRANS_INTERAC_ALREADY_CANCELLED")
        }
        try await app.service.sweep()
      }
      let waiting = try await app.database.read {
        try $0.first("SELECT COUNT(*) AS count FROM finaptic_incoming_transfer WHERE status <> 'CANCELED'")?.get(
          "count", as: Int.self)
      }
      #expect(waiting == 0)
      #expect(try await app.balance(ada.account) == 0)
    }
  }

  @Test("of many who take it at once one does, and it is booked once")
  func race() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com")
      let bob = try await app.customer("bob@finaptic.com", name: "Bob")
      let number = try await app.send(to: "x@example.ca").interacPaymentNumber
      let codes = try await withThrowingTaskGroup(of: String?.self) { group in
        for turn in 0..<8 {
          group.addTask { try await take(app, number, as: turn.isMultiple(of: 2) ? ada : bob).code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.filter { $0 == nil }.count == 1, "\(codes)")
      let sums = [try await app.balance(ada.account), try await app.balance(bob.account)]
      #expect(sums.compactMap(\.self).sorted() == [0, 25_00])
    }
  }

  @Test("a customer who is blocked after the call was let in takes nothing")
  func blockedMeanwhile() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 1)
      let number = try await app.send("30.00", to: "x@example.ca").interacPaymentNumber
      // A block ends the sessions as well: here one goes on, as that of a call which is at work.
      try await app.database.write { [now = app.clock.now] tx in
        try tx.execute("UPDATE finaptic_user SET blocked_at = \(now)")
      }
      #expect(try await take(app, number, onto: ada.accounts[0], as: ada).status == 401)
      #expect(try await app.balance(ada.accounts[0]) == 0)
    }
  }

  @Test("what a customer takes at once is within the limit of a day, whatever account it goes to")
  func dayAtOnce() async throws {
    try await AccountTestApp.run { app in
      let ada = try await app.customer("ada@finaptic.com", accounts: 2)
      var numbers: [String] = []
      for _ in 0..<6 { numbers.append(try await app.send("3000.00", to: "x@example.ca").interacPaymentNumber) }
      let codes = try await withThrowingTaskGroup(of: String?.self) { [numbers] group in
        for (turn, number) in numbers.enumerated() {
          group.addTask { try await take(app, number, onto: ada.accounts[turn % 2], as: ada).code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.filter { $0 == nil }.count == 3, "\(codes)")
      #expect(codes.filter { $0 == "TRANS_INTERAC_TRANSFER_LIMITS_EXCEEDED" }.count == 3, "\(codes)")
      let sums = [try await app.balance(ada.accounts[0]), try await app.balance(ada.accounts[1])]
      #expect(sums.compactMap(\.self).reduce(0, +) == 9000_00)
    }
  }
}
