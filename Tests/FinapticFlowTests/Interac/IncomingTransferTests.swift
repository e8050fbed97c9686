import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: money that waits")
struct IncomingTransferTests {
  private typealias Result = FinapticAPI.AuthenticateIncomingTransferResponse

  private func look(_ house: AccountHouse, _ number: String, as customer: MoneyCustomer) async throws
    -> AccountHouse.Answer
  {
    try await house.call(
      .getIncomingTransferDetails, FinapticAPI.IncomingTransferRequest(interacPaymentNumber: number), as: customer)
  }

  private func answer(_ house: AccountHouse, _ number: String, _ answer: String, as customer: MoneyCustomer)
    async throws -> AccountHouse.Answer
  {
    // Who may not look at it answers all the same.
    let looked = try await look(house, number, as: customer)
    let details: FinapticAPI.IncomingTransferResponse? = looked.status == 200 ? try looked.view() : nil
    let hash = SecurityAnswer.hash(of: answer, salt: details?.transferDetails.hashSalt ?? "") ?? ""
    return try await house.call(
      .authenticateIncomingTransfer,
      FinapticAPI.AuthenticateIncomingTransferRequest(interacPaymentNumber: number, securityAnswer: hash),
      as: customer)
  }

  private func take(_ house: AccountHouse, _ number: String, onto account: String? = nil, as customer: MoneyCustomer)
    async throws -> AccountHouse.Answer
  {
    try await house.call(
      .completeIncomingTransfer,
      FinapticAPI.CompleteIncomingTransferRequest(
        interacPaymentNumber: number, targetAccountId: account ?? customer.account, recipientMemo: "Thanks"),
      as: customer)
  }

  private func decline(_ house: AccountHouse, _ number: String, as customer: MoneyCustomer) async throws
    -> AccountHouse.Answer
  {
    try await house.call(
      .declineIncomingTransfer, FinapticAPI.DeclineIncomingTransferRequest(interacPaymentNumber: number),
      as: customer)
  }

  private func asked(_ house: AccountHouse, _ amount: String = "25.00") async throws -> String {
    try await house.send(amount, to: "ada@example.ca") {
      ($0.securityQuestion, $0.securityAnswer) = ("Which colour?", "Blue")
    }.interacPaymentNumber
  }

  @Test("asked, answered, taken once: it is on the account, with the sender's words")
  func taken() async throws {
    try await AccountHouse.run { house in
      let ada = try await house.customer("ada@finaptic.com")
      let number = try await house.send(to: "ada@example.ca") {
        ($0.securityQuestion, $0.securityAnswer, $0.senderMemo) = ("Which colour?", "Blue", "Lunch")
        $0.remittance = .init(unstructured: .init(data: "Invoice 7"), structured: RemittanceTests.whole)
      }.interacPaymentNumber
      let notice = try #require(try await house.messages(to: "ada@example.ca").first)
      #expect(notice.body.contains("finaptic://interac/deposit?lang=en&paymentid=\(number)"))
      let details: FinapticAPI.IncomingTransferResponse = try await look(house, number, as: ada).view()
      #expect(details.transferDetails.transferStatus == "AVAILABLE" && details.transferDetails.authenticationRequired)
      #expect(details.transferDetails.securityQuestion == "Which colour?")
      #expect(details.transferDetails.transferAmount == .init(amount: "25.00", currency: "CAD"))
      #expect(try await take(house, number, as: ada).code == "TRANS_INTERAC_AUTHENTICATION_REQUIRED")
      let right: Result = try await answer(house, number, " blue ", as: ada).view()
      #expect(right.success)
      #expect(
        try await answer(house, number, "blue", as: ada).code == "TRANS_INTERAC_PREVIOUS_TRANSFER_IN_PROGRESS")
      let done: FinapticAPI.CompleteIncomingTransferResponse = try await take(house, number, as: ada).view()
      #expect(try await house.balance(ada.account) == 25_00)
      #expect(try await take(house, number, as: ada).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
      #expect(try await decline(house, number, as: ada).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
      #expect(try await answer(house, number, "blue", as: ada).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
      #expect(try await house.balance(ada.account) == 25_00)
      let shown: FinapticAPI.TransferDetails = try await house.call(
        .getTransferDetails, FinapticAPI.TransactionRequest(transactionId: done.transactionId), as: ada
      ).view()
      #expect(shown.transferType == "INTERAC_REGULAR_PAYMENT" && shown.customerRole == "RECIPIENT")
      #expect(shown.counterparty?.legalName == "Grace Hopper" && shown.clearingSystemRefNumber == number)
      #expect(shown.remittance?.unstructured?.data == "Invoice 7" && shown.remittance?.structured != nil)
    }
  }

  @Test("three wrong answers cancel it, and each one says whether another is allowed")
  func wrong() async throws {
    try await AccountHouse.run { house in
      let ada = try await house.customer("ada@finaptic.com")
      let number = try await asked(house)
      for isLast in [false, false, true] {
        let result: Result = try await answer(house, number, "green", as: ada).view()
        #expect(!result.success && result.retryAllowed == !isLast)
      }
      #expect(try await answer(house, number, "blue", as: ada).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      #expect(try await take(house, number, as: ada).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      #expect(try await decline(house, number, as: ada).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      let details: FinapticAPI.IncomingTransferResponse = try await look(house, number, as: ada).view()
      #expect(details.transferDetails.transferStatus == "CANCELED")
      #expect(try await house.balance(ada.account) == 0)
    }
  }

  @Test("a number that is none, another customer's, another account, too much in a day")
  func refused() async throws {
    try await AccountHouse.run { house in
      let ada = try await house.customer("ada@finaptic.com", accounts: 2)
      let bob = try await house.customer("bob@finaptic.com", name: "Bob")
      #expect(
        try await look(house, "CA0000000000", as: ada).refusal == "400 INVALID_ARGUMENT TRANS_INTERAC_INVALID_TRANSFER")
      let number = try await house.send("6000.00", to: "x@example.ca").interacPaymentNumber
      #expect(try await take(house, number, onto: bob.account, as: ada).code == "TRANS_INTERAC_INVALID_ACCOUNT")
      #expect(try await take(house, number, as: ada).status == 200)
      for call in [look, decline] {
        #expect(try await call(house, number, bob).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      }
      #expect(try await take(house, number, as: bob).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      #expect(try await answer(house, number, "x", as: bob).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      let second = try await house.send("4000.01", to: "x@example.ca").interacPaymentNumber
      #expect(
        try await take(house, second, as: ada).refusal
          == "400 FAILED_PRECONDITION TRANS_INTERAC_TRANSFER_LIMITS_EXCEEDED")
      house.clock.advance(by: .days(1))
      let again: FinapticAPI.AuthState = try await house.signIn(ada.email).view()
      let later = MoneyCustomer(id: ada.id, email: ada.email, token: again.accessToken, accounts: ada.accounts)
      #expect(try await take(house, second, as: later).status == 200)
      let own = try await house.send(to: "x@example.ca") { $0.customerId = bob.id }.interacPaymentNumber
      #expect(try await take(house, own, as: later).code == "TRANS_INTERAC_INCONSISTENT_CUSTOMER")
      #expect(try await house.balance(ada.account) == 10_000_01)
    }
  }

  @Test("declined, recalled, or over: the sender has it again, and nothing was booked")
  func ended() async throws {
    try await AccountHouse.run { house in
      let ada = try await house.customer("ada@finaptic.com")
      let (one, two, three) = (try await asked(house), try await asked(house), try await asked(house))
      #expect(try await decline(house, one, as: ada).status == 200)
      let simulation = try await house.simulation()
      let recalled = try await house.database.write {
        try simulation.recall(.init(interacPaymentNumber: two), in: $0)
      }
      #expect(recalled.transferStatus == "CANCELED")
      house.clock.advance(by: .days(31))
      let session: FinapticAPI.AuthState = try await house.signIn(ada.email).view()
      let later = MoneyCustomer(id: ada.id, email: ada.email, token: session.accessToken, accounts: ada.accounts)
      // Over for everybody at once, and in the store when the worker comes by.
      for _ in 0..<2 {
        for number in [one, two, three] {
          #expect(try await take(house, number, as: later).code == "TRANS_INTERAC_ALREADY_CANCELLED")
        }
        try await FinapticEffects(house.room).sweep()
      }
      let waiting = try await house.database.read {
        try $0.first("SELECT COUNT(*) AS count FROM finaptic_incoming_transfer WHERE status <> 'CANCELED'")?.get(
          "count", as: Int.self)
      }
      #expect(waiting == 0)
      #expect(try await house.balance(ada.account) == 0)
    }
  }

  @Test("of many who take it at once one does, and it is booked once")
  func race() async throws {
    try await AccountHouse.run { house in
      let ada = try await house.customer("ada@finaptic.com")
      let bob = try await house.customer("bob@finaptic.com", name: "Bob")
      let number = try await house.send(to: "x@example.ca").interacPaymentNumber
      let codes = try await withThrowingTaskGroup(of: String?.self) { group in
        for turn in 0..<8 {
          group.addTask { try await take(house, number, as: turn.isMultiple(of: 2) ? ada : bob).code }
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(codes.filter { $0 == nil }.count == 1, "\(codes)")
      let sums = [try await house.balance(ada.account), try await house.balance(bob.account)]
      #expect(sums.compactMap(\.self).sorted() == [0, 25_00])
    }
  }
}
