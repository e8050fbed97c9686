import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Conversations

@Suite("Conversations: customers and agents", .timeLimit(.minutes(1)))
struct ConversationTests {
  @Test("status, queue and hands follow what is said")
  func turns() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    let other = try await house.begin("Later", by: "bob")
    #expect(try await house.conversations.queue(.waiting, in: ConversationHouse.room).count == 2)
    #expect(try await house.conversations.queue(.waiting, in: "finaptic-8").isEmpty)
    house.clock.advance(by: .seconds(1))
    try await house.say("Hello", chat)
    #expect(try await house.take(chat).agent?.name == "Kim")
    #expect(
      try await house.conversations.queue(.waiting, in: ConversationHouse.room).map(\.id) == [other.conversation.id])
    #expect(
      try await house.conversations.queue(.taken(by: "kim"), in: ConversationHouse.room).map(\.id)
        == [chat.conversation.id])
    #expect(try await house.conversations.queue(.taken(by: "lee"), in: ConversationHouse.room).isEmpty)
    try await house.answer("Good morning", chat)
    #expect(try await house.find(chat).status == .waitingForCustomer)
    #expect(try await house.find(chat).waitingSince == nil)
    try await house.write { try $0.handBack(chat.conversation.id, by: "kim", in: ConversationHouse.room, $1) }
    // Nobody waits, so nobody has to hurry.
    #expect(try await house.conversations.queue(.waiting, in: ConversationHouse.room).count == 1)
    try await house.say("Thanks, but", chat)
    #expect(try await house.conversations.queue(.waiting, in: ConversationHouse.room).count == 2)
    try await house.take(chat, by: "lee")
    try await house.write { try $0.resolve(chat.conversation.id, by: "lee", in: ConversationHouse.room, $1) }
    #expect(try await house.find(chat).status == .resolved)
    #expect(
      try await house.texts(chat) == [
        "Hello", "Kim joined the conversation.", "Good morning", "Kim left the conversation.", "Thanks, but",
        "Lee joined the conversation.", "The conversation was closed.",
      ])
    #expect(try await house.news(chat).ending == .resolved)
    await #expect(throws: Problem.conversationOver) { try await house.say("Still there?", chat) }
    await #expect(throws: Problem.conversationOver) { try await house.take(chat) }
    // Whoever comes back goes on with it.
    let again = try await house.write {
      try $0.resume(chat.conversation.id, by: "ada", called: "Ada", in: ConversationHouse.room, $1)
    }
    try await house.say("It came back", again)
    #expect(try await house.find(chat).status == .waitingForAgent)
  }

  @Test("of those in hand, customers who wait come first, the longest waiting before the others")
  func inHand() async throws {
    let house = try await ConversationHouse()
    var chats: [Conversation.ID] = []
    for name in ["ada", "bob", "cy"] {
      house.clock.advance(by: .seconds(1))
      let chat = try await house.begin("Help", by: name)
      try await house.take(chat)
      if name != "ada" { try await house.answer("Good morning", chat) }
      if name == "cy" {
        house.clock.advance(by: .seconds(1))
        try await house.say("And now?", chat)
      }
      chats.append(chat.conversation.id)
    }
    let pile = try await house.conversations.queue(.taken(by: nil), in: ConversationHouse.room)
    #expect(pile.map(\.id) == [chats[0], chats[2], chats[1]])
  }

  @Test("one agent at a time has it in hand; taking over is said aloud")
  func hands() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    await #expect(throws: Problem.conversationNotTaken) { try await house.answer("Hi", chat) }
    try await house.take(chat)
    let before = try await house.find(chat).sequence
    try await house.take(chat)
    #expect(try await house.find(chat).sequence == before)
    await #expect(throws: Problem.conversationTaken) { try await house.take(chat, by: "lee") }
    try await house.take(chat, by: "lee", isTakeover: true)
    await #expect(throws: Problem.conversationTaken) { try await house.answer("Hi", chat) }
    #expect(try await house.answer("Hi", chat, by: "lee").content.name == "Lee")
  }

  @Test("the same id says the same words once, also after they were answered; other words are refused")
  func once() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    let first = try await house.say("Hello", chat, id: "m1")
    try await house.take(chat)
    #expect(try await house.say("Hello", chat, id: "m1") == first)
    await #expect(throws: Problem.messageIDUsed) { try await house.say("Goodbye", chat, id: "m1") }
    // Another's ids are their own.
    let answer = try await house.answer("Hello", chat, id: "m1")
    #expect(try await house.answer("Hello", chat, id: "m1") == answer && answer.id != first.id)
    // Also when the contact has ended meanwhile: it was said.
    try await house.write { try $0.resolve(chat.conversation.id, by: "kim", in: ConversationHouse.room, $1) }
    #expect(try await house.say("Hello", chat, id: "m1") == first)
  }

  @Test("a stranger's conversation and token are not there")
  func strangers() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    await #expect(throws: Problem.notFound) {
      try await house.write { conversations, tx in
        _ = try conversations.contact(chat.token, of: "bob", in: ConversationHouse.room, tx)
      }
    }
    await #expect(throws: Problem.notFound) {
      try await house.write { conversations, tx in
        _ = try conversations.contact(chat.token, of: "ada", in: "finaptic-8", tx)
      }
    }
    await #expect(throws: Problem.notFound) {
      try await house.write {
        try $0.resume(chat.conversation.id, by: "bob", called: "Bob", in: ConversationHouse.room, $1)
      }
    }
    house.clock.advance(by: .days(30))
    await #expect(throws: Problem.notFound) { try await house.say("Hello?", chat) }
  }

  @Test("stopping ends the contact and nothing else; typing is told to the other side, and briefly")
  func passing() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin()
    try await house.take(chat)
    let here = try await house.find(chat).sequence
    for _ in 0..<2 {
      try await house.write { try $0.type(in: chat.conversation.id, by: "kim", in: ConversationHouse.room, $1) }
    }
    #expect(try await house.news(chat, after: here).entries.map(\.kind) == [.typing])
    house.clock.advance(by: .seconds(11))
    #expect(try await house.news(chat, after: here).entries.isEmpty)
    for _ in 0..<2 {
      try await house.write { conversations, tx in
        let (contact, conversation) = try conversations.contact(
          chat.token, of: "ada", in: ConversationHouse.room, tx)
        try conversations.stop(contact, in: conversation, tx)
      }
    }
    #expect(try await house.find(chat).status == .waitingForAgent)
    let desk = house.conversations.news(of: chat.conversation.id)
    #expect(try await desk.next(after: here + 1, atMost: .milliseconds(1)).entries.map(\.kind) == [.left])
    try await house.answer("Are you there?", chat)
    // What is said after the contact ended is not part of it.
    let page = try await house.news(chat, after: here)
    #expect(page.entries.isEmpty && page.ending == .stopped)
    house.clock.advance(by: .minutes(3))
    try await house.conversations.sweep()
    #expect(try await house.texts(chat) == ["Kim joined the conversation.", "Are you there?"])
    #expect(
      try await desk.next(after: 0, atMost: .milliseconds(1)).entries.allSatisfy { $0.kind == .message })
  }

  @Test("words, names and subjects are sealed; what is erased or too old is gone")
  func care() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin("Secret subject")
    try await house.say("Secret words", chat)
    try await house.take(chat, by: "quibble")
    let bytes = try await house.made.bytesOnDisk()
    for secret in ["Secret subject", "Secret words", "Quibble", chat.token] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    let kept = try await house.begin(by: "bob")
    #expect(try await house.write { try $0.erase("ada", in: ConversationHouse.room, $1) } == 1)
    await #expect(throws: Problem.notFound) { try await house.find(chat) }
    #expect(try await house.news(chat).ending == .stopped)
    #expect(try await house.find(kept).customer == "bob")
    house.clock.advance(by: .days(7 * 365 + 1))
    try await house.conversations.sweep()
    await #expect(throws: Problem.notFound) { try await house.find(kept) }
  }

  @Test("an export has every word, the oldest first")
  func export() async throws {
    let house = try await ConversationHouse()
    let chat = try await house.begin("Card")
    try await house.say("One", chat)
    try await house.say("Two", chat)
    let found = try await house.database.read { [conversations = house.conversations] tx in
      try conversations.export("ada", in: ConversationHouse.room, tx).map {
        [$0.conversation.subject] + $0.messages.map(\.content.text)
      }
    }
    #expect(found == [["Card", "One", "Two"]])
  }
}
