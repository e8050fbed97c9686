// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic: the world around a sandbox, over HTTP")
struct SimulationTests {
  private struct Outside {
    let app: AccountTestApp
    let basic: String

    init(_ app: AccountTestApp) async throws {
      self.app = app
      let issued = try await app.app.addFinapticClient(.sandbox, "world", tenant: AccountTestApp.tenant, by: "operator")
      basic = "Basic " + Data("\(issued.client.id):\(issued.secret)".utf8).base64EncodedString()
    }

    func play(_ step: String, _ body: String, once: String? = nil) async throws -> AccountTestApp.Answer {
      var headers = ["Authorization": basic]
      if let once { headers["Idempotency-Key"] = once }
      return try await app.call(.post, "\(SandboxRoutes.base)/\(step)", Data(body.utf8), headers: headers)
    }

    func deposit(_ amount: String, on account: String, once: String? = nil) async throws -> AccountTestApp.Answer {
      try await play(
        "deposits",
        #"{"account_id": "\#(account)", "amount": {"amount": "\#(amount)", "currency": "CAD"}, "payer_name": "Payer"}"#,
        once: once)
    }

    func send(_ more: String = "", once: String? = nil) async throws -> AccountTestApp.Answer {
      try await play(
        "interac/transfers",
        """
        {"alias_email": "pay@example.ca", "amount": {"amount": "25.00", "currency": "CAD"},
        "sender_name": "Grace Hopper"\(more)}
        """, once: once)
    }
  }

  @Test("a deposit is booked once under its key, on accounts that are there and book")
  func deposits() async throws {
    try await AccountTestApp.run { app in
      let (world, ada) = (try await Outside(app), try await app.customer("ada@finaptic.com"))
      let key = UUID().uuidString
      let first = try await world.deposit("10.00", on: ada.account, once: key).view(SimulationBodies.Booked.self)
      #expect(first.accountId == ada.account)
      #expect(try await world.deposit("10.00", on: ada.account, once: key).view() == first)
      #expect(try await world.deposit("10.01", on: ada.account, once: key).refusal == "409 ABORTED ABORTED")
      #expect(try await app.balance(ada.account) == 10_00)
      #expect(try await world.deposit("10.00", on: ada.account).status == 200)
      #expect(try await app.balance(ada.account) == 20_00)
      #expect(try await world.deposit("1.00", on: app.dependencies.core.world.randomUUID()).code == "NOT_FOUND")
      let sleeping = app.dependencies.core.world.randomUUID()
      try await app.database.write { [parts = app.dependencies] in
        try AccountTestApp.open(sleeping, of: ada.id, isActive: false, parts, in: $0)
      }
      #expect(try await world.deposit("1.00", on: sleeping).code == "FAILED_PRECONDITION")
      let wrong = try await world.deposit("0", on: "x")
      #expect(wrong.error?.details?.fieldViolations?.map(\.field) == ["accountId", "amount.amount"])
      let nobody = try await app.call(.post, "\(SandboxRoutes.base)/deposits", Data("{}".utf8))
      #expect(nobody.status == 401)
    }
  }

  @Test("money is sent once under its key, recalled while it waits, and goes straight to a confirmed alias")
  func interac() async throws {
    try await AccountTestApp.run { app in
      let (world, ada) = (try await Outside(app), try await app.customer("ada@finaptic.com"))
      typealias Sent = SimulationBodies.Sent
      let key = UUID().uuidString
      let waiting = try await world.send(once: key).view(Sent.self)
      #expect(waiting.transferStatus == "AVAILABLE" && waiting.accountId == nil)
      #expect(try await world.send(once: key).view() == waiting)
      let number = #"{"interac_payment_number": "\#(waiting.interacPaymentNumber)"}"#
      #expect(try await world.play("interac/recall", number).view(Sent.self).transferStatus == "CANCELED")
      #expect(try await world.play("interac/recall", number).code == "TRANS_INTERAC_ALREADY_CANCELLED")
      let unknown = #"{"interac_payment_number": "CA0000000000"}"#
      #expect(try await world.play("interac/recall", unknown).code == "TRANS_INTERAC_INVALID_TRANSFER")

      let made = try await app.call(
        .createRegistration,
        FinapticAPI.CreateRegistrationRequest(
          registration: .init(accountId: ada.account, aliasEmail: "pay@example.ca")), as: ada
      ).view(FinapticAPI.RegistrationResponse.self).registration
      #expect(try await world.send().view(Sent.self).transferStatus == "AVAILABLE")
      let id = try #require(made.registrationId)
      for _ in 0..<2 {
        #expect(try await world.play("interac/confirm", #"{"registration_id": "\#(id)"}"#).status == 200)
      }
      let nothing = #"{"registration_id": "\#(app.dependencies.core.world.randomUUID())"}"#
      #expect(try await world.play("interac/confirm", nothing).code == "NOT_FOUND")
      let sent = try await world.send().view(Sent.self)
      #expect(sent.transferStatus == "ACCEPTED" && sent.accountId == ada.account && sent.transactionId != nil)
      #expect(try await app.balance(ada.account) == 25_00)
      let gone = #"{"interac_payment_number": "\#(sent.interacPaymentNumber)"}"#
      #expect(try await world.play("interac/recall", gone).code == "TRANS_INTERAC_ALREADY_ACCEPTED")
    }
  }

  @Test("a question has an answer, and a named recipient is a customer")
  func refused() async throws {
    try await AccountTestApp.run { app in
      let world = try await Outside(app)
      let lonely = try await world.send(#", "security_question": "Which colour?""#)
      #expect(lonely.error?.details?.fieldViolations?.map(\.field) == ["securityAnswer"])
      let foreign = try await world.send(#", "security_question": "Which colour?", "security_answer": "синий""#)
      #expect(foreign.error?.details?.fieldViolations?.map(\.field) == ["securityAnswer"])
      #expect(
        try await world.send(#", "customer_id": "\#(app.dependencies.core.world.randomUUID())""#).code == "NOT_FOUND")
      #expect(try await world.play("interac/transfers", "{}").code == "INVALID_ARGUMENT")
      let rows = try await app.database.read { try $0.query("SELECT number FROM finaptic_incoming_transfer") }
      #expect(rows.isEmpty)
    }
  }
}
