// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Demo bank: what its pages take", .onOneEngine, .serialized)
struct DemoBankPageTests {
  @Test("a form of another site, of another browser or of an earlier sign-in changes nothing")
  func foreignForms() async throws {
    try await DemoBankTestApp.run { home in
      let login = home.bank.passwords[0]
      let fields = ["username": login.username, "password": login.password]
      let browser = home.browser()
      #expect(try await browser.send("/demo-bank/sign-in", fields).status == 403)
      try await browser.open("/demo-bank")
      let stale = try #require(await browser.page.hidden("/demo-bank/sign-in"))
      let other = home.browser()
      try await other.open("/demo-bank")
      #expect(try await other.send("/demo-bank/sign-in", stale.merging(fields) { one, _ in one }).status == 403)
      #expect(try await browser.submit("/demo-bank/sign-in", fields).title == "Good to see you, Ada Anyder")
      #expect(try await browser.send("/demo-bank/sign-out", stale).status == 403)
      #expect(try await browser.open("/demo-bank").title == "Good to see you, Ada Anyder")
    }
  }

  @Test("the cookie is for this page alone, hidden from scripts, and another one after signing in and out")
  func cookie() async throws {
    try await DemoBankTestApp.run { home in
      let set = try #require(try await home.send("GET", "/demo-bank").headers["set-cookie"])
      for part in ["HttpOnly", "SameSite=Lax", "Path=/demo-bank"] { #expect(set.contains(part), "\(set)") }
      let customer = try home.customer()
      try await customer.browser.open("/demo-bank")
      let before = await customer.browser.cookie
      _ = try await customer.signIn()
      let signedIn = await customer.browser.cookie
      #expect(before != signedIn)
      let out = try await customer.browser.submit("/demo-bank/sign-out")
      #expect(out.title == "Welcome")
      let copied = try await home.send("GET", "/demo-bank", headers: ["cookie": signedIn ?? ""])
      #expect(String(decoding: copied.body, as: UTF8.self).contains("<h1>Welcome</h1>"))
      home.clock.advance(by: .seconds(1))
      _ = try await customer.signIn()
      home.clock.advance(by: .seconds(1800))
      #expect(try await customer.browser.open("/demo-bank").title == "Welcome")
    }
  }

  @Test(
    "a wrong password and an unknown name are told alike; after ten tries even the right one is refused for a while")
  func guesses() async throws {
    try await DemoBankTestApp.run { home in
      let browser = home.browser()
      try await browser.open("/demo-bank")
      let unknown = try await browser.submit("/demo-bank/sign-in", ["username": "nobody", "password": "x"])
      #expect(unknown.status == 422 && unknown.html.contains("The name or the password is wrong."))
      for _ in 0..<10 {
        let wrong = try await browser.submit("/demo-bank/sign-in", ["username": "ada", "password": "x"])
        #expect(wrong.status == 422 && wrong.html.contains("The name or the password is wrong."))
      }
      let right = ["username": "ada", "password": home.bank.passwords[0].password]
      #expect(try await browser.submit("/demo-bank/sign-in", right).status == 429)
      home.clock.advance(by: .seconds(900))
      try await browser.open("/demo-bank")
      #expect(try await browser.submit("/demo-bank/sign-in", right).title == "Good to see you, Ada Anyder")
    }
  }

  @Test("what cannot be paid is said on the form, which keeps what was typed as text, and nothing is ordered")
  func faultyPayment() async throws {
    try await DemoBankTestApp.run { home in
      let customer = try home.customer()
      _ = try await customer.signIn()
      var payment = DemoPayment()
      (payment.payee, payment.account, payment.amount) = ("<script>\"x\"</script>", "ZZ84DEMO00000002000", "0,00")
      let page = try await customer.order(payment)
      #expect(page.status == 422 && page.title == "New payment")
      #expect(page.html.contains("The account is no IBAN") && page.html.contains("The amount: a number above zero"))
      #expect(!page.html.contains("<script") && page.html.contains("&lt;script&gt;"))
      #expect(try await customer.browser.open("/demo-bank").html.contains("None yet."))
    }
  }

  @Test("the same form sent twice is one order; another browser finds nothing there")
  func oneOrder() async throws {
    try await DemoBankTestApp.run { home in
      let customer = try await home.connected()
      try await customer.browser.open("/demo-bank/pay")
      let hidden = try #require(await customer.browser.page.hidden("/demo-bank/orders/payment"))
      let typed = ["payee": "P", "account": "ZZ83DEMO00000002000", "amount": "1", "currency": "EUR", "how": "phone"]
      let fields = hidden.merging(typed) { one, _ in one }
      let first = try await customer.browser.send("/demo-bank/orders/payment", fields)
      let second = try await customer.browser.send("/demo-bank/orders/payment", fields)
      let path = try #require(first.orderPath)
      #expect(second.orderPath == path && second.state == "Waiting")
      #expect(try await customer.phone.authorizations().authorizations.count == 1)
      #expect(try await home.browser().open(path).status == 404)
      let stranger = try home.customer(1)
      _ = try await stranger.signIn()
      #expect(try await stranger.browser.open(path).status == 404)
      try await stranger.browser.open("/demo-bank/pay")
      var theft = fields
      theft["csrf"] = await stranger.browser.page.hidden("/demo-bank/orders/payment")?["csrf"]
      #expect(try await stranger.browser.send("/demo-bank/orders/payment", theft).status == 404)
    }
  }

  @Test("a payment that was changed after it had been sent is asked about, and is an order of its own when it is sent")
  func changedOrder() async throws {
    try await DemoBankTestApp.run { home in
      let customer = try await home.connected()
      try await customer.browser.open("/demo-bank/pay")
      let hidden = try #require(await customer.browser.page.hidden("/demo-bank/orders/payment"))
      var typed = ["payee": "P", "account": "ZZ83DEMO00000002000", "amount": "1", "currency": "EUR", "how": "phone"]
      let first = try await customer.browser.send(
        "/demo-bank/orders/payment", hidden.merging(typed) { one, _ in one })
      #expect(first.state == "Waiting")
      // Back, and another amount.
      typed["amount"] = "2000"
      let changed = try await customer.browser.send(
        "/demo-bank/orders/payment", hidden.merging(typed) { one, _ in one })
      #expect(changed.status == 422 && changed.html.contains("was sent before") && changed.html.contains("2000"))
      #expect(try await customer.phone.authorizations().authorizations.map(\.title) == ["Pay 1.00 EUR"])
      let second = try await customer.browser.submit("/demo-bank/orders/payment", typed)
      #expect(second.state == "Waiting" && second.orderPath != first.orderPath)
      let titles = try await customer.phone.authorizations().authorizations.map(\.title)
      #expect(Set(titles) == ["Pay 1.00 EUR", "Pay 2000.00 EUR"])
    }
  }

  @Test("a customer cannot end the phone of another customer")
  func foreignPhone() async throws {
    try await DemoBankTestApp.run { home in
      let (ada, peter) = (try await home.connected(0), try await home.connected(1))
      let page = try await ada.browser.open("/demo-bank")
      let action = try #require(page.actions.first { $0.hasSuffix("/revoke") })
      try await peter.browser.open("/demo-bank")
      let csrf = try #require(await peter.browser.page.hidden("/demo-bank/sign-out"))
      #expect(try await peter.browser.send(action, csrf).status == 404)
      #expect(try await ada.browser.open("/demo-bank").phones == 1)
      #expect(try await ada.browser.submit(action).phones == 0)
      #expect(try await peter.browser.open("/demo-bank").phones == 1)
    }
  }
}
