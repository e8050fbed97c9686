// SPDX-License-Identifier: Apache-2.0
import Foundation
import Kit
import Ledger
import Storage
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import Payments

@Suite("Finaptic: payments to other banks, as they are ordered")
struct PaymentOrderTests {
  private static var tenant: Int { CardTestApp.tenant }
  private static let op = "operator:a"

  private static func order(_ account: BankAccount.ID, creditor: String = "Ann Other") -> OutgoingPayments.Order {
    .init(
      account: account, amount: Money(1_00, "CAD"), creditor: creditor, creditorAccount: "11-22",
      creditorBIC: "DEUTDEFF")
  }

  @Test("a payment names its payer and has letters that every bank takes, unless the tenant settles with others")
  func payer() async throws {
    try await CardTestApp.runSettling { app, _ in
      let (outgoing, settlement) = (app.dependencies.outgoingPayments, app.dependencies.settlement)
      func refused(_ order: OutgoingPayments.Order) async throws -> [String] {
        let problem = try await #require(throws: Problem.self) {
          try await outgoing.order(order, key: "no", of: Self.tenant, by: Self.op)
        }
        return problem.fields.map(\.pointer)
      }
      func sent(_ order: OutgoingPayments.Order, key: String, isOld: Bool = false) async throws -> CreditTransfer? {
        guard
          case .ordered(let payment) = try await outgoing.order(order, key: key, of: Self.tenant, by: Self.op)
        else { return nil }
        if isOld {
          try await app.database.write { tx in
            let store = BankPaymentStore(tx, vault: app.dependencies.core.vault)
            guard var row = try store.find(payment.id, tenant: Self.tenant) else { return }
            row.content?.debtor = nil
            row.content?.characters = nil
            try store.advance(row)
          }
        }
        guard
          case .message(let message) = try await outgoing.handOver(payment.reference, of: Self.tenant, by: Self.op),
          case .creditTransfers(let read) = try PaymentMessage.read(message.xml)
        else { return nil }
        return read.transfers.first
      }
      let account = try await app.open(for: app.customer("zoë")).account
      var order = Self.order(account, creditor: "علي")
      (order.remittance, order.endToEndID) = ("Loyer d’été", "/1")
      #expect(try await refused(order) == ["/creditor", "/remittance", "/end_to_end_id"])
      let other = try await app.open(for: app.customer("علي")).account
      #expect(try await refused(Self.order(other)) == ["/account"])
      for (key, isOld) in [("1", false), ("2", true)] {
        let plain = try #require(try await sent(Self.order(account), key: key, isOld: isOld))
        #expect(plain.debtor == "Zoe Tremblay")
        #expect(plain.debtorAccount?.text == account.rawValue.replacing("-", with: ""))
      }

      try await settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", characters: .any, of: Self.tenant, by: Self.op)
      let free = try #require(try await sent(order, key: "3"))
      #expect([free.debtor, free.creditor] == ["Zoë Tremblay", "علي"] && free.remittance == ["Loyer d’été"])
      _ = try await outgoing.order(Self.order(other), key: "4", of: Self.tenant, by: Self.op)
      try await settlement.set(
        "SETTLEMENT-9", currency: "CAD", bic: "WESTGB2L", characters: .basicLatin, of: Self.tenant, by: Self.op)
      // What left is the same message again, and is not held back where its characters were not kept; what did not
      // leave waits, and does not go without its payer.
      for isOld in [false, true] {
        let again = try await sent(order, key: "3", isOld: isOld)
        #expect(again?.debtor == (isOld ? "Zoe Tremblay" : "Zoë Tremblay") && again?.creditor == "علي")
      }
      #expect(try await sent(Self.order(other), key: "4", isOld: true) == nil)
      #expect(try await outgoing.deadLettered(of: Self.tenant).map(\.fault) == ["MessageFault"])

      // An order names the tenant's account too: a row of before may have another one.
      await #expect(throws: Problem.self) {
        try await settlement.set(
          "S_9", currency: "CAD", bic: "WESTGB2L", ordersTo: "DEUTDEFF", of: Self.tenant, by: Self.op)
      }
      try await app.database.write {
        _ = try $0.execute("UPDATE finaptic_settlement_account SET number = 'S_9', orders_to = 'DEUTDEFF'")
      }
      #expect(try await refused(Self.order(account)) == ["/characters"])
    }
  }

  @Test("a bank's own systems pay over HTTP, once for a key, with the second person, and see how it stands")
  func overHTTP() async throws {
    struct Order: Encodable {
      let account_id: String
      var amount = ["amount": "60.00", "currency": "CAD"]
      var creditor = "Ann Other"
      let creditor_account = "11-22"
      let creditor_bic = "DEUTDEFF"
    }
    struct View: Decodable {
      let status: String
      let payment_id: String?
      let approval_id: String?
    }
    try await CardTestApp.runSettling { app, desk in
      func call(_ path: String = "", _ body: Order?, once key: String? = nil) async throws -> (Int, View?) {
        let answer = try await desk.call("/payments\(path)", body, as: desk.maker, once: key)
        return (answer.status, try? JSONDecoder().decode(View.self, from: answer.body))
      }
      try await app.dependencies.fourEyes.setAmount(50_00, of: Self.tenant, by: Self.op)
      let (key, order) = (FourEyesClients.key(), Order(account_id: desk.account.rawValue))
      #expect(try await call("", order).0 == 400)
      let (asked, waiting) = try await call("", order, once: key)
      #expect(asked == 202 && waiting?.status == "AWAITING_APPROVAL")
      #expect(try await desk.decide(try #require(waiting?.approval_id)) == 200)
      // There is no money yet: nothing is booked, and the word stays.
      #expect(try await desk.problem(order, at: "/payments", once: key) == "409 declined")
      // Money changes what was agreed to.
      try await app.deposit(100_00, on: desk.account)
      #expect(try await desk.problem(order, at: "/payments", once: key) == "409 subject-changed")

      let other = FourEyesClients.key()
      let word = try #require(try await call("", order, once: other).1?.approval_id)
      #expect(try await desk.decide(word) == 200)
      var ids: Set<String> = []
      for _ in 0..<2 {
        let (status, view) = try await call("", order, once: other)
        #expect(status == 200 && view?.status == "ORDERED")
        if let id = view?.payment_id { ids.insert(id) }
      }
      let id = try #require(ids.first)
      #expect(try await desk.balance() == 40_00 && ids.count == 1)
      let changed = Order(account_id: desk.account.rawValue, creditor: "Eve")
      #expect(try await desk.problem(changed, at: "/payments", once: other) == "409 idempotency-conflict")
      #expect(try await call("", Order(account_id: desk.account.rawValue, creditor: "علي"), once: key).0 == 422)
      let outgoing = app.dependencies.outgoingPayments
      let message = try #require(try await outgoing.owed(of: Self.tenant).first).id
      _ = try await outgoing.handOver(message, of: Self.tenant, by: Self.op)
      #expect(try await call("/\(id)", nil).1?.status == "LEAVING")
      try await outgoing.told(message, of: Self.tenant, by: Self.op)
      #expect(try await call("/\(id)", nil).1?.status == "SENT")
      #expect(try await call("/\(FourEyesClients.key())", nil).0 == 404)
    }
  }
}
