// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: a message that is sent again by hand", .onOneEngine, .serialized)
struct ConsoleRedeliveryTests {
  /// A message that its receiver took, and the page that tells so.
  private static func delivered(_ console: ConsoleTestApp) async throws -> String {
    try await console.add()
    try await console.publish("e-1")
    try await console.settle()
    return WebhookDeliveryPage.path(try await console.delivery("e-1"))
  }

  @Test("one click sends it once more, under its id of then, and the audit names who did it")
  func once() async throws {
    try await ConsoleTestApp.run { console in
      let path = try await Self.delivered(console)
      let browser = try await console.signedIn()
      #expect(try await browser.open(path).html.contains("Delivered"))
      let page = try await browser.submit("\(path)/redeliver")
      #expect(page.status == 200 && page.path == path && page.html.contains("Waiting"))
      try await console.settle()
      #expect(console.posted.compactMap { $0.headers["webhook-id"] } == ["e-1", "e-1"])
      #expect(try await browser.open(path).html.contains("Delivered"))
      let delivery = try await console.delivery("e-1")
      let sender = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.sender })
      let story = try await console.story("webhook-delivery-\(delivery.id)")
      #expect(story == ["webhook.redelivered by agent:\(sender.id)"])
    }
  }

  @Test("the same form sent again, or two people at once, send it once; a page that is loaded anew may send it again")
  func twice() async throws {
    try await ConsoleTestApp.run { console in
      let path = try await Self.delivered(console)
      let (one, two) = (try await console.signedIn(), try await console.signedIn())
      let first = try #require(try await one.open(path).hidden("\(path)/redeliver"))
      let second = try #require(try await two.open(path).hidden("\(path)/redeliver"))
      async let mine = one.send("\(path)/redeliver", first)
      async let theirs = two.send("\(path)/redeliver", second)
      let statuses = try await Set([mine.status, theirs.status])
      #expect(statuses == [200, 409])
      try await console.settle()
      let again = try await one.send("\(path)/redeliver", first)
      #expect(again.status == 409 && again.html.contains("It has changed since you looked."))
      try await console.settle()
      let delivery = try await console.delivery("e-1")
      #expect(console.posted.count == 2)
      #expect(try await console.story("webhook-delivery-\(delivery.id)").count == 1)
      #expect(try await one.submit("\(path)/redeliver").status == 200)
      try await console.settle()
      #expect(console.posted.count == 3)
    }
  }

  @Test("a form of another site, of another session or of no session sends nothing")
  func foreignForms() async throws {
    try await ConsoleTestApp.run { console in
      let path = try await Self.delivered(console)
      let (browser, other) = (try await console.signedIn(), try await console.signedIn(ConsoleTestApp.sender))
      let own = try #require(try await browser.open(path).hidden("\(path)/redeliver"))
      let foreign = try #require(try await other.open(path).hidden("\(path)/redeliver"))
      #expect(own["csrf"] != foreign["csrf"])
      for form in [foreign, ["turn": own["turn"] ?? ""], ["turn": own["turn"] ?? "", "csrf": ""]] {
        #expect(try await browser.send("\(path)/redeliver", form).status == 403)
      }
      for turn in [nil, "", "x", "99999999999999999999"] as [String?] {
        #expect(
          try await browser.send("\(path)/redeliver", ["csrf": own["csrf"], "turn": turn].compactMapValues(\.self))
            .status == 400)
      }
      #expect(try await console.browser().send("\(path)/redeliver", own).title == "Sign in")
      try await console.settle()
      #expect(console.posted.count == 1)
      #expect(try await browser.send("\(path)/redeliver", own).status == 200)
    }
  }

  @Test("who may only look has no button, and sends nothing without it")
  func readers() async throws {
    try await ConsoleTestApp.run { console in
      let path = try await Self.delivered(console)
      let browser = try await console.signedIn(ConsoleTestApp.reader)
      let page = try await browser.open(path)
      #expect(page.title == "CustomerOnboarded" && !page.actions.contains("\(path)/redeliver"))
      let csrf = try #require(page.hidden("/console/sign-out")?["csrf"])
      let refused = try await browser.send("\(path)/redeliver", ["csrf": csrf, "turn": "1"])
      #expect(refused.status == 403 && refused.title == "Not for you")
      let lines = try await console.lines().filter { $0.action == "agent.refused" }
      #expect(lines.map { $0.facts["permission"] } == ["redeliver:webhooks"])
      try await console.settle()
      #expect(console.posted.count == 1)
    }
  }

  @Test("to an endpoint that is disabled nothing is sent from here")
  func disabled() async throws {
    try await ConsoleTestApp.run { console in
      console.then(410)
      let path = try await Self.delivered(console)
      let page = try await console.signedIn().open(path)
      #expect(page.html.contains("The endpoint is disabled: an operator has to enable it first."))
      #expect(!page.actions.contains("\(path)/redeliver"))
    }
  }
}
