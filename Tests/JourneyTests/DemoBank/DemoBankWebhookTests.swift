// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseTransport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Demo bank: what the service tells it", .serialized)
struct DemoBankWebhookTests {
  /// An event about an order, as the service writes it.
  private static func event(
    _ order: String, _ state: String, amount: String = "12.50", payee: String = "Utopia Water Works",
    user: String = "customer-1"
  ) -> Data {
    Data(
      """
      {"type":"authorization.\(state)","timestamp":"2026-11-21T06:00:00Z","data":{"id":"1","reference":"\(order)",\
      "state":"\(state)","user_id":"\(user)","title":"t","amount":"\(amount)","currency":"EUR","payee":"\(payee)",\
      "created_at":"2026-11-21T06:00:00Z","expires_at":"2026-11-21T06:05:00Z","new_member":1}}
      """.utf8)
  }

  private static func tell(
    _ home: DemoBankTestApp, _ body: Data, secret: String? = nil, late: Int64 = 0, signing signed: Data? = nil
  ) async throws -> Int {
    let key = try #require(WebhookSecret(secret ?? home.bank.book.webhookSecret))
    var headers: TransportHeaders = ["content-type": "application/json"]
    for (name, value) in key.fields(id: "msg_1", seconds: home.clock.now.seconds + late, body: signed ?? body) {
      headers[name] = value
    }
    return try await home.send("POST", "/demo-bank/webhook", headers: headers, body: body).status
  }

  @Test("only the service's own word of now, about the very payment, ends an order, and its first word stands")
  func words() async throws {
    try await DemoBankTestApp.run { home in
      let customer = try await home.connected()
      let page = try await customer.order(DemoPayment())
      let path = try #require(page.orderPath)
      let order = String(try #require(path.split(separator: "/").last))
      let paid = Self.event(order, "confirmed")
      let other = "whsec_" + Data(repeating: 7, count: 32).base64EncodedString()
      #expect(try await home.send("POST", "/demo-bank/webhook", body: paid).status == 401)
      #expect(try await Self.tell(home, paid, secret: other) == 401)
      #expect(try await Self.tell(home, paid, late: -301) == 401)
      #expect(try await Self.tell(home, paid, late: 301) == 401)
      #expect(try await Self.tell(home, paid, signing: Self.event(order, "denied")) == 401)
      #expect(try await Self.tell(home, Data("{}".utf8)) == 422)
      for changed in [
        Self.event(order, "confirmed", amount: "9912.50"), Self.event(order, "confirmed", payee: "Somebody Else"),
        Self.event(order, "confirmed", user: "customer-2"),
      ] { #expect(try await Self.tell(home, changed) == 422) }
      #expect(try await customer.browser.open(path).state == "Waiting")
      #expect(try await Self.tell(home, Self.event("00000000-0000-7000-8000-000000000000", "confirmed")) == 204)
      #expect(try await Self.tell(home, paid) == 204)
      #expect(try await customer.browser.open(path).state == "Paid")
      #expect(try await Self.tell(home, paid) == 204)
      #expect(try await Self.tell(home, Self.event(order, "denied")) == 204)
      #expect(try await customer.browser.open(path).state == "Paid")
    }
  }

  @Test("a confirmation by a person who is no customer pays nothing")
  func stranger() async throws {
    try await DemoBankTestApp.run { home in
      let customer = try home.customer()
      let page = try await customer.order(DemoPayment(), by: "code")
      let path = try #require(page.orderPath)
      let order = String(try #require(path.split(separator: "/").last))
      #expect(try await Self.tell(home, Self.event(order, "confirmed", user: "nobody")) == 204)
      #expect(try await customer.browser.open(path).state == "Denied")
    }
  }
}
