// SPDX-License-Identifier: Apache-2.0

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
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    let other = try await app.begin("Later", by: "bob")
    #expect(try await app.conversations.queue(.waiting, in: ConversationTestApp.tenant).count == 2)
    #expect(try await app.conversations.queue(.waiting, in: "finaptic-8").isEmpty)
    app.clock.advance(by: .seconds(1))
    try await app.say("Hello", chat)
    #expect(try await app.take(chat).agent?.name == "Kim")
    #expect(
      try await app.conversations.queue(.waiting, in: ConversationTestApp.tenant).map(\.id) == [other.conversation.id])
    #expect(
      try await app.conversations.queue(.taken(by: "kim"), in: ConversationTestApp.tenant).map(\.id)
        == [chat.conversation.id])
    #expect(try await app.conversations.queue(.taken(by: "lee"), in: ConversationTestApp.tenant).isEmpty)
    try await app.answer("Good morning", chat)
    #expect(try await app.find(chat).status == .waitingForCustomer)
    #expect(try await app.find(chat).waitingSince == nil)
    try await app.write { try $0.handBack(chat.conversation.id, by: "kim", tenant: ConversationTestApp.tenant, in: $1) }
    // No customer waits, so agents are not called.
    #expect(try await app.conversations.queue(.waiting, in: ConversationTestApp.tenant).count == 1)
    try await app.say("Thanks, but", chat)
    #expect(try await app.conversations.queue(.waiting, in: ConversationTestApp.tenant).count == 2)
    try await app.take(chat, by: "lee")
    try await app.write { try $0.resolve(chat.conversation.id, by: "lee", tenant: ConversationTestApp.tenant, in: $1) }
    #expect(try await app.find(chat).status == .resolved)
    #expect(
      try await app.texts(chat) == [
        "Hello", "Kim joined the conversation.", "Good morning", "Kim left the conversation.", "Thanks, but",
        "Lee joined the conversation.", "The conversation was closed.",
      ])
    #expect(try await app.updates(chat).ending == .resolved)
    await #expect(throws: Problem.conversationOver) { try await app.say("Still there?", chat) }
    await #expect(throws: Problem.conversationOver) { try await app.take(chat) }
    // A customer who comes back goes on with it.
    let again = try await app.write {
      try $0.resume(chat.conversation.id, by: "ada", called: "Ada", tenant: ConversationTestApp.tenant, in: $1)
    }
    try await app.say("It came back", again)
    #expect(try await app.find(chat).status == .waitingForAgent)
  }

  @Test("of those in hand, customers who wait come first, the longest waiting before the others")
  func inHand() async throws {
    let app = try await ConversationTestApp()
    var chats: [Conversation.ID] = []
    for name in ["ada", "bob", "cy"] {
      app.clock.advance(by: .seconds(1))
      let chat = try await app.begin("Help", by: name)
      try await app.take(chat)
      if name != "ada" { try await app.answer("Good morning", chat) }
      if name == "cy" {
        app.clock.advance(by: .seconds(1))
        try await app.say("And now?", chat)
      }
      chats.append(chat.conversation.id)
    }
    let pile = try await app.conversations.queue(.taken(by: nil), in: ConversationTestApp.tenant)
    #expect(pile.map(\.id) == [chats[0], chats[2], chats[1]])
  }

  @Test("one agent at a time has it in hand; taking over is said aloud")
  func hands() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    await #expect(throws: Problem.conversationNotTaken) { try await app.answer("Hi", chat) }
    try await app.take(chat)
    let before = try await app.find(chat).sequence
    try await app.take(chat)
    #expect(try await app.find(chat).sequence == before)
    await #expect(throws: Problem.conversationTaken) { try await app.take(chat, by: "lee") }
    try await app.take(chat, by: "lee", isTakeover: true)
    await #expect(throws: Problem.conversationTaken) { try await app.answer("Hi", chat) }
    #expect(try await app.answer("Hi", chat, by: "lee").content.name == "Lee")
  }

  @Test("the same id says the same words once, also after they were answered; other words are refused")
  func once() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    let first = try await app.say("Hello", chat, id: "m1")
    try await app.take(chat)
    #expect(try await app.say("Hello", chat, id: "m1") == first)
    await #expect(throws: Problem.messageIDUsed) { try await app.say("Goodbye", chat, id: "m1") }
    // Stored by an earlier version, which kept the white space around it.
    let older = try await app.say(" Hello\n", chat, id: "m2")
    #expect(try await app.say("Hello", chat, id: "m2") == older && older.content.text == " Hello\n")
    // Another's ids are their own.
    let answer = try await app.answer("Hello", chat, id: "m1")
    #expect(try await app.answer("Hello", chat, id: "m1") == answer && answer.id != first.id)
    // Also when the contact has ended meanwhile: it was said.
    try await app.write { try $0.resolve(chat.conversation.id, by: "kim", tenant: ConversationTestApp.tenant, in: $1) }
    #expect(try await app.say("Hello", chat, id: "m1") == first)
  }

  @Test("a stranger's conversation and token are not there")
  func strangers() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    await #expect(throws: Problem.notFound) {
      try await app.write { conversations, tx in
        _ = try conversations.contact(chat.token, of: "bob", tenant: ConversationTestApp.tenant, in: tx)
      }
    }
    await #expect(throws: Problem.notFound) {
      try await app.write { conversations, tx in
        _ = try conversations.contact(chat.token, of: "ada", tenant: "finaptic-8", in: tx)
      }
    }
    await #expect(throws: Problem.notFound) {
      try await app.write {
        try $0.resume(chat.conversation.id, by: "bob", called: "Bob", tenant: ConversationTestApp.tenant, in: $1)
      }
    }
    app.clock.advance(by: .days(30))
    await #expect(throws: Problem.notFound) { try await app.say("Hello?", chat) }
  }

  @Test("stopping ends the contact and nothing else; typing is told to the other side, and briefly")
  func passing() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    try await app.take(chat)
    let here = try await app.find(chat).sequence
    for _ in 0..<2 {
      try await app.write {
        try $0.type(to: chat.conversation.id, by: "kim", tenant: ConversationTestApp.tenant, in: $1)
      }
    }
    #expect(try await app.updates(chat, after: here).entries.map(\.kind) == [.typing])
    app.clock.advance(by: .seconds(11))
    #expect(try await app.updates(chat, after: here).entries.isEmpty)
    for _ in 0..<2 {
      try await app.write { conversations, tx in
        let (contact, conversation) = try conversations.contact(
          chat.token, of: "ada", tenant: ConversationTestApp.tenant, in: tx)
        try conversations.stop(contact, of: conversation, in: tx)
      }
    }
    #expect(try await app.find(chat).status == .waitingForAgent)
    let agentUpdates = app.conversations.updates(of: chat.conversation.id)
    #expect(try await agentUpdates.next(after: here + 1, atMost: .milliseconds(1)).entries.map(\.kind) == [.left])
    try await app.answer("Are you there?", chat)
    // What is said after the contact ended is not part of it.
    let page = try await app.updates(chat, after: here)
    #expect(page.entries.isEmpty && page.ending == .stopped)
    app.clock.advance(by: .minutes(3))
    try await app.conversations.sweep()
    #expect(try await app.texts(chat) == ["Kim joined the conversation.", "Are you there?"])
    #expect(
      try await agentUpdates.next(after: 0, atMost: .milliseconds(1)).entries.allSatisfy { $0.kind == .message })
  }

  @Test("words, names and subjects are sealed; what is erased or too old is gone")
  func care() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin("Secret subject")
    try await app.say("Secret words", chat)
    try await app.take(chat, by: "quibble")
    let bytes = try await app.made.bytesOnDisk()
    for secret in ["Secret subject", "Secret words", "Quibble", chat.token] {
      #expect(bytes.range(of: Data(secret.utf8)) == nil, "\(secret)")
    }
    let kept = try await app.begin(by: "bob")
    #expect(try await app.write { try $0.erase("ada", tenant: ConversationTestApp.tenant, in: $1) } == 1)
    await #expect(throws: Problem.notFound) { try await app.find(chat) }
    #expect(try await app.updates(chat).ending == .stopped)
    #expect(try await app.find(kept).customer == "bob")
    app.clock.advance(by: .days(7 * 365 + 1))
    try await app.conversations.sweep()
    await #expect(throws: Problem.notFound) { try await app.find(kept) }
  }

  @Test("an export has every word, the oldest first")
  func export() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin("Card")
    try await app.say("One", chat)
    try await app.say("Two", chat)
    let found = try await app.database.read { [conversations = app.conversations] tx in
      try conversations.export("ada", tenant: ConversationTestApp.tenant, in: tx).map {
        [$0.conversation.subject] + $0.messages.map(\.content.text)
      }
    }
    #expect(found == [["Card", "One", "Two"]])
  }
}
