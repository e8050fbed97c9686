// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport

@testable import Conversations

/// Conversations over a real store, at an instant that the test sets.
struct ConversationTestApp {
  static let tenant = "finaptic-7"

  let made: TestDatabase
  let clock = TestWorld()
  let vault: Vault
  let cases = RecordedCases()

  var database: any SQLDatabase { made.database }
  var conversations: Conversations { node(database) }

  init() async throws {
    made = try await TestDatabase.make(.current, [DataKeyStore.migration, ConversationStore.migration])
    vault = try await TestVault.open(made.database, clock.world)
  }

  /// The capability as another node has it.
  func node(_ database: any SQLDatabase) -> Conversations {
    var policy = ConversationPolicy()
    policy.pollInterval = .milliseconds(50)
    return Conversations(database: database, vault: vault, world: clock.world, policy: policy, cases: cases)
  }

  func begin(_ subject: String = "Card", by customer: String = "ada") async throws -> Conversations.Opened {
    try await write { try $0.begin(subject, by: customer, called: "Ada", tenant: Self.tenant, in: $1) }
  }

  /// A change, tried again when another one was faster.
  @discardableResult
  func write<Value: Sendable>(
    on node: Conversations? = nil, _ body: @escaping @Sendable (Conversations, any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let conversations = node ?? self.conversations
    while true {
      do { return try await conversations.database.write { try body(conversations, $0) } } catch SQLError.outdated {}
    }
  }

  @discardableResult
  func say(_ text: String, _ opened: Conversations.Opened, id: String? = nil, on node: Conversations? = nil)
    async throws -> ConversationEntry
  {
    let customer = opened.conversation.customer
    return try await write(on: node) { conversations, tx in
      let (contact, conversation) = try conversations.contact(opened.token, of: customer, tenant: Self.tenant, in: tx)
      return try conversations.write(text, clientID: id, over: contact, of: conversation, in: tx)
    }
  }

  @discardableResult
  func take(_ opened: Conversations.Opened, by agent: String = "kim", isTakeover: Bool = false) async throws
    -> Conversation
  {
    try await write {
      try $0.take(
        opened.conversation.id, by: .init(id: agent, name: agent.capitalized), isTakeover: isTakeover,
        tenant: Self.tenant, in: $1)
    }
  }

  @discardableResult
  func answer(
    _ text: String, _ opened: Conversations.Opened, by agent: String = "kim", id: String? = nil,
    on node: Conversations? = nil
  ) async throws -> ConversationEntry {
    try await write(on: node) {
      try $0.answer(text, clientID: id, to: opened.conversation.id, by: agent, tenant: Self.tenant, in: $1).0
    }
  }

  func find(_ opened: Conversations.Opened) async throws -> Conversation {
    try await database.read { [conversations] in
      try conversations.find(opened.conversation.id, tenant: Self.tenant, in: $0)
    }
  }

  func texts(_ opened: Conversations.Opened) async throws -> [String] {
    try await database.read { [conversations] tx in
      try conversations.messages(
        of: try conversations.find(opened.conversation.id, tenant: Self.tenant, in: tx), limit: 1000, in: tx
      ).reversed().map(\.content.text)
    }
  }

  /// What a customer is told from a place on until nothing is new.
  func updates(_ opened: Conversations.Opened, after position: Int64? = nil) async throws -> ConversationUpdates.Page {
    try await conversations.updates(of: opened.contact).next(
      after: position ?? opened.contact.begin, atMost: .milliseconds(1))
  }
}
