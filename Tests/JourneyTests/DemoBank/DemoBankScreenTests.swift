// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite(
  "Demo bank: its pages in a browser, as wide as a phone", .onOneEngine, .serialized,
  .enabled(if: Chromium.isInstalled, "\(Chromium.missing)"))
struct DemoBankScreenTests {
  @Test("no page is wider than a small phone, needs a script, or has a picture that its own policy keeps away")
  func layout() async throws {
    try await DemoBankTestApp.run { home in
      let pages = try await Self.pages(home)
      try Chromium.expectFitting(pages, widths: [320, 390, 844], named: "", in: home.folder)
      if Axe.script != nil { try Axe.expectNone(pages, in: home.folder) }
    }
  }

  @Test(
    "a code can be scanned from the screen, under the page's own policy, and says what the link says",
    arguments: [1, 2])
  func scan(version: Int) async throws {
    try await DemoBankTestApp.run { home in
      let target = "/demo-bank/connect?api=\(version)"
      let link = try #require(try await home.browser().open(target).link)
      let address = try #require(URL(string: target, relativeTo: home.address)).absoluteString
      let screen = try Chromium.screenshot(address, width: 390, height: 844, in: home.folder)
      #expect(try QRCode.text(in: screen) == link)
    }
  }

  /// Every page there is, in the states that it comes in.
  private static func pages(_ home: DemoBankTestApp) async throws -> [(name: String, html: String)] {
    var pages: [(String, String)] = []
    let visitor = home.browser()
    pages.append(("home", try await visitor.open("/demo-bank").html))
    let wrong = try await visitor.submit("/demo-bank/sign-in", ["username": "ada", "password": "x"])
    pages.append(("home-refused", wrong.html))
    pages.append(("problem", try await visitor.open("/demo-bank/orders/none").html))
    pages.append(("enrol", try await visitor.open("/demo-bank/enrol?session=abc").html))
    try await visitor.open("/demo-bank")
    pages.append(("order-sign-in", try await visitor.submit("/demo-bank/orders/sign-in").html))

    let customer = try home.customer()
    pages.append(("account-new", try await customer.signIn().html))
    let waitsForPhone = try await customer.order(DemoPayment())
    pages.append(("order-no-phone", waitsForPhone.html))
    pages.append(("connect-v1", try await customer.browser.open("/demo-bank/connect?api=1").html))
    let code = try await customer.browser.open("/demo-bank/connect?api=2")
    pages.append(("connect-v2", code.html))
    let personal = try await customer.browser.submit("/demo-bank/connect")
    pages.append(("connect-personal", personal.html))
    try await customer.setUp()
    _ = try await customer.connect(by: personal)
    pages.append(("pay", try await customer.browser.open("/demo-bank/pay").html))
    var payment = DemoPayment()
    payment.payee = "Compagnie-internationale-des-wagons-lits-et-des-grands-express-europée"
    payment.reference = String(repeating: "W", count: 140)
    payment.amount = "999999999.99"
    payment.account = "ZZ"
    pages.append(("pay-faulty", try await customer.order(payment).html))
    payment.account = DemoPayment().account
    let paid = try await customer.order(payment)
    pages.append(("order-waiting", paid.html))
    _ = try await customer.decide(try await customer.waiting(), confirms: true)
    let settled = try await customer.settled(paid).html
    pages.append(("order-paid", settled))
    // As a person sees it who runs the test by hand.
    #expect(settled.contains("authorization_code"))
    pages.append(("order-proof", settled.replacing("<details>", with: "<details open>")))
    let denied = try await customer.order(DemoPayment())
    _ = try await customer.decide(try await customer.waiting(), confirms: false)
    pages.append(("order-denied", try await customer.settled(denied).html))
    pages.append(("order-code", try await customer.order(DemoPayment(), by: "code").html))
    let late = try await customer.order(DemoPayment())
    home.clock.advance(by: .seconds(400))
    try await home.app.saltEdgeEffects.jobs.runOnce()
    pages.append(("order-late", try await customer.settled(late).html))
    pages.append(("account", try await customer.browser.open("/demo-bank").html))
    return pages
  }
}
