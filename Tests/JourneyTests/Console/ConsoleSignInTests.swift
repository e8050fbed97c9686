// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseTransport
import Kit
import Storage
import Testing

@testable import Console
@testable import Demonstration
@testable import gatehouse
@testable import GatehouseApp

@Suite("Console: who comes in", .serialized)
struct ConsoleSignInTests {
  private static let wrong = "The e-mail address or the password is wrong."

  @Test("who is not signed in is asked to sign in, whatever they asked for")
  func signedOut() async throws {
    try await ConsoleTestApp.run { console in
      let endpoint = try await console.add()
      for path in ["/console", "/console/webhooks", "/console/webhooks/\(endpoint.id)", "/console/webhooks/none"] {
        let page = try await console.browser().open(path)
        #expect(page.title == "Sign in" && page.path == "/console/sign-in" && page.status == 200, "\(path)")
      }
      try await console.publish("e-1")
      let path = WebhookDeliveryPage.path(try await console.delivery("e-1"))
      #expect(try await console.send("GET", path).headers["location"] == "/console/sign-in")
      #expect(try await console.send("POST", "\(path)/redeliver").headers["location"] == "/console/sign-in")
      let forged = try await console.send(
        "GET", path, headers: ["cookie": "gatehouse_console=eyJhbGciOiJub25lIn0.e30."])
      #expect(forged.status == 303)
    }
  }

  @Test("a wrong password and an unknown address are told alike, and five tries lock an address even for the right one")
  func guesses() async throws {
    try await ConsoleTestApp.run { console in
      let browser = console.browser()
      try await browser.open("/console/sign-in")
      for email in ["nobody@bank.example"] + Array(repeating: ConsoleTestApp.reader, count: 5) {
        let page = try await browser.submit("/console/sign-in", ["email": email, "password": "utopia lies eastward 9"])
        #expect(page.status == 422 && page.html.contains(Self.wrong) && page.html.contains("value=\"\(email)\""))
      }
      let right = ["email": ConsoleTestApp.reader, "password": ConsoleTestApp.password]
      let locked = try await browser.submit("/console/sign-in", right)
      #expect(locked.status == 423 && locked.html.contains("Try again in 15 minutes."))
      console.clock.advance(by: .seconds(14 * 60 + 1))
      #expect(try await browser.submit("/console/sign-in", right).html.contains("Try again in a minute."))
      console.clock.advance(by: .seconds(59))
      #expect(try await browser.submit("/console/sign-in", right).title == "Webhooks")
    }
  }

  @Test("sign-ins from one address are counted together with those over the API")
  func addresses() async throws {
    try await ConsoleTestApp.run { console in
      let browser = console.browser(from: "198.51.100.7")
      try await browser.open("/console/sign-in")
      for number in 1...30 {
        let typed = ["email": "\(number)@bank.example", "password": "utopia lies eastward 9"]
        #expect(try await browser.submit("/console/sign-in", typed).status == 422)
      }
      let right = ["email": ConsoleTestApp.reader, "password": ConsoleTestApp.password]
      #expect(try await browser.submit("/console/sign-in", right).status == 429)
      #expect(try await Self.agentToken(console, from: "198.51.100.7").status == 429)
      let other = console.browser(from: "203.0.113.9")
      try await other.open("/console/sign-in")
      #expect(try await other.submit("/console/sign-in", right).title == "Webhooks")
    }
  }

  @Test("an agent without the permission has an account, and is told that the other pages are not for them")
  func withoutPermission() async throws {
    try await ConsoleTestApp.run { console in
      let browser = console.browser()
      try await browser.open("/console/sign-in")
      let typed = ["email": ConsoleTestApp.agent, "password": ConsoleTestApp.password]
      #expect(try await browser.submit("/console/sign-in", typed).title == "Work queue")
      #expect(try await browser.open("/console").title == "Work queue")
      let page = try await browser.open("/console/webhooks")
      #expect(page.status == 403 && page.html.contains("does not have the permission"))
      let member = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.agent })
      let story = try await console.story(member.id.rawValue)
      let looks = ["agent.signed_in", "cases.listed", "cases.listed", "agent.refused"]
      let own = looks.map { "\($0) by agent:\(member.id)" }
      #expect(story == ["staff.added by operator"] + own)
    }
  }

  @Test("a sign-in ends the session that the browser had")
  func again() async throws {
    try await ConsoleTestApp.run { console in
      let browser = console.browser()
      let csrf = try #require(try await browser.open("/console/sign-in").hidden("/console/sign-in")?["csrf"])
      let visitor = try #require(await browser.cookie)
      // As a browser does that keeps both cookies.
      func signIn(_ email: String, _ cookies: [String]) async throws -> String {
        let form = "csrf=\(csrf)&email=\(email)&password=\(ConsoleTestApp.password.replacing(" ", with: "+"))"
        let answer = try await console.send(
          "POST", "/console/sign-in",
          headers: [
            "cookie": ([visitor] + cookies).joined(separator: "; "),
            "content-type": "application/x-www-form-urlencoded",
          ], body: Data(form.utf8))
        try #require(answer.status == 303)
        return try #require(answer.headers["set-cookie"]?.split(separator: ";").first.map(String.init))
      }
      let first = try await signIn(ConsoleTestApp.reader, [])
      let second = try await signIn(ConsoleTestApp.sender, [first])
      let pages = "/console/webhooks"
      #expect(try await console.send("GET", pages, headers: ["cookie": first]).status == 303)
      #expect(try await console.send("GET", pages, headers: ["cookie": second]).status == 200)
      let reader = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.reader })
      let story = try await console.story(reader.id.rawValue, besides: "webhooks.listed")
      let own = ["agent.signed_in", "agent.signed_out"].map { "\($0) by agent:\(reader.id)" }
      #expect(story == ["staff.added by operator"] + own)
    }
  }

  @Test("the cookies are for this host alone, for no script, for no other site, and for TLS where there is TLS")
  func cookies() async throws {
    for (publicURL, isSecure) in [(nil, false), ("https://console.bank.example", true)] as [(String?, Bool)] {
      try await ConsoleTestApp.run(publicURL: publicURL) { console in
        let form = try #require(try await console.send("GET", "/console/sign-in").headers["set-cookie"])
        let browser = try await console.signedIn()
        let page = try await console.send(
          "GET", "/console/webhooks", headers: ["cookie": try #require(await browser.cookie)])
        let session = try #require(page.headers["set-cookie"])
        let prefix = isSecure ? "__Host-" : ""
        #expect(session.hasPrefix("\(prefix)gatehouse_console=eyJ"))
        #expect(form.hasPrefix("\(prefix)gatehouse_console_form="))
        for cookie in [form, session] {
          let parts = cookie.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
          for part in [isSecure ? "Path=/" : "Path=/console", "HttpOnly", "SameSite=Strict"] {
            #expect(parts.contains(part), "\(cookie)")
          }
          #expect(parts.contains("Secure") == isSecure && !cookie.contains("Domain"))
        }
        // What a neighbour's page or one without TLS may have put there counts for nothing where there is TLS.
        let token = try #require(await browser.cookie?.split(separator: "=").last)
        let planted = try await console.send(
          "GET", "/console/webhooks", headers: ["cookie": "gatehouse_console=\(token)"])
        #expect(planted.status == (isSecure ? 303 : 200))
      }
    }
  }

  @Test("a session lasts while it is used, a quarter of an hour without use at most, and twelve hours in all")
  func idle() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      for _ in 0..<4 {
        console.clock.advance(by: .minutes(14))
        #expect(try await browser.open("/console/webhooks").title == "Webhooks")
      }
      console.clock.advance(by: .minutes(15))
      #expect(try await browser.open("/console/webhooks").title == "Sign in")

      let busy = try await console.signedIn()
      for _ in 0..<51 {
        console.clock.advance(by: .minutes(14))
        #expect(try await busy.open("/console/webhooks").title == "Webhooks")
      }
      console.clock.advance(by: .minutes(6))
      #expect(try await busy.open("/console/webhooks").title == "Sign in")
    }
  }

  @Test(
    "who signs out is out, also when the cookie was kept; who is suspended or loses the permission is out at once")
  func leaving() async throws {
    try await ConsoleTestApp.run { console in
      let browser = try await console.signedIn()
      let kept = try #require(await browser.cookie)
      #expect(try await browser.submit("/console/sign-out").title == "Sign in")
      #expect(await browser.cookie?.hasPrefix("gatehouse_console_form=") == true)
      #expect(try await console.send("GET", "/console/webhooks", headers: ["cookie": kept]).status == 303)

      let (app, database) = (console.app, console.app.database)
      let members = try await app.staff.list(tenant: "default")
      let sender = try #require(members.first { $0.email == ConsoleTestApp.sender })
      let story = try await console.story(sender.id.rawValue, besides: "webhooks.listed")
      let own = ["agent.signed_in", "agent.signed_out"].map { "\($0) by agent:\(sender.id)" }
      #expect(story == ["staff.added by operator"] + own)
      let other = try await console.signedIn()
      _ = try await StaffAvailability(app: app).setActive(false, of: sender.id, by: "operator")
      #expect(try await other.open("/console/webhooks").title == "Sign in")

      let reader = try #require(members.first { $0.email == ConsoleTestApp.reader })
      let third = try await console.signedIn(ConsoleTestApp.reader)
      try await database.write {
        try app.staff.setPermissions([.readCustomers], of: reader.id, by: "operator", in: $0)
      }
      #expect(try await third.open("/console/webhooks").title == "Not for you")
    }
  }

  @Test("a session of the console opens nothing of the API, and an agent's token nothing of the console")
  func audiences() async throws {
    try await ConsoleTestApp.run { console in
      let cookie = try #require(try await console.signedIn().cookie)
      let token = cookie.dropFirst("gatehouse_console=".count)
      let queue = "/api/v1/onboarding/customers"
      #expect(try await console.send("GET", queue, headers: ["x-access-token": String(token)]).status == 401)
      let agents = try #require(try await Self.agentToken(console, ConsoleTestApp.sender).headers["x-access-token"])
      let page = try await console.send(
        "GET", "/console/webhooks", headers: ["cookie": "gatehouse_console=\(agents)"])
      #expect(page.headers["location"] == "/console/sign-in")
    }
  }

  @Test("a form of another site or of another browser signs no one in or out")
  func foreignForms() async throws {
    try await ConsoleTestApp.run { console in
      let typed = ["email": ConsoleTestApp.sender, "password": ConsoleTestApp.password]
      let browser = console.browser()
      #expect(try await browser.send("/console/sign-in", typed).status == 403)
      let other = console.browser()
      let theirs = try #require(try await other.open("/console/sign-in").hidden("/console/sign-in"))
      try await browser.open("/console/sign-in")
      #expect(try await browser.send("/console/sign-in", typed.merging(theirs) { one, _ in one }).status == 403)
      try await browser.open("/console/sign-in")
      #expect(try await browser.submit("/console/sign-in", typed).title == "Webhooks")
      for form in [theirs, [:], ["csrf": ""]] {
        #expect(try await browser.send("/console/sign-out", form).status == 403)
      }
      let signedIn = try #require(try await console.signedIn(ConsoleTestApp.reader).page.hidden("/console/sign-out"))
      #expect(try await browser.send("/console/sign-out", signedIn).status == 403)
      #expect(try await browser.open("/console/webhooks").title == "Webhooks")
      // Without the cookie, as another site sends it: no session ends.
      let blind = try await console.send("POST", "/console/sign-out")
      #expect(blind.status == 303 && blind.headers["set-cookie"] == nil)
    }
  }

  /// What an agent's program does.
  private static func agentToken(
    _ console: ConsoleTestApp, _ email: String = ConsoleTestApp.agent, from address: String? = nil
  ) async throws -> TransportResponse {
    var headers: TransportHeaders = ["content-type": "application/json"]
    headers["x-forwarded-for"] = address
    return try await console.send(
      "POST", "/api/v1/onboarding/agents/auth/token", headers: headers,
      body: try JSONSerialization.data(withJSONObject: ["username": email, "password": ConsoleTestApp.password]))
  }
}
