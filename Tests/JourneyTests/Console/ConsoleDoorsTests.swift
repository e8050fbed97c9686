// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Identity
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

/// Walks over the routes of the console as the router has them, so that a page that is added is tried, too.
@Suite("Console: every page and every form, by those who must not", .serialized)
struct ConsoleDoorsTests {
  /// What a page is for before anybody is signed in. All links here are to nothing.
  private static let before: [String: Int] = [
    "GET /console/sign-in": 200, "GET /console/first-run/{token}": 200, "GET /console/invitation/{token}": 410,
    "GET /console/openid/{tenant}": 404, "GET /console/openid/{tenant}/callback": 404,
    "GET /console/openid/{tenant}/sign-out": 404, "POST /console/first-run/{token}": 410,
    "POST /console/invitation/{token}": 410, "POST /console/openid/{tenant}/logout": 404,
    "POST /console/sign-in": 403, "POST /console/sign-in/passkey": 403,
  ]
  /// What the script of a call posts is no form; what follows the password leads back to it.
  private static let noForms: [String: Int] = [
    "POST /console/calls/{call}/connected": 415, "POST /console/calls/{call}/end": 415,
    "POST /console/calls/{call}/join": 415, "POST /console/calls/{call}/leave": 415,
    "POST /console/calls/{call}/signals": 415, "POST /console/calls/{call}/snapshot": 400,
    "POST /console/second-factor": 303, "POST /console/second-factor/key": 303,
  ]
  /// What each member of staff has: the own account, and lists that show what the permissions allow.
  private static let ownPages: Set<String> = [
    "/console", "/console/account", "/console/approvals", "/console/queue", "/console/second-factor",
    "/console/second-factor/authenticator", "/console/session", "/console/sign-in", "/console/webhooks",
    "/console/first-run/{token}", "/console/invitation/{token}", "/console/openid/{tenant}",
  ]
  /// What each member of staff may post: about the own account and session, and into lists that show what the
  /// permissions allow.
  private static let ownForms: Set<String> = [
    "POST /console/account/display", "POST /console/account/keys", "POST /console/account/keys/remove",
    "POST /console/account/password", "POST /console/approvals/{approval}/decision",
    "POST /console/approvals/{approval}/withdrawal", "POST /console/lock",
    "POST /console/queue/next", "POST /console/second-factor", "POST /console/second-factor/authenticator",
    "POST /console/second-factor/key", "POST /console/sign-out",
  ]
  /// Without the customer whom they are about they are not there.
  private static let aboutSomebody: Set<String> = ["/console/calendar/book"]
  /// The live events of the queue, which show what the permissions allow and do not end by themselves.
  private static let ownStream = "/console/queue/events"

  private struct Route {
    let name: String
    let method: String
    let pattern: String
    let path: String

    static func all(_ console: ConsoleTestApp) -> [Route] {
      console.app.router().routes.compactMap { route in
        let (method, pattern) = (route.method.rawValue, route.path.description)
        guard pattern.hasPrefix("/console"), method == "GET" || method == "POST" else { return nil }
        let id = "01a21b23-f2c9-7546-a896-7661e75b0b46"
        return Route(
          name: "\(method) \(pattern)", method: method, pattern: pattern,
          path: pattern.replacing("{number}", with: "1").replacing(#/\{[a-z]+\}/#, with: id))
      }
    }
  }

  private static func status(
    _ route: Route, _ console: ConsoleTestApp, cookie: String?, csrf: String = "0"
  ) async throws -> (status: Int, location: String) {
    var headers: TransportHeaders = [:]
    if let cookie { headers["cookie"] = cookie }
    if route.method == "POST" { headers["content-type"] = "application/x-www-form-urlencoded" }
    let answer = try await console.send(
      route.method, route.path, headers: headers,
      body: route.method == "POST" ? Data("csrf=\(csrf)&text=x&why=other&reason=x".utf8) : nil)
    return (answer.status, answer.headers["location"] ?? "")
  }

  /// A member with some permissions, and the cookies of their browser.
  private static func member(
    _ email: String, _ permissions: Set<StaffPermission>, _ console: ConsoleTestApp
  ) async throws -> (browser: DemoBrowser, cookie: String) {
    try await console.app.staff.add(
      NewStaffMember(
        tenant: "default", email: email, name: "Bo Li", gender: .male, languages: ["en"], permissions: permissions,
        password: ConsoleTestApp.password), by: "operator")
    let browser = try await console.signedIn(email)
    return (browser, try #require(await browser.cookie))
  }

  @Test("without a session, with one that was copied before it ended, and by another site's form nothing opens or acts")
  func strangers() async throws {
    try await ConsoleTestApp.run { console in
      let routes = Route.all(console)
      #expect(routes.count > 90)
      let everything = StaffRole.permissions(of: Set(StaffRole.allCases))
      let (browser, cookie) = try await Self.member("boss@bank.example", everything, console)
      for route in routes where route.method == "POST" {
        let (status, location) = try await Self.status(route, console, cookie: cookie)
        #expect(status == Self.before[route.name] ?? Self.noForms[route.name] ?? 403, "\(route.name) forged")
        #expect(status != 303 || location == "/console/sign-in", "\(route.name) forged")
      }
      try await browser.open("/console/account")
      #expect(try await browser.submit("/console/sign-out").title == "Sign in")
      for (whose, cookie) in [("no session", nil), ("a copied one", cookie)] as [(String, String?)] {
        for route in routes {
          let (status, location) = try await Self.status(route, console, cookie: cookie)
          let asksFirst = status == 303 && (location.hasPrefix("/console/sign-in") || location == "/console")
          #expect(asksFirst || status == Self.before[route.name] ?? 404, "\(route.name) with \(whose): \(status)")
        }
      }
    }
  }

  @Test("each page that shows something leaves a line of who looked and why; every other test here counts the lines")
  func looks() async throws {
    try await ConsoleTestApp.run { console in
      let everything = StaffRole.permissions(of: Set(StaffRole.allCases))
      let (_, cookie) = try await Self.member("boss@bank.example", everything, console)
      let staff = try await console.app.staff.list(tenant: "default")
      let boss = try #require(staff.first { $0.email == "boss@bank.example" }).actor
      var looked = 0
      for route in Route.all(console) where route.method == "GET" && !route.pattern.contains("{") {
        if route.pattern == Self.ownStream || ConsoleTestApp.noLooks.contains(route.pattern) { continue }
        let before = try await console.lines().count { $0.actor == boss }
        let status = try await Self.status(route, console, cookie: cookie).status
        // What is about a customer has to be told which.
        if Self.aboutSomebody.contains(route.pattern) {
          #expect(status == 404, "\(route.name)")
          continue
        }
        #expect(status == 200, "\(route.name)")
        let own = try await console.lines().filter { $0.actor == boss }
        #expect(own.count > before, "\(route.name) leaves no line")
        looked += 1
      }
      #expect(looked > 15)
      let lines = try await console.lines().filter { $0.actor == boss && $0.action != "agent.signed_in" }
      #expect(lines.filter { $0.facts["why"] == nil }.map(\.action) == [])
    }
  }

  @Test("a member with one permission gets the pages and acts of that permission, and of others nothing")
  func roles() async throws {
    try await ConsoleTestApp.run { console in
      let (browser, _) = try await Self.member("one@bank.example", [.readWebhooks], console)
      let csrf = try #require(try await browser.open("/console/account").hidden("/console/sign-out")?["csrf"])
      let cookie = await browser.cookie
      var forms = 0
      for route in Route.all(console) where route.pattern != Self.ownStream {
        let isForm = route.method == "POST"
        if isForm, Self.before[route.name] != nil || Self.ownForms.contains(route.name) { continue }
        forms += isForm ? 1 : 0
        let status = try await Self.status(route, console, cookie: cookie, csrf: csrf).status
        let isRefused = status == 403 || status == 404
        #expect((!isForm && Self.ownPages.contains(route.pattern)) || isRefused, "\(route.name): \(status)")
      }
      #expect(forms > 30)
    }
  }
}
