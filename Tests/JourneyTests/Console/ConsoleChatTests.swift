// SPDX-License-Identifier: Apache-2.0

import Conversations
import FinapticFlow
import Foundation
import Identity
import Kit
import Testing

@testable import Console
@testable import Demonstration
@testable import GatehouseApp

@Suite("Console: conversations with customers", .onOneEngine, .serialized)
struct ConsoleChatTests {
  private static let base = "/console/chats"
  private static let script = "<script>alert(1)</script>"
  private static let (kim, lee) = ("kim@bank.example", "lee@bank.example")

  /// A customer of tenant 7 who waits for an answer, and whose every word is markup.
  private static func ask(_ console: ConsoleTestApp) async throws -> Conversation {
    let parts = console.app.finaptic.dependencies
    let known = try await parts.tenants.list().map(\.id)
    for number in [7, 8] where !known.contains(number) {
      try await parts.tenants.add(number, name: "Bank", kind: .sandbox, by: "test")
    }
    let conversations = parts.conversations
    return try await console.app.database.write { tx in
      let opened = try conversations.begin(script, by: "customer-1", called: script, tenant: "finaptic-7", in: tx)
      _ = try conversations.write(
        "\(script) & \"where\"\nis my card?", clientID: nil, over: opened.contact, of: opened.conversation, in: tx)
      return opened.conversation
    }
  }

  private static func path(_ chat: Conversation) -> String { "\(base)/finaptic-7/\(chat.id)" }

  private static func add(
    _ email: String, _ console: ConsoleTestApp, may permissions: Set<StaffPermission> = [.chatCustomers]
  ) async throws -> StaffMember {
    try await console.app.staff.add(
      .init(
        tenant: "default", email: email, name: "Staff <i>\(email.prefix(3))</i>", gender: .female, languages: ["en"],
        permissions: permissions, password: ConsoleTestApp.password), by: "operator")
    return try #require(try await console.app.staff.list(tenant: "default").first { $0.email == email })
  }

  private static func signedIn(_ email: String, _ console: ConsoleTestApp) async throws -> DemoBrowser {
    let browser = console.browser()
    try await browser.open("/console/sign-in")
    try await browser.submit("/console/sign-in", ["email": email, "password": ConsoleTestApp.password])
    return browser
  }

  /// The list and a conversation in the states that they come in, for the tests that look at every page.
  static func pages(_ console: ConsoleTestApp) async throws -> [(name: String, html: String)] {
    let chat = try await ask(console)
    _ = try await add(kim, console)
    _ = try await add(lee, console)
    let (first, second) = (try await signedIn(kim, console), try await signedIn(lee, console))
    var pages = [(name: "chats", html: try await first.open(base).html)]
    pages.append(("chat-free", try await first.open(path(chat)).html))
    try await first.submit("\(path(chat))/take", ["name": String(repeating: "K", count: 100)])
    let long = String(repeating: "w", count: 200)
    pages.append(("chat-mine", try await first.submit("\(path(chat))/messages", ["text": long]).html))
    pages.append(("chats-held", try await first.open(base).html))
    pages.append(("chat-other", try await second.open(path(chat)).html))
    let cookie = try #require(await first.cookie)
    let arabic = try await console.send("GET", path(chat), headers: ["cookie": "\(cookie); gatehouse_display=ar."])
    pages.append(("chat-ar", String(decoding: arabic.body, as: UTF8.self)))
    try await first.open(path(chat))
    try await first.submit("\(path(chat))/resolve")
    pages.append(("chat-over", try await first.open(path(chat)).html))
    return pages
  }

  @Test("an agent finds who waits, takes the conversation, answers once and closes; what others wrote is text")
  func answered() async throws {
    try await ConsoleTestApp.run { console in
      let chat = try await Self.ask(console)
      let (member, path) = (try await Self.add(Self.kim, console), Self.path(chat))
      let browser = try await Self.signedIn(Self.kim, console)
      let list = try await browser.open(Self.base)
      #expect(list.title == "Chats" && list.html.contains(path) && list.html.contains("&lt;script&gt;"))
      let free = try await browser.open(path)
      #expect(free.html.contains("is my card?") && free.html.contains("Staff &lt;i&gt;"))
      // What a customer wrote stays in no history of a browser.
      #expect(free.html.contains("<title>Chats · "))
      for page in [list, free] { #expect(!page.html.contains(Self.script) && !page.html.contains("<i>")) }

      let mine = try await browser.submit("\(path)/take", ["name": "Kim"])
      #expect(mine.html.contains("Your answer") && mine.html.contains("Kim joined the conversation."))
      let blank = try await browser.submit("\(path)/messages", ["text": " \n "])
      #expect(blank.status == 422 && blank.html.contains("Write an answer."))
      let long = String(repeating: "x", count: 1025)
      let refused = try await browser.submit("\(path)/messages", ["text": long])
      #expect(refused.status == 422 && refused.html.contains(">\(long)</textarea>"))
      let form = try #require(await browser.page.hidden("\(path)/messages"))
      for _ in 0..<2 {
        let said = try await browser.send(
          "\(path)/messages", form.merging(["text": "On <b>its</b> way"]) { _, typed in typed })
        #expect(said.status == 200 && said.html.contains("answered") && !said.html.contains("<b>"))
        #expect(said.html.ranges(of: "On &lt;b&gt;").count == 1)
      }
      #expect(try await browser.open(Self.base).html.contains("No other customer waits for an answer."))
      try await browser.open(path)
      #expect(try await browser.submit("\(path)/resolve").title == "Chats")
      #expect(try await browser.open(path).html.contains("It goes on when the customer writes again."))
      let late = try await browser.send("\(path)/messages", form.merging(["text": "More"]) { _, typed in typed })
      #expect([409, 410].contains(late.status) && late.html.contains("role=\"alert\""))
      let story = try await console.story("finaptic-conversation-\(chat.id)")
      for action in ["read", "taken", "answered", "resolved"] {
        #expect(story.contains("finaptic.chat.\(action) by \(member.actor)"), "\(action)")
      }
    }
  }

  @Test("one agent at a time has a conversation, gives it to a colleague who may have it, and puts it back")
  func hands() async throws {
    try await ConsoleTestApp.run { console in
      let path = Self.path(try await Self.ask(console))
      _ = try await Self.add(Self.kim, console)
      let taker = try await Self.add(Self.lee, console)
      let first = try await Self.signedIn(Self.kim, console)
      let second = try await Self.signedIn(Self.lee, console)
      try await first.open(path)
      try await first.submit("\(path)/take", ["name": "Kim"])
      let other = try await second.open(path)
      #expect(other.html.contains("Take over from the colleague") && !other.html.contains("Your answer"))
      let csrf = try #require(other.hidden("\(path)/take")?["csrf"])
      let refused = try await second.send("\(path)/messages", ["csrf": csrf, "text": "Hello"])
      #expect(refused.status == 409 && refused.html.contains("A colleague has this conversation in hand."))
      #expect(try await second.send("\(path)/take", ["csrf": csrf, "name": "Lee"]).status == 409)
      #expect(try await second.send("\(path)/hand-over", ["csrf": csrf, "to": taker.id.rawValue]).status == 409)

      let reader = try #require(
        try await console.app.staff.list(tenant: "default").first { $0.email == ConsoleTestApp.reader })
      #expect(try await first.submit("\(path)/hand-over", ["to": reader.id.rawValue]).status == 403)
      try await first.open(path)
      let given = try await first.submit("\(path)/hand-over", ["to": taker.id.rawValue])
      #expect(given.title == "Chats" && given.html.contains("You have no conversation in hand."))
      let mine = try await second.open(path)
      #expect(mine.html.contains("Your answer") && mine.html.contains("Kim left the conversation."))
      #expect(try await second.submit("\(path)/hand-back").title == "Chats")
      let free = try await first.open(path)
      #expect(free.html.contains("Name that the customer reads") && free.html.contains("Take in hand"))
      try await first.submit("\(path)/take", ["name": "Kim"])
      try await second.open(path)
      let taken = try await second.submit("\(path)/take", ["name": "Lee"])
      #expect(taken.html.contains("Your answer") && taken.html.contains("Lee joined the conversation."))
    }
  }

  @Test("who may not answer customers, a forged form, another tenant and another desk open nothing")
  func doors() async throws {
    try await ConsoleTestApp.run { console in
      let chat = try await Self.ask(console)
      let (member, path) = (try await Self.add(Self.kim, console), Self.path(chat))
      #expect(try await console.send("GET", path).status == 303)
      #expect(try await console.send("GET", "\(path)/events").status == 404)
      let agent = try await Self.signedIn(ConsoleTestApp.agent, console)
      for address in [Self.base, path, "\(path)/events"] {
        #expect(try await agent.open(address).status == 403, "\(address)")
      }
      let browser = try await Self.signedIn(Self.kim, console)
      for name in ["finaptic-8/\(chat.id)", "finaptic-9/\(chat.id)", "default/\(chat.id)", "finaptic-7/nothing"] {
        #expect(try await browser.open("\(Self.base)/\(name)").status == 404, "\(name)")
      }
      try await browser.open(path)
      #expect(try await browser.submit("\(path)/take", ["csrf": "0", "name": "Kim"]).status == 403)

      // The page reads itself again: the session is not renewed, and the audit has no line for each time.
      let cookie = try #require(await browser.cookie)
      func looks() async throws -> Int {
        try await console.story("finaptic-conversation-\(chat.id)").count { $0.hasPrefix("finaptic.chat.read") }
      }
      let before = try await looks()
      for _ in 0..<2 {
        let again = try await console.send("GET", "\(path)?live=1", headers: ["cookie": cookie])
        #expect(again.status == 200 && again.headers["set-cookie"] == nil)
      }
      #expect(try await looks() == before)

      var policy = console.app.caseService.policy
      policy.otherDesk = "another"
      let parts = console.app.finaptic.dependencies
      let source = FinapticChatSource(
        chats: parts.agentChats, tenants: parts.tenants, staff: console.app.staff, policy: policy,
        world: console.clock.world)
      let name = ChatName(tenant: "finaptic-7", id: chat.id)
      await #expect(throws: Problem.notFound) { try await source.open(name, isRefresh: false, for: member) }
      await #expect(throws: Problem.notFound) { try await source.resolve(name, by: member) }
      #expect(try await source.conversations(of: [name], for: member).isEmpty)
      #expect(try await source.held(by: member).isEmpty)
    }
  }
}
