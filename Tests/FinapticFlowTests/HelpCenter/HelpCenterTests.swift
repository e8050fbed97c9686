import Foundation
import GatehouseWire
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow
@testable import GatehouseApp

@Suite("Finaptic help center: the calls", .timeLimit(.minutes(1)))
struct HelpCenterTests {
  @Test("a conversation from its beginning to its end, told once and in order")
  func talk() async throws {
    try await AccountHouse.run { house in
      let token = try await house.talker()
      let chat = try await house.startChat(token)
      #expect(chat.messages == [] && chat.position == 0)
      let secret = try await house.house.addFinapticChatClient("desk", tenant: AccountHouse.tenant)
      #expect(try await house.say("Hello,\nmy card is gone", chat, token: token).status == 200)
      let queue = try await house.desk(.get, "", secret: secret)
      #expect(queue.json.contains(chat.contactId) && queue.json.contains("My card"))
      let kim: [String: Any] = ["agent": "kim", "display_name": "Kim"]
      #expect(try await house.desk("/\(chat.contactId)/take", kim, secret: secret).status == 200)
      #expect(try await house.desk("/\(chat.contactId)/typing", ["agent": "kim"], secret: secret).status == 204)
      let id = UUID().uuidString
      for _ in 0..<2 {
        let said = try await house.desk(
          "/\(chat.contactId)/messages", ["agent": "kim", "text": "Locked.", "message_id": id], secret: secret)
        #expect(said.status == 200)
      }
      var threads: FinapticAPI.ChatThreadsResponse =
        try await house.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      #expect(threads.items.map(\.status) == ["WAITING_FOR_CUSTOMER"] && threads.nextToken == nil)
      #expect(
        try await house.help("sendTyping", FinapticAPI.ChatRequest(chatToken: chat.chatToken), token: token).status
          == 200)
      #expect(try await house.desk("/\(chat.contactId)/resolve", ["agent": "kim"], secret: secret).status == 200)
      let all = try await house.told(chat, token: token)
      #expect(
        all == [
          "message Hello,\nmy card is gone", "joined Kim", "message Kim joined the conversation.", "typing Kim",
          "message Locked.", "message The conversation was closed.", "ended RESOLVED",
        ])
      #expect(try await house.told(chat, token: token, after: "5") == Array(all.suffix(2)))
      // A place that was never given is none.
      #expect(try await house.told(chat, token: token, after: "999") == all)
      #expect(try await house.say("One more", chat, token: token).code == "FAILED_PRECONDITION")
      threads = try await house.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      #expect(threads.items.map(\.status) == ["RESOLVED"])
      let again = try await house.startChat(token, thread: chat.contactId)
      #expect(again.contactId == chat.contactId && again.messages?.count == 4)
      #expect(again.messages?.first?.participantRole == "SYSTEM_MESSAGE")
      let detail = try await house.desk(.get, "/\(chat.contactId)", secret: secret)
      #expect(detail.status == 200 && detail.json.contains("Locked."))
    }
  }

  @Test("who may: users talk, customers list, strangers find nothing")
  func callers() async throws {
    try await AccountHouse.run { house in
      let (token, other) = (
        try await house.talker(isCustomer: false), try await house.talker("other@finaptic.com")
      )
      let chat = try await house.startChat(token)
      let (threads, history) = (
        FinapticAPI.ListChatThreadsRequest(), FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId)
      )
      #expect(try await house.help("startChat", EmptyBody(), token: nil).code == "UNAUTHENTICATED")
      #expect(try await house.help("listChatThreads", threads, token: nil).code == "UNAUTHENTICATED")
      #expect(try await house.help("listChatThreads", threads, token: token).code == "PERMISSION_DENIED")
      #expect(try await house.help("listChatHistory", history, token: token).code == "PERMISSION_DENIED")
      #expect(try await house.help("listChatHistory", history, token: other).code == "NOT_FOUND")
      #expect(try await house.say("Hi", chat, token: other).code == "NOT_FOUND")
      let resumed = try await house.help(
        "startChat",
        FinapticAPI.StartChatRequest(displayName: "Eve", subject: "x", contactCaseId: chat.contactId), token: other)
      #expect(resumed.code == "NOT_FOUND")
      let stop = FinapticAPI.ChatRequest(chatToken: chat.chatToken)
      #expect(try await house.help("stopContact", stop, token: other).code == "NOT_FOUND")
      for _ in 0..<2 { #expect(try await house.help("stopContact", stop, token: token).status == 200) }
      #expect(try await house.told(chat, token: token) == ["ended STOPPED"])
      let stranger = try await house.call(
        .get, FinapticAPI.chatEventsPath,
        headers: ["X-Client-Key": house.key, "Authorization": "Bearer \(other)", "X-Chat-Token": chat.chatToken])
      #expect(stranger.code == "NOT_FOUND")
    }
  }

  @Test("what is wrong is said at once, with the members' names in Swift")
  func refusals() async throws {
    try await AccountHouse.run { house in
      let token = try await house.talker()
      let empty = try await house.help("startChat", EmptyBody(), token: token)
      #expect(empty.code == "INVALID_ARGUMENT")
      #expect(Set(empty.error?.details?.fieldViolations?.map(\.field) ?? []) == ["displayName", "subject"])
      let long = FinapticAPI.StartChatRequest(
        displayName: String(repeating: "x", count: 101), subject: String(repeating: "x", count: 257),
        contactCaseId: nil)
      #expect(try await house.help("startChat", long, token: token).error?.details?.fieldViolations?.count == 2)
      let chat = try await house.startChat(token)
      for text in [nil, "", " \n ", String(repeating: "x", count: 1025), "notifier \u{7}"] {
        let refused = try await house.say(text, chat, token: token)
        #expect(refused.code == "INVALID_ARGUMENT", "\(text ?? "nil")")
        #expect(refused.error?.details?.fieldViolations?.map(\.field) == ["messageContent"])
      }
      #expect(try await house.say(String(repeating: "é", count: 1024), chat, token: token).status == 200)
      #expect(try await house.say("x", chat, token: token, id: "no uuid").code == "INVALID_ARGUMENT")
      let id = UUID().uuidString
      let first: FinapticAPI.SendMessageResponse = try await house.say("x", chat, token: token, id: id).view()
      let second: FinapticAPI.SendMessageResponse = try await house.say("x", chat, token: token, id: id).view()
      #expect(first == second)
      #expect(try await house.say("y", chat, token: token, id: id).code == "ABORTED")
      var none = chat
      none.chatToken = "none"
      #expect(try await house.say("x", none, token: token).code == "NOT_FOUND")
      let naked = try await house.call(
        .get, FinapticAPI.chatEventsPath,
        headers: ["X-Client-Key": house.key, "Authorization": "Bearer \(token)"])
      #expect(naked.code == "INVALID_ARGUMENT")
    }
  }

  @Test("lists come in pages of fifty whose tokens are good for one call of one user")
  func pages() async throws {
    try await AccountHouse.run { house in
      let (token, other) = (try await house.talker(), try await house.talker("other@finaptic.com"))
      let chat = try await house.startChat(token)
      let room = house.room
      let customer = try await house.user().id.rawValue
      // As fast as the store takes them.
      try await house.database.write { tx in
        for number in 0..<120 {
          let (contact, conversation) = try room.parts.conversations.contact(
            chat.chatToken, of: customer, in: "finaptic-7", tx)
          _ = try room.parts.conversations.write(
            "m\(number)", clientID: nil, over: contact, in: conversation, tx)
        }
      }
      var (texts, next): ([String], String?) = ([], "")
      var tokens: [String] = []
      while let page = next {
        let answer: FinapticAPI.ChatHistoryResponse = try await house.help(
          "listChatHistory", FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId, nextToken: page),
          token: token
        ).view()
        texts += answer.items.map(\.content)
        next = answer.nextToken
        if let next { tokens.append(next) }
        // Rows that are added meanwhile are on no later page.
        try await house.say("new", chat, token: token)
      }
      #expect(texts == (0..<120).reversed().map { "m\($0)" } && tokens.count == 2)
      let stolen = try #require(tokens.first)
      for (bad, who) in [(stolen + "0", token), ("x.y", token), ("..", token), (stolen, other)] {
        let refused = try await house.help(
          "listChatHistory", FinapticAPI.ListChatHistoryRequest(contactId: chat.contactId, nextToken: bad),
          token: who)
        #expect(["INVALID_ARGUMENT", "NOT_FOUND"].contains(refused.code ?? ""), "\(bad)")
      }
      let crossed = try await house.help(
        "listChatThreads", FinapticAPI.ListChatThreadsRequest(nextToken: stolen), token: token)
      #expect(crossed.code == "INVALID_ARGUMENT")
      var ids = [chat.contactId]
      for number in 0..<54 {
        house.clock.advance(by: .seconds(1))
        ids.append(try await house.startChat(token, subject: "s\(number)").contactId)
      }
      let first: FinapticAPI.ChatThreadsResponse =
        try await house.help("listChatThreads", FinapticAPI.ListChatThreadsRequest(), token: token).view()
      let rest: FinapticAPI.ChatThreadsResponse =
        try await house.help(
          "listChatThreads", FinapticAPI.ListChatThreadsRequest(nextToken: first.nextToken), token: token
        ).view()
      #expect((first.items + rest.items).map(\.id) == ids.reversed() && rest.nextToken == nil)
    }
  }
}
