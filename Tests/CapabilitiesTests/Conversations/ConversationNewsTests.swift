import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Conversations

@Suite("Conversations: what is told, and what is none", .timeLimit(.minutes(1)))
struct ConversationNewsTests {
  @Test("behind more of one's own typing than one page holds there is what was said")
  func pages() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    for _ in 0..<(ConversationPolicy.newsMax * 2 + 1) {
      house.clock.advance(by: .seconds(4))
      try await house.write { conversations, tx in
        let (contact, conversation) = try conversations.contact(
          chat.token, of: "ada", in: ConversationHouse.room, tx)
        try conversations.type(over: contact, in: conversation, tx)
      }
    }
    try await house.say("Hello", chat)
    let page = try await house.conversations.news(of: chat.contact).next(after: 0, atMost: .zero)
    #expect(page.entries.map(\.content.text) == ["Hello"])
  }

  @Test("words that are said again wake those whom the first time has not reached")
  func again() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    try await house.say("Hello", chat, id: "1")
    var signals = house.database.signals(Conversations.signal(chat.conversation.id)).makeAsyncIterator()
    try await house.say("Hello", chat, id: "1")
    await signals.next()
    #expect(try await house.texts(chat) == ["Hello"])
  }

  @Test("a conversation without a word that nobody holds stands in no list, and is gone a day later")
  func empty() async throws {
    let house = try await ConversationHouse()
    let (abandoned, held, said) = (try await house.begin(), try await house.begin(), try await house.begin())
    try await house.say("Hello", said)
    #expect(try await listed(house).count == 3)
    for chat in [abandoned, said] { try await stop(chat, house) }
    let left = Set([held.conversation.id, said.conversation.id])
    #expect(try await listed(house) == left)
    #expect(try await Set(house.conversations.queue(.waiting, in: ConversationHouse.room).map(\.id)) == left)
    house.clock.advance(by: house.conversations.policy.emptyLifetime)
    try await house.conversations.sweep()
    #expect(try await house.find(abandoned).sequence == 1)
    house.clock.advance(by: .seconds(1))
    try await house.conversations.sweep()
    await #expect(throws: Problem.notFound) { _ = try await house.find(abandoned) }
    for chat in [held, said] { _ = try await house.find(chat) }
  }

  private func stop(_ chat: Conversations.Opened, _ house: ConversationHouse) async throws {
    try await house.write { conversations, tx in
      let (contact, conversation) = try conversations.contact(chat.token, of: "ada", in: ConversationHouse.room, tx)
      try conversations.stop(contact, in: conversation, tx)
    }
  }

  private func listed(_ house: ConversationHouse) async throws -> Set<Conversation.ID> {
    try await house.database.read { [conversations = house.conversations] in
      Set(try conversations.page(of: "ada", in: ConversationHouse.room, below: nil, $0).map(\.id))
    }
  }
}
