// SPDX-License-Identifier: Apache-2.0

import Foundation
import SaltEdgeCore
import TestSupport
import Testing

@testable import Demonstration
@testable import GatehouseApp

@Suite("Demo bank: a customer with the Authenticator, through the SDK and the pages", .onOneEngine, .serialized)
struct DemoBankJourneyTests {
  @Test(
    "codes, payments, a denial, a time-out, signing in by a scan and taking leave show what they should, in v1 and v2")
  func stories() async throws {
    try await DemoBankTestApp.run { home in
      let log = DemoLog(screen: nil)
      let stage = DemoStage(
        address: home.address, folder: home.folder.path, seed: 1, clock: home.clock, log: log)
      try await stage.playSaltEdge(in: home.app, home.bank)
      let steps = await log.steps
      #expect(
        steps.flatMap { step in step.differences.map { "\(step.story), \(step.title): \($0), \(step.shown ?? "")" } }
          == [])
      #expect(Set(steps.map(\.story)) == ["Authenticator v1", "Authenticator v2"])
      #expect(steps.count == 28)
    }
  }

  @Test("a code for a signed-in customer connects a phone at once, and only once", arguments: [1, 2])
  func personalCode(version: Int) async throws {
    try await DemoBankTestApp.run { home in
      let customer = try home.customer(version: version)
      _ = try await customer.signIn()
      try await customer.browser.open("/demo-bank/connect?api=\(version)")
      let page = try await customer.browser.submit("/demo-bank/connect")
      #expect(page.html.contains("Ada Anyder"))
      try await customer.setUp()
      #expect(try await customer.connect(by: page).apiVersion == version)
      let thief = try home.customer(1, version: version)
      try await thief.setUp()
      await #expect(throws: (any Error).self) { _ = try await thief.connect(by: page) }
      #expect(try await customer.browser.open("/demo-bank").phones == 1)
    }
  }

  @Test("who cancels on the phone is not connected, and a sign-in that ended cannot be used again")
  func cancelled() async throws {
    try await DemoBankTestApp.run { home in
      let session = try await Self.session(home)
      let view = home.browser()
      let page = try await view.open("/demo-bank/enrol?session=\(session)")
      // What is connected, and where the proof goes, before the customer signs in.
      #expect(page.html.contains("You connect a device (") && page.html.contains("authenticator:"))
      let wrong = try await view.submit("/demo-bank/enrol", ["username": "ada", "password": "no", "action": "sign-in"])
      #expect(wrong.status == 422 && wrong.html.contains("wrong") && wrong.location == nil)
      let end = try await view.submit("/demo-bank/enrol", ["action": "cancel"])
      #expect(end.status == 303)
      #expect(end.location?.hasPrefix("authenticator://oauth/redirect?error_class=") == true)
      try await view.open("/demo-bank/enrol?session=\(session)")
      let login = home.bank.passwords[0]
      let late = try await view.submit(
        "/demo-bank/enrol", ["username": login.username, "password": login.password, "action": "sign-in"])
      #expect(late.status == 410 && late.location == nil)
    }
  }

  /// What the service names an enrolment by that a device asked for.
  private static func session(_ home: DemoBankTestApp) async throws -> String {
    let body = try JSONSerialization.data(withJSONObject: [
      "data": [
        "public_key": TestKeys.device().publicKey.pem, "return_url": "authenticator://oauth/redirect",
        "platform": "ios",
      ]
    ])
    let answer = try await home.send(
      "POST", "/saltedge/demobank/api/authenticator/v1/connections", headers: ["content-type": "application/json"],
      body: body)
    let text = String(decoding: answer.body, as: UTF8.self)
    return String(try #require(text.firstMatch(of: #/session=([A-Za-z0-9_\-]+)/#), "\(text)").1)
  }
}
