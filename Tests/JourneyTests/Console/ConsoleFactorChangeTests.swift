// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing
import TestSupport

@testable import Console
@testable import Demonstration
@testable import GatehouseApp
@testable import Identity

@Suite("Console: factors change by the current password, which ends other sessions", .serialized)
struct ConsoleFactorChangeTests {
  private typealias Factors = ConsoleSecondFactorTests

  /// Another browser of the member, by a code of the app.
  private func signedIn(_ secret: Data, _ console: ConsoleTestApp) async throws -> DemoBrowser {
    console.clock.advance(by: .seconds(30))
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", Factors.right)
    let page = try await browser.submit("/console/second-factor", ["code": Factors.code(secret, console)])
    try #require(page.title == "Webhooks", "\(page.status) \(page.html)")
    return browser
  }

  private func state(_ console: ConsoleTestApp) async throws -> StaffFactors.State {
    try await console.app.staff.factors.state(of: Factors.member(ConsoleTestApp.sender, console).id)
  }

  @Test("an app is set up by a member who gives the password again, which ends every other session")
  func authenticator() async throws {
    try await ConsoleTestApp.run { console in
      let (browser, other) = (try await console.signedIn(), try await console.signedIn())
      let secret = try Factors.secret(try await browser.open(Factors.setUp))
      let given = try await Factors.enrolmentCode(console)
      func setUp(_ password: String) async throws -> DemoPage {
        try await browser.submit(
          Factors.setUp, ["code": Factors.code(secret, console), "enrolment_code": given, "current": password])
      }
      for password in ["", "utopia lies eastward 9"] {
        let page = try await setUp(password)
        #expect(page.status == 422 && page.html.contains("The current password is wrong."))
      }
      #expect(try await !state(console).isEnrolled)
      #expect(try await other.open("/console/account").title == "Your account")
      #expect(try await setUp(ConsoleTestApp.password).title == "Recovery codes")
      #expect(try await other.open("/console/account").title == "Sign in")
      #expect(try await browser.open("/console/account").title == "Your account")
    }
  }

  @Test("five wrong passwords lock the account page as they lock the sign-in")
  func guesses() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      try await browser.open(Factors.setUp)
      for _ in 1...5 { #expect(try await browser.submit(Factors.setUp, ["current": "wrong"]).status == 422) }
      let page = try await browser.submit(Factors.setUp, ["current": ConsoleTestApp.password])
      #expect(page.status == 423 && page.html.contains("Try again in 15 minutes."))
    }
  }

  @Test("a member without a password, as a provider brings them, gives a code instead and cannot set a password")
  func withoutPassword() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      let id = try await Factors.member(ConsoleTestApp.sender, console).id
      try await console.app.database.write { try StaffStore($0).setPasswordHash("openid", of: id) }
      #expect(try await !browser.open(Factors.setUp).html.contains("type=\"password\""))
      let secret = try await Factors.enrol(browser, console)
      let key = SoftwareAuthenticator()
      func add(_ proof: String) async throws -> DemoPage {
        let page = try await browser.open("/console/account")
        #expect(!page.html.contains("type=\"password\"") && page.html.contains("or a recovery code"))
        // A passkey alone counts where a password would.
        #expect(!page.html.contains("signs you in by itself"))
        let challenge = try #require(Data(base64URL: try Factors.attribute("data-challenge", page)))
        let (client, attestation) = key.registration(challenge)
        return try await browser.send(
          "/console/account/keys",
          [
            "csrf": try #require(page.hidden("/console/account/display")?["csrf"]), "current": proof,
            "client_data": client.base64URL, "attestation": attestation.base64URL,
          ])
      }
      let refused = try await add(ConsoleTestApp.password)
      #expect(refused.status == 422 && refused.html.contains("That was not accepted."))
      #expect(try await state(console).keys.isEmpty)
      #expect(try await add(Factors.code(secret, console)).html.contains("The security key was added"))
      console.clock.advance(by: .seconds(30))
      let page = try await browser.open("/console/account")
      let csrf = try #require(page.hidden("/console/account/display")?["csrf"])
      let password = ["csrf": csrf, "current": Factors.code(secret, console), "new": "utopia lies eastward 9"]
      #expect(try await browser.send("/console/account/password", password).status == 404)
      #expect(try await !console.app.staff.hasPassword(Factors.member(ConsoleTestApp.sender, console)))
    }
  }

  @Test("security keys are added and removed by a member who gives the password again, which ends every other session")
  func securityKeys() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      let secret = try await Factors.enrol(browser, console)
      let key = SoftwareAuthenticator()
      func add(_ password: String) async throws -> DemoPage {
        let page = try await browser.open("/console/account")
        #expect(page.html.contains("signs you in by itself"))
        let challenge = try #require(Data(base64URL: try Factors.attribute("data-challenge", page)))
        let (client, attestation) = key.registration(challenge)
        return try await browser.send(
          "/console/account/keys",
          [
            "csrf": try #require(page.hidden("/console/account/password")?["csrf"]), "current": password,
            "client_data": client.base64URL, "attestation": attestation.base64URL,
          ])
      }
      func remove(_ password: String) async throws -> DemoPage {
        try await browser.open("/console/account")
        return try await browser.submit("/console/account/keys/remove", ["current": password])
      }

      var other = try await signedIn(secret, console)
      #expect(try await add("").status == 422)
      #expect(try await state(console).keys.isEmpty)
      #expect(try await add(ConsoleTestApp.password).html.contains("The security key was added"))
      #expect(try await other.open("/console/account").title == "Sign in")

      other = try await signedIn(secret, console)
      #expect(try await remove("utopia lies eastward 9").status == 422)
      #expect(try await state(console).keys.map(\.credential.id) == [key.id])
      #expect(try await other.open("/console/account").title == "Your account")
      let csrf = try #require(try await browser.open("/console/account").hidden("/console/account/password")?["csrf"])
      let foreign = ["csrf": csrf, "current": ConsoleTestApp.password, "credential": "bm9uZQ"]
      #expect(try await browser.send("/console/account/keys/remove", foreign).status == 404)
      #expect(try await remove(ConsoleTestApp.password).html.contains("The security key was removed"))
      #expect(try await state(console).keys.isEmpty)
      #expect(try await other.open("/console/account").title == "Sign in")
      let member = try await Factors.member(ConsoleTestApp.sender, console)
      let story = try await console.story(member.id.rawValue)
      #expect(story.last == "staff.key_removed by \(member.actor)")
    }
  }
}
