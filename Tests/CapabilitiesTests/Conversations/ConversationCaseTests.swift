// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@testable import Conversations

@Suite("Conversations: what waits for agents")
struct ConversationCaseTests {
  @Test("a customer who wrote waits until they are answered, and again when they write again")
  func turns() async throws {
    let app = try await ConversationTestApp()
    let opened = try await app.begin()
    #expect(app.cases.lines.isEmpty)
    try await app.say("Hello", opened)
    let work = try #require(app.cases.waiting.first)
    #expect(work.kind == "chat" && work.subject == opened.conversation.id.rawValue && work.holder == nil)
    #expect(work.tenant == ConversationTestApp.tenant && work.person == "ada")
    try await app.take(opened)
    #expect(app.cases.waiting.first?.holder == "kim")
    try await app.answer("Good morning", opened)
    #expect(app.cases.waiting.isEmpty)
    try await app.say("One more thing", opened)
    #expect(app.cases.waiting.first?.holder == "kim")
    try await app.write {
      try $0.handBack(opened.conversation.id, by: "kim", tenant: ConversationTestApp.tenant, in: $1)
    }
    #expect(app.cases.waiting.first.map { $0.holder == nil } == true)
    #expect(app.cases.lines == ["open chat", "conclude chat agentWrote kim", "open chat"])
  }

  @Test("what is forgotten of a customer is no open case, and what began to wait earlier gets its case")
  func forgotten() async throws {
    let app = try await ConversationTestApp()
    let opened = try await app.begin()
    try await app.say("Hello", opened)
    try await app.conversations.openCases()
    #expect(app.cases.lines == ["open chat"])
    try await app.write { try $0.erase("ada", tenant: ConversationTestApp.tenant, in: $1) }
    #expect(app.cases.lines == ["open chat", "forget ada"])
  }
}
