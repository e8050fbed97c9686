// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import Conversations

@Suite("Conversations: what readers are told, and what they are not", .timeLimit(.minutes(1)))
struct ConversationUpdatesTests {
  @Test("behind more of one's own typing than one page holds there is what was said")
  func pages() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    for _ in 0..<(ConversationPolicy.updatesMax * 2 + 1) {
      app.clock.advance(by: .seconds(4))
      try await app.write { conversations, tx in
        let (contact, conversation) = try conversations.contact(
          chat.token, of: "ada", tenant: ConversationTestApp.tenant, in: tx)
        try conversations.type(over: contact, of: conversation, in: tx)
      }
    }
    try await app.say("Hello", chat)
    let page = try await app.conversations.updates(of: chat.contact).next(after: 0, atMost: .zero)
    #expect(page.entries.map(\.content.text) == ["Hello"])
  }

  @Test("words that are said again wake those whom the first time has not reached")
  func again() async throws {
    let app = try await ConversationTestApp()
    let chat = try await app.begin()
    try await app.say("Hello", chat, id: "1")
    var signals = app.database.signals(Conversations.signal(chat.conversation.id)).makeAsyncIterator()
    try await app.say("Hello", chat, id: "1")
    await signals.next()
    #expect(try await app.texts(chat) == ["Hello"])
  }

  @Test("an empty conversation without a reader is in no list, and is deleted a day later")
  func empty() async throws {
    let app = try await ConversationTestApp()
    let (abandoned, held, said) = (try await app.begin(), try await app.begin(), try await app.begin())
    try await app.say("Hello", said)
    #expect(try await listed(app).count == 3)
    for chat in [abandoned, said] { try await stop(chat, app) }
    let left = Set([held.conversation.id, said.conversation.id])
    #expect(try await listed(app) == left)
    #expect(try await Set(app.conversations.queue(.waiting, in: ConversationTestApp.tenant).map(\.id)) == left)
    app.clock.advance(by: app.conversations.policy.emptyLifetime)
    try await app.conversations.sweep()
    #expect(try await app.find(abandoned).sequence == 1)
    app.clock.advance(by: .seconds(1))
    try await app.conversations.sweep()
    await #expect(throws: Problem.notFound) { _ = try await app.find(abandoned) }
    for chat in [held, said] { _ = try await app.find(chat) }
  }

  private func stop(_ chat: Conversations.Opened, _ app: ConversationTestApp) async throws {
    try await app.write { conversations, tx in
      let (contact, conversation) = try conversations.contact(
        chat.token, of: "ada", tenant: ConversationTestApp.tenant, in: tx)
      try conversations.stop(contact, of: conversation, in: tx)
    }
  }

  private func listed(_ app: ConversationTestApp) async throws -> Set<Conversation.ID> {
    try await app.database.read { [conversations = app.conversations] in
      Set(try conversations.page(of: "ada", tenant: ConversationTestApp.tenant, below: nil, in: $0).map(\.id))
    }
  }
}
