// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import FinapticWire
import Identity
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp
@testable import HTTP

@Suite("Finaptic help center: the calls", .timeLimit(.minutes(1)))
struct HelpCenterTests {
  @Test("a conversation from its beginning to its end, told once and in order")
  func talk() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let chat = try await app.startChat(token)
      #expect(chat.messages == [] && chat.position == 0)
      let secret = try await app.app.addFinapticClient(.chat, "desk", tenant: AccountTestApp.tenant, by: "operator")
      #expect(try await app.say("Hello,\nmy card is gone", chat, token: token).status == 200)
      let queue = try await app.callAsAgent(.get, "", secret: secret)
      #expect(queue.json.contains(chat.contactId) && queue.json.contains("My card"))
      let kim: [String: Any] = ["agent": "kim", "display_name": "Kim"]
      #expect(try await app.callAsAgent("/\(chat.contactId)/take", kim, secret: secret).status == 200)
      #expect(try await app.callAsAgent("/\(chat.contactId)/typing", ["agent": "kim"], secret: secret).status == 204)
      let id = UUID().uuidString
      for _ in 0..<2 {
        let said = try await app.callAsAgent(
          "/\(chat.contactId)/messages", ["agent": "kim", "text": "Locked.", "message_id": id], secret: secret)
        #expect(said.status == 200)
      }
      var threads: FinapticAPI.ChatThreadsResponse =
        try await app.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      #expect(threads.items.map(\.status) == ["WAITING_FOR_CUSTOMER"] && threads.nextToken == nil)
      #expect(
        try await app.help("sendTyping", FinapticAPI.ChatRequest(chatToken: chat.chatToken), token: token).status
          == 200)
      #expect(try await app.callAsAgent("/\(chat.contactId)/resolve", ["agent": "kim"], secret: secret).status == 200)
      let all = try await app.told(chat, token: token)
      #expect(
        all == [
          "message Hello,\nmy card is gone", "joined Kim", "message Kim joined the conversation.", "typing Kim",
          "message Locked.", "message The conversation was closed.", "ended RESOLVED",
        ])
      #expect(try await app.told(chat, token: token, after: "5") == Array(all.suffix(2)))
      // A position that was never given is refused.
      #expect(try await app.told(chat, token: token, after: "999") == all)
      #expect(try await app.say("One more", chat, token: token).code == "FAILED_PRECONDITION")
      threads = try await app.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      #expect(threads.items.map(\.status) == ["RESOLVED"])
      let again = try await app.startChat(token, thread: chat.contactId)
      #expect(again.contactId == chat.contactId && again.messages?.count == 4)
      #expect(again.messages?.first?.participantRole == "SYSTEM_MESSAGE")
      let detail = try await app.callAsAgent(.get, "/\(chat.contactId)", secret: secret)
      #expect(detail.status == 200 && detail.json.contains("Locked."))
    }
  }

  @Test("an empty id of a thread is a new thread, whose subject is asked for as of any other")
  func emptyThread() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let asked = FinapticAPI.StartChatRequest(displayName: "Ada", subject: "", contactCaseId: "")
      #expect(try await app.help("startChat", asked, token: token).code == "INVALID_ARGUMENT")
      let chat = try await app.startChat(token, subject: "My card", thread: "")
      let threads: FinapticAPI.ChatThreadsResponse =
        try await app.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      #expect(threads.items.map(\.subject) == ["My card"] && threads.items.map(\.id) == [chat.contactId])
    }
  }

  @Test("who may: users talk, customers list, strangers find nothing")
  func callers() async throws {
    try await AccountTestApp.run { app in
      let (token, other) = (
        try await app.talker(isCustomer: false), try await app.talker("other@finaptic.com")
      )
      let chat = try await app.startChat(token)
      let (threads, history) = (
        FinapticAPI.ListChatThreadsRequest(), FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId)
      )
      #expect(try await app.help("startChat", EmptyBody(), token: nil).code == "UNAUTHENTICATED")
      #expect(try await app.help("listChatThreads", threads, token: nil).code == "UNAUTHENTICATED")
      #expect(try await app.help("listChatThreads", threads, token: token).code == "PERMISSION_DENIED")
      #expect(try await app.help("listChatHistory", history, token: token).code == "PERMISSION_DENIED")
      #expect(try await app.help("listChatHistory", history, token: other).code == "NOT_FOUND")
      #expect(try await app.say("Hi", chat, token: other).code == "NOT_FOUND")
      let resumed = try await app.help(
        "startChat",
        FinapticAPI.StartChatRequest(displayName: "Eve", subject: "x", contactCaseId: chat.contactId), token: other)
      #expect(resumed.code == "NOT_FOUND")
      let stop = FinapticAPI.ChatRequest(chatToken: chat.chatToken)
      #expect(try await app.help("stopContact", stop, token: other).code == "NOT_FOUND")
      for _ in 0..<2 { #expect(try await app.help("stopContact", stop, token: token).status == 200) }
      #expect(try await app.told(chat, token: token) == ["ended STOPPED"])
      let stranger = try await app.call(
        .get, FinapticAPI.chatEventsPath,
        headers: ["X-Client-Key": app.key, "Authorization": "Bearer \(other)", "X-Chat-Token": chat.chatToken])
      #expect(stranger.code == "NOT_FOUND")
    }
  }

  @Test("what is wrong is said at once, with the members' names in Swift")
  func refusals() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let empty = try await app.help("startChat", EmptyBody(), token: token)
      #expect(empty.code == "INVALID_ARGUMENT")
      #expect(Set(empty.error?.details?.fieldViolations?.map(\.field) ?? []) == ["displayName", "subject"])
      let long = FinapticAPI.StartChatRequest(
        displayName: String(repeating: "x", count: 101), subject: String(repeating: "x", count: 257),
        contactCaseId: nil)
      #expect(try await app.help("startChat", long, token: token).error?.details?.fieldViolations?.count == 2)
      let chat = try await app.startChat(token)
      for text in [
        nil, "", " \n ", String(repeating: "x", count: 1025), "notifier \u{7}", "\u{2066}\u{202e}", "\u{e0061}",
        "\u{200d}\u{2800}", "one\u{e000}two",
      ] {
        let refused = try await app.say(text, chat, token: token)
        #expect(refused.code == "INVALID_ARGUMENT", "\(text ?? "nil")")
        #expect(refused.error?.details?.fieldViolations?.map(\.field) == ["messageContent"])
      }
      #expect(try await app.say(String(repeating: "é", count: 1024), chat, token: token).status == 200)
      // As telephones copy a number, and programs an end of a line.
      let pasted: FinapticAPI.SendMessageResponse =
        try await app.say("Call \u{202a}+1 514 555 0143\u{202c},\u{2028}please\u{feff}", chat, token: token).view()
      #expect(pasted.message.content == "Call +1 514 555 0143,\nplease")
      #expect(try await app.say("x", chat, token: token, id: "no uuid").code == "INVALID_ARGUMENT")
      let id = UUID().uuidString
      let first: FinapticAPI.SendMessageResponse = try await app.say("x", chat, token: token, id: id).view()
      let second: FinapticAPI.SendMessageResponse = try await app.say("x", chat, token: token, id: id).view()
      #expect(first == second)
      #expect(try await app.say("y", chat, token: token, id: id).code == "ABORTED")
      var none = chat
      none.chatToken = "none"
      #expect(try await app.say("x", none, token: token).code == "NOT_FOUND")
      let naked = try await app.call(
        .get, FinapticAPI.chatEventsPath,
        headers: ["X-Client-Key": app.key, "Authorization": "Bearer \(token)"])
      #expect(naked.code == "INVALID_ARGUMENT")
    }
  }

  @Test("white space around a message neither counts nor is kept, and its lines stay as they were written")
  func blanks() async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let chat = try await app.startChat(token)
      let longest = String(repeating: "é", count: 1024)
      for (text, kept) in [("\(longest) \r\n", longest), (" \n\tOne\n\n  two \n", "One\n\n  two")] {
        let id = UUID().uuidString
        let sent: FinapticAPI.SendMessageResponse = try await app.say(text, chat, token: token, id: id).view()
        #expect(sent.message.content == kept)
        let again: FinapticAPI.SendMessageResponse = try await app.say(kept, chat, token: token, id: id).view()
        #expect(again == sent)
      }
      #expect(try await app.say("\(longest)x ", chat, token: token).code == "INVALID_ARGUMENT")
    }
  }

  @Test("who follows is told nothing after they were blocked or signed out", arguments: [true, false])
  func endedSession(isBlocked: Bool) async throws {
    try await AccountTestApp.run { app in
      let token = try await app.talker()
      let chat = try await app.startChat(token)
      #expect(try await app.say("Hello", chat, token: token).status == 200)
      let (dependencies, world) = (app.service.dependencies, app.clock.world)
      let (sessions, customer) = (dependencies.sessions, try await app.user().id.rawValue)
      let tenant = FinapticTenant.session(AccountTestApp.tenant)
      let identity = try await sessions.verify(token, tenant: tenant)
      let contact = try await app.database.read { tx in
        try dependencies.conversations.contact(chat.chatToken, of: customer, tenant: tenant, in: tx).0
      }
      let routes = HelpCenterRoutes(
        calls: app.service.calls, commands: dependencies.helpCenter,
        events: ServerSentEvents(live: LiveEvents(database: app.database, world: world), world: world),
        sessions: sessions, states: Sessions.states(in: app.database))
      let texts = ChatTexts(texts: dependencies.texts, institution: "Maple Bank", locale: "en")
      let feed = routes.feed(of: contact, texts, for: identity)
      let told = try await feed.next(0, .seconds(10))
      #expect(told.events.count == 1 && !told.isLast)
      if isBlocked {
        _ = try await dependencies.users.setBlocked(true, customer, tenant: AccountTestApp.tenant, by: "agent:1")
      } else {
        try await app.database.write { _ = try sessions.revoke(identity.family, in: $0) }
      }
      let untold = try await feed.next(0, .seconds(10))
      #expect(untold.events.isEmpty && untold.isLast && untold.position == 0)
    }
  }

  @Test("lists come in pages of fifty whose tokens are good for one call of one user")
  func pages() async throws {
    try await AccountTestApp.run { app in
      let (token, other) = (try await app.talker(), try await app.talker("other@finaptic.com"))
      let chat = try await app.startChat(token)
      let service = app.service
      let customer = try await app.user().id.rawValue
      // As fast as the store takes them.
      try await app.database.write { tx in
        for number in 0..<120 {
          let (contact, conversation) = try service.dependencies.conversations.contact(
            chat.chatToken, of: customer, tenant: "finaptic-7", in: tx)
          _ = try service.dependencies.conversations.write(
            "m\(number)", clientID: nil, over: contact, of: conversation, in: tx)
        }
      }
      var (texts, next): ([String], String?) = ([], "")
      var tokens: [String] = []
      while let page = next {
        let answer: FinapticAPI.ChatHistoryResponse = try await app.help(
          "listChatHistory", FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId, nextToken: page),
          token: token
        ).view()
        texts += answer.items.map(\.content)
        next = answer.nextToken
        if let next { tokens.append(next) }
        // Rows that are added meanwhile are on no later page.
        try await app.say("new", chat, token: token)
      }
      #expect(texts == (0..<120).reversed().map { "m\($0)" } && tokens.count == 2)
      let stolen = try #require(tokens.first)
      for (bad, who) in [(stolen + "0", token), ("x.y", token), ("..", token), (stolen, other)] {
        let refused = try await app.help(
          "listChatHistory", FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId, nextToken: bad),
          token: who)
        #expect(["INVALID_ARGUMENT", "NOT_FOUND"].contains(refused.code ?? ""), "\(bad)")
      }
      let crossed = try await app.help(
        "listChatThreads", FinapticAPI.ListChatThreadsRequest(nextToken: stolen), token: token)
      #expect(crossed.code == "INVALID_ARGUMENT")
      var ids = [chat.contactId]
      for number in 0..<54 {
        app.clock.advance(by: .seconds(1))
        ids.append(try await app.startChat(token, subject: "s\(number)").contactId)
      }
      let first: FinapticAPI.ChatThreadsResponse =
        try await app.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      let rest: FinapticAPI.ChatThreadsResponse =
        try await app.help(
          "listChatThreads", FinapticAPI.ListChatThreadsRequest(nextToken: first.nextToken), token: token
        ).view()
      #expect((first.items + rest.items).map(\.id) == ids.reversed() && rest.nextToken == nil)
    }
  }
}
