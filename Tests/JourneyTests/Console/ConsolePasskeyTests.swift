// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Console
@testable import Demonstration
@testable import GatehouseApp
@testable import Identity

@Suite("Console: a passkey alone", .onOneEngine, .serialized)
struct ConsolePasskeyTests {
  private typealias Factors = ConsoleSecondFactorTests
  private static let path = "/console/sign-in/passkey"

  /// A member whose browser kept a passkey.
  private static func registered(
    _ console: ConsoleTestApp
  ) async throws -> (key: SoftwareAuthenticator, member: StaffMember) {
    let browser = try await console.signedIn()
    _ = try await Factors.enrol(browser, console)
    let account = try await browser.open("/console/account")
    var key = SoftwareAuthenticator()
    key.flags = 0x05
    let challenge = try #require(Data(base64URL: try Factors.attribute("data-challenge", account)))
    let (client, attestation) = key.registration(challenge)
    let page = try await browser.send(
      "/console/account/keys",
      [
        "csrf": try #require(account.hidden("/console/account/keys")?["csrf"]), "current": ConsoleTestApp.password,
        "client_data": client.base64URL, "attestation": attestation.base64URL,
      ])
    try #require(page.html.contains("The security key was added"))
    return (key, try await Factors.member(ConsoleTestApp.sender, console))
  }

  /// What the script of a page sends.
  private static func answer(
    _ page: DemoPage, _ key: SoftwareAuthenticator, counter: UInt32, of member: StaffMember
  ) throws -> [String: String] {
    var form = try #require(page.hidden(path))
    let challenge = try #require(Data(base64URL: try Factors.attribute("data-challenge", page)))
    let (client, data, signature) = try key.assertion(challenge, counter: counter)
    form["credential"] = key.id.base64URL
    form["client_data"] = client.base64URL
    form["authenticator_data"] = data.base64URL
    form["signature"] = signature.base64URL
    form["user_handle"] = Data(member.id.rawValue.utf8).base64URL
    return form
  }

  @Test("it signs in with the challenge of the page, once, without password and code, and is audited")
  func signsIn() async throws {
    try await ConsoleTestApp.run { console in
      let (key, member) = try await Self.registered(console)
      let browser = console.browser(from: "198.51.100.7")
      let page = try await browser.open("/console/sign-in")
      #expect(page.html.contains(#"autocomplete="username webauthn""#))
      let form = try Self.answer(page, key, counter: 2, of: member)
      let visitor = try #require(await browser.cookie)
      #expect(try await browser.send(Self.path, form).title == "Webhooks")
      #expect(try await browser.open("/console/account").title == "Your account")
      let again = try await console.send(
        "POST", Self.path,
        headers: [
          "cookie": visitor, "content-type": "application/x-www-form-urlencoded", "x-forwarded-for": "198.51.100.7",
        ], body: Data(form.map { "\($0.key)=\($0.value)" }.joined(separator: "&").utf8))
      #expect(again.status == 422)
      #expect(String(decoding: again.body, as: UTF8.self).contains("The passkey was not accepted."))
      let lines = try await console.app.database.read { try AuditStore($0).lines(of: member.id.rawValue) }
      #expect(lines.contains { $0.action == "agent.signed_in" && $0.facts["factor"] == "passkey" })
      let failed = try #require(lines.last { $0.action == "agent.sign_in_failed" })
      #expect(failed.facts == ["reason": "key-challenge", "network": "198.51.100.0/24"])
    }
  }

  @Test("the answer to another browser's page, of a key that checked no person, or of a suspended member opens nothing")
  func refused() async throws {
    try await ConsoleTestApp.run { console in
      let (key, member) = try await Self.registered(console)
      let (browser, other) = (console.browser(), console.browser())
      let page = try await browser.open("/console/sign-in")
      var stolen = try Self.answer(page, key, counter: 2, of: member)
      stolen["csrf"] = try #require(try await other.open("/console/sign-in").hidden(Self.path)?["csrf"])
      #expect(try await other.send(Self.path, stolen).status == 422)
      var touched = key
      touched.flags = 0x01
      let unchecked = try await browser.send(Self.path, try Self.answer(page, touched, counter: 2, of: member))
      #expect(unchecked.status == 422)
      try await console.app.database.write { [staff = console.app.staff] in
        try staff.setActive(false, of: member.id, by: "agent:boss", in: $0)
      }
      let late = try await browser.send(Self.path, try Self.answer(unchecked, key, counter: 2, of: member))
      #expect(late.status == 422 && late.title == "Sign in")
      #expect(try await browser.open("/console/account").title == "Sign in")
    }
  }

  @Test("five wrong answers lock it, and the password of the member still asks for a code")
  func locked() async throws {
    try await ConsoleTestApp.run { console in
      let (key, member) = try await Self.registered(console)
      let browser = console.browser()
      var page = try await browser.open("/console/sign-in")
      for _ in 1...5 {
        var form = try Self.answer(page, key, counter: 2, of: member)
        form["user_handle"] = Data("another".utf8).base64URL
        page = try await browser.send(Self.path, form)
        #expect(page.status == 422)
      }
      page = try await browser.send(Self.path, try Self.answer(page, key, counter: 2, of: member))
      #expect(page.status == 423 && page.html.contains("Try again in 15 minutes."))
      #expect(try await browser.submit("/console/sign-in", Factors.right).title == "Second factor")
      console.clock.advance(by: .minutes(15))
      let fresh = console.browser()
      page = try await fresh.open("/console/sign-in")
      #expect(try await fresh.send(Self.path, try Self.answer(page, key, counter: 2, of: member)).title == "Webhooks")
    }
  }

  @Test("a member without a passkey signs in as before, also where the second factor is required")
  func without() async throws {
    try await ConsoleTestApp.run(secondFactor: true) { console in
      let browser = console.browser()
      try await browser.open("/console/sign-in")
      let page = try await browser.submit("/console/sign-in", Factors.right)
      #expect(page.title == "Set up an authenticator app")
    }
  }
}
