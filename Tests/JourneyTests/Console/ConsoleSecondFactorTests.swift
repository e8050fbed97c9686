// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Identity
import Kit
import Storage
import Testing
import TestSupport

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: second factor, password and sessions", .serialized)
struct ConsoleSecondFactorTests {
  static let right = ["email": ConsoleTestApp.sender, "password": ConsoleTestApp.password]

  static let setUp = "/console/second-factor/authenticator"

  static func secret(_ page: DemoPage) throws -> Data {
    Data(base32: try #require(page.html.firstMatch(of: #/<code>([A-Z2-7 ]+)<\/code>/#)).1)
  }

  /// What an operator gave to the member.
  static func enrolmentCode(_ console: ConsoleTestApp) async throws -> String {
    let member = try await member(ConsoleTestApp.sender, console)
    return try await console.app.database.write { [factors = console.app.staff.factors] in
      try factors.issueEnrolmentCode(for: member.id, by: "agent:boss", in: $0).text
    }
  }

  static func attribute(_ name: String, _ page: DemoPage) throws -> String {
    String(try #require(page.html.firstMatch(of: try Regex("\(name)=\"([^\"]*)\"")))[1].substring ?? "")
  }

  static func code(_ secret: Data, _ console: ConsoleTestApp) -> String {
    TimeCode.code(secret, step: TimeCode.step(at: console.clock.now))
  }

  static func member(_ email: String, _ console: ConsoleTestApp) async throws -> StaffMember {
    try #require(try await console.app.staff.list(tenant: "default").first { $0.email == email })
  }

  /// Sets an app up from the account page.
  static func enrol(_ browser: DemoBrowser, _ console: ConsoleTestApp) async throws -> Data {
    let secret = try secret(try await browser.open(setUp))
    let page = try await browser.submit(
      setUp,
      [
        "code": code(secret, console), "enrolment_code": try await enrolmentCode(console),
        "current": ConsoleTestApp.password,
      ])
    try #require(page.title == "Recovery codes", "\(page.status) \(page.html)")
    console.clock.advance(by: .seconds(30))
    return secret
  }

  @Test("where the institution asks for it, a password alone opens nothing but the page that sets an app up")
  func required() async throws {
    try await ConsoleTestApp.run(secondFactor: true) { console in
      let browser = console.browser()
      try await browser.open("/console/sign-in")
      let page = try await browser.submit("/console/sign-in", Self.right)
      #expect(page.title == "Set up an authenticator app")
      let half = try #require(await browser.cookie)
      for path in ["/console/webhooks", "/console/account"] {
        let answer = try await console.send("GET", path, headers: ["cookie": half])
        #expect(answer.status == 303 && answer.headers["location"] == "/console/sign-in")
      }
      let secret = try Self.secret(page)
      let given = try await Self.enrolmentCode(console)
      #expect(try await browser.submit(Self.setUp, ["code": "000000", "enrolment_code": given]).status == 422)
      #expect(try await browser.submit(Self.setUp, ["code": Self.code(secret, console)]).status == 422)
      let codes = try await browser.submit(
        Self.setUp, ["code": Self.code(secret, console), "enrolment_code": given])
      #expect(codes.title == "Recovery codes" && codes.html.matches(of: /<code>[a-z2-7]{5}-[a-z2-7]{5}</).count == 10)
      #expect(try await browser.open("/console").title == "Webhooks")
      // The half is spent.
      let spent = try await console.send("GET", "/console/second-factor", headers: ["cookie": half])
      #expect(spent.headers["location"] == "/console")

      let second = console.browser()
      try await second.open("/console/sign-in")
      #expect(try await second.submit("/console/sign-in", Self.right).title == "Second factor")
      // A person who has only the password cannot set up another app.
      let other = try await console.send("GET", Self.setUp, headers: ["cookie": try #require(await second.cookie)])
      #expect(other.headers["location"] == "/console/sign-in")
      #expect(try await second.submit("/console/second-factor", ["code": Self.code(secret, console)]).status == 422)
      console.clock.advance(by: .seconds(30))
      let home = try await second.submit("/console/second-factor", ["code": Self.code(secret, console)])
      #expect(home.title == "Webhooks")

      let third = console.browser()
      try await third.open("/console/sign-in")
      try await third.submit("/console/sign-in", Self.right)
      let recovery = String(try #require(codes.html.firstMatch(of: /<code>([a-z2-7]{5}-[a-z2-7]{5})</)).1)
      #expect(try await third.submit("/console/second-factor", ["code": recovery]).title == "Webhooks")
      let member = try await Self.member(ConsoleTestApp.sender, console)
      #expect(
        try await console.story(member.id.rawValue, besides: "webhooks.listed") == [
          "staff.added by operator", "staff.authenticator_shown by \(member.actor)",
          "staff.enrolment_code_issued by agent:boss", "agent.sign_in_failed by system",
          "staff.authenticator_added by \(member.actor)",
          "agent.signed_in by \(member.actor)", "agent.sign_in_failed by system",
          "agent.signed_in by \(member.actor)", "staff.recovery_code_used by \(member.actor)",
          "agent.signed_in by \(member.actor)",
        ])
    }
  }

  @Test("a password alone sets no app up, and shows nothing of the app that the member sets up later")
  func stolenPassword() async throws {
    try await ConsoleTestApp.run(secondFactor: true) { console in
      func begin() async throws -> (browser: DemoBrowser, secret: Data) {
        let browser = console.browser()
        try await browser.open("/console/sign-in")
        return (browser, try Self.secret(try await browser.submit("/console/sign-in", Self.right)))
      }
      let given = try await Self.enrolmentCode(console)
      let (thief, stolen) = try await begin()
      func guess(_ enrolmentCode: String) async throws -> DemoPage {
        try await thief.submit(Self.setUp, ["code": Self.code(stolen, console), "enrolment_code": enrolmentCode])
      }
      for _ in 1...5 {
        let page = try await guess("aaaaa-aaaaa")
        #expect(page.status == 422 && page.html.contains("The enrolment code was not accepted."))
      }
      let locked = try await guess(given)
      #expect(locked.status == 423 && locked.html.contains("Try again in 15 minutes."))
      console.clock.advance(by: .minutes(15))

      let (again, seen) = try await begin()
      let (browser, secret) = try await begin()
      #expect(Set([stolen, seen, secret]).count == 3)
      // The secret of another session sets nothing up, even with the right enrolment code.
      let foreign = try await browser.submit(
        Self.setUp, ["code": Self.code(seen, console), "enrolment_code": given])
      #expect(foreign.status == 422)
      let codes = try await browser.submit(
        Self.setUp, ["code": Self.code(secret, console), "enrolment_code": given])
      #expect(codes.title == "Recovery codes")
      #expect(try await again.open(Self.setUp).title == "Sign in")
    }
  }

  @Test("between password and code there are five minutes, and five wrong codes lock for fifteen")
  func limits() async throws {
    try await ConsoleTestApp.run { console in
      let secret = try await Self.enrol(try await console.signedIn(), console)
      let browser = console.browser(from: "198.51.100.7")
      try await browser.open("/console/sign-in")
      try await browser.submit("/console/sign-in", Self.right)
      console.clock.advance(by: .minutes(5))
      let late = try await browser.submit("/console/second-factor", ["code": Self.code(secret, console)])
      #expect(late.title == "Sign in")
      try await browser.submit("/console/sign-in", Self.right)
      for _ in 1...5 {
        #expect(try await browser.submit("/console/second-factor", ["code": "000000"]).status == 422)
      }
      let locked = try await browser.submit("/console/second-factor", ["code": Self.code(secret, console)])
      #expect(locked.status == 423 && locked.html.contains("Try again in 15 minutes."))
      let member = try await Self.member(ConsoleTestApp.sender, console)
      let lines = try await console.app.database.read { try AuditStore($0).lines(of: member.id.rawValue) }
      #expect(lines.contains { $0.action == "agent.locked_out" && $0.facts["network"] == "198.51.100.0/24" })
    }
  }

  @Test("a security key is added on the account page, and signs in with the challenge of the page")
  func securityKey() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      #expect(try await !browser.open("/console/account").html.contains("data-passkey"))
      _ = try await Self.enrol(browser, console)
      let account = try await browser.open("/console/account")
      let (key, csrf) = (SoftwareAuthenticator(), try #require(account.hidden("/console/account/password")?["csrf"]))
      func challenge(_ page: DemoPage) throws -> Data {
        try #require(Data(base64URL: try Self.attribute("data-challenge", page)))
      }
      let (client, attestation) = key.registration(try challenge(account))
      let form = [
        "csrf": csrf, "current": ConsoleTestApp.password, "client_data": client.base64URL,
        "attestation": attestation.base64URL,
      ]
      #expect(try await browser.send("/console/account/keys", form).html.contains("The security key was added"))
      #expect(try await browser.send("/console/account/keys", form).status == 422)

      let other = console.browser()
      try await other.open("/console/sign-in")
      var page = try await other.submit("/console/sign-in", Self.right)
      #expect(try Self.attribute("data-credentials", page) == key.id.base64URL)
      func answer(_ challenge: Data, counter: UInt32, _ page: DemoPage) throws -> [String: String] {
        let (client, data, signature) = try key.assertion(challenge, counter: counter)
        return [
          "csrf": try #require(page.hidden("/console/second-factor")?["csrf"]), "credential": key.id.base64URL,
          "client_data": client.base64URL, "authenticator_data": data.base64URL, "signature": signature.base64URL,
        ]
      }
      let path = "/console/second-factor/key"
      page = try await other.send(path, try answer(Data(repeating: 1, count: 32), counter: 2, page))
      #expect(page.status == 422)
      #expect(try await other.send(path, try answer(try challenge(page), counter: 2, page)).title == "Webhooks")
    }
  }

  @Test("staff change their own password by the current one, which ends their other sessions")
  func password() async throws {
    try await ConsoleTestApp.run { console in
      let (browser, other) = (try await console.signedIn(), try await console.signedIn())
      try await browser.open("/console/account")
      func change(_ current: String, _ new: String) async throws -> DemoPage {
        try await browser.submit("/console/account/password", ["current": current, "new": new])
      }
      #expect(try await change("utopia lies eastward 9", "amaurot has many streets").status == 422)
      let weak = try await change(ConsoleTestApp.password, "too short")
      #expect(weak.status == 422 && weak.html.contains("at least 15 characters"))
      #expect(try await browser.open("/console/account").title == "Your account")
      let done = try await change(ConsoleTestApp.password, "amaurot has many streets")
      #expect(done.html.contains("The password was changed"))
      #expect(try await browser.open("/console/account").title == "Your account")
      #expect(try await other.open("/console/account").title == "Sign in")
      let again = console.browser()
      try await again.open("/console/sign-in")
      #expect(try await again.submit("/console/sign-in", Self.right).status == 422)
      let new = ["email": ConsoleTestApp.sender, "password": "amaurot has many streets"]
      #expect(try await again.submit("/console/sign-in", new).title == "Webhooks")
      let member = try await Self.member(ConsoleTestApp.sender, console)
      #expect(try await console.story(member.id.rawValue).contains("staff.password_set by \(member.actor)"))
    }
  }

  @Test("a session over the API ends after 15 minutes without a renewal, and after 12 hours in any case")
  func apiSessions() async throws {
    try await ConsoleTestApp.run { console in
      let base = "/api/v1/onboarding/agents/auth"
      func signIn() async throws -> TransportHeaders {
        try await console.send(
          "POST", "\(base)/token", headers: ["content-type": "application/json"],
          body: try JSONSerialization.data(withJSONObject: [
            "username": ConsoleTestApp.agent, "password": ConsoleTestApp.password,
          ])
        ).headers
      }
      func refresh(_ headers: TransportHeaders) async throws -> TransportResponse {
        var sent: TransportHeaders = ["content-type": "application/json"]
        sent["x-refresh-token"] = headers["x-refresh-token"]
        return try await console.send("POST", "\(base)/refresh-token", headers: sent, body: Data("{}".utf8))
      }
      func read(_ headers: TransportHeaders) async throws -> Int {
        var sent: TransportHeaders = [:]
        sent["x-access-token"] = headers["x-access-token"]
        return try await console.send("GET", "/api/v1/onboarding/customers", headers: sent).status
      }
      let idle = try await signIn()
      #expect(try await read(idle) == 200)
      console.clock.advance(by: .minutes(5))
      #expect(try await read(idle) == 401)
      console.clock.advance(by: .minutes(10))
      #expect(try await refresh(idle).status == 401)

      var busy = try await signIn()
      for _ in 0..<51 {
        console.clock.advance(by: .minutes(14))
        let renewed = try await refresh(busy)
        try #require(renewed.status == 200)
        busy = renewed.headers
      }
      #expect(try await read(busy) == 200)
      console.clock.advance(by: .minutes(6))
      #expect(try await read(busy) == 401)
      #expect(try await refresh(busy).status == 401)
    }
  }
}
