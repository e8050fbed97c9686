// SPDX-License-Identifier: Apache-2.0

import Conversations
import FinapticWire
import Foundation
import Kit
import Storage

/// The side of agents, who answer a tenant's customers. Each look into a conversation and each act is an audit entry.
package struct AgentChatCommands: Sendable {
  let core: CoreDependencies
  let conversations: Conversations

  /// Who acts.
  package struct Agent: Sendable {
    package let tenant: FinapticTenant
    /// The name under which colleagues know one another: of 1 to 64 letters, digits, `.`, `_`, `-`.
    package let id: String
    /// Their name in audit entries.
    package let actor: String

    package init(tenant: FinapticTenant, id: String, actor: String) throws {
      guard id.wholeMatch(of: /[A-Za-z0-9._-]{1,64}/) != nil else {
        throw Problem.validation([.init("/agent", "format", "1 to 64 letters, digits, . _ -")])
      }
      (self.tenant, self.id, self.actor) = (tenant, id, actor)
    }

    var tenantID: String { tenant.session }
  }

  /// What waits or was taken, for agents of the bank; the look is audited, of a program once a day.
  package func list(
    _ filter: Conversations.QueueFilter, of tenant: FinapticTenant, by actor: String
  ) async throws -> [Conversation] {
    try await core.database.write(retrying: .outdated) { [core] tx in
      try core.audit.appendList(
        "finaptic.chats.listed", to: "finaptic-chats-\(tenant.id)", by: actor, facts: RecordAccess.list.facts, in: tx)
    }
    return try await queue(filter, of: tenant)
  }

  /// The same for the desk, which audits its own list.
  package func queue(_ filter: Conversations.QueueFilter, of tenant: FinapticTenant) async throws -> [Conversation] {
    try await conversations.queue(filter, in: tenant.session)
  }

  /// The conversations with these ids that a tenant still has.
  package func find(_ ids: [Conversation.ID], of tenant: FinapticTenant) async throws -> [Conversation] {
    try await core.database.read { tx in
      try ids.compactMap { id in
        do {
          return try conversations.find(id, tenant: tenant.session, in: tx)
        } catch let problem as Problem where problem == .notFound { return nil }
      }
    }
  }

  /// A conversation with what was said last, the oldest first.
  /// - Parameter isRefresh: whether a page that shows it already reads itself again; then the audit log has only one
  ///   entry a day.
  /// - Throws: `Problem` not found.
  package func open(
    _ id: Conversation.ID, of tenant: FinapticTenant, by actor: String, isRefresh: Bool = false
  ) async throws -> (conversation: Conversation, messages: [ConversationEntry]) {
    try await core.database.write(retrying: .outdated) { tx in
      let conversation = try conversations.find(id, tenant: tenant.session, in: tx)
      let messages = try conversations.messages(of: conversation, limit: ConversationPolicy.historyMax, in: tx)
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      if isRefresh {
        try core.noteDaily("chat.read", conversation.chain, by: actor, ["why": why], in: tx)
      } else {
        try core.note("chat.read", conversation.chain, by: actor, ["why": why], in: tx)
      }
      return (conversation, messages.reversed())
    }
  }

  /// What is new in a conversation.
  package func updates(of conversation: Conversation) -> ConversationUpdates {
    conversations.updates(of: conversation.id)
  }

  /// A conversation whose events a client follows from now on. Streams end every few minutes and are begun anew, so
  /// that the audit log has only one entry a day.
  /// - Throws: `Problem` not found.
  package func follow(
    _ id: Conversation.ID, of tenant: FinapticTenant, by actor: String
  ) async throws -> Conversation {
    try await core.database.write(retrying: .outdated) { tx in
      let conversation = try conversations.find(id, tenant: tenant.session, in: tx)
      let why = try core.cases.lookFact(at: id.rawValue, by: actor, in: tx)
      try core.noteDaily("chat.read", conversation.chain, by: actor, ["why": why], in: tx)
      return conversation
    }
  }

  /// - Parameters:
  ///   - name: as the customer reads it.
  ///   - isTakeover: also from another agent.
  /// - Throws: `Problem` validation; not found; conversation over; conversation taken.
  @discardableResult
  package func take(
    _ id: Conversation.ID, by agent: Agent, called name: String, isTakeover: Bool
  ) async throws -> Conversation {
    var check = InputCheck()
    let name = check.text(name, "/display_name", max: 100, isRequired: true)
    try check.end()
    return try await core.database.write(retrying: .outdated) { tx in
      let conversation = try conversations.take(
        id, by: .init(id: agent.id, name: name ?? ""), isTakeover: isTakeover, tenant: agent.tenantID, in: tx)
      try core.note("chat.taken", conversation.chain, by: agent.actor, in: tx)
      return conversation
    }
  }

  /// - Parameter clientID: a UUID; a repetition of it adds no message.
  /// - Throws: `Problem` validation; not found; conversation over, taken or not taken.
  @discardableResult
  package func answer(
    _ text: String, clientID: String? = nil, in id: Conversation.ID, by agent: Agent
  ) async throws -> ConversationEntry {
    var check = InputCheck()
    let text = check.chatText(text, "/text")
    let clientID = check.id(clientID, "/message_id", isRequired: false)
    try check.end()
    return try await core.database.write(retrying: .outdated) { tx in
      let before = try conversations.find(id, tenant: agent.tenantID, in: tx).sequence
      let (entry, conversation) = try conversations.answer(
        text ?? "", clientID: clientID, to: id, by: agent.id, tenant: agent.tenantID, in: tx)
      // A repetition was pushed the first time.
      if entry.sequence > before { try push(entry, of: conversation, agent.tenant, in: tx) }
      try core.note("chat.answered", conversation.chain, by: agent.actor, in: tx)
      return entry
    }
  }

  /// Enqueues pushes to the customer's devices; a user who is not a customer yet has none.
  private func push(
    _ entry: ConversationEntry, of conversation: Conversation, _ tenant: FinapticTenant, in tx: any SQLTransaction
  ) throws {
    let user = FinapticUser.ID(rawValue: conversation.customer)
    guard let customer = try FinapticUserStore(tx, vault: core.vault).find(user)?.user.customer else { return }
    try PushNotices.owe(
      .message(entry.id.rawValue, thread: conversation.id.rawValue), to: customer, tenant: tenant.id,
      vault: core.vault, outbox: core.outbox, in: tx)
  }

  package func type(in id: Conversation.ID, by agent: Agent) async throws {
    try await core.database.write(retrying: .outdated) {
      try conversations.type(to: id, by: agent.id, tenant: agent.tenantID, in: $0)
    }
  }

  @discardableResult
  package func handBack(_ id: Conversation.ID, by agent: Agent) async throws -> Conversation {
    try await core.database.write(retrying: .outdated) { tx in
      let conversation = try conversations.handBack(id, by: agent.id, tenant: agent.tenantID, in: tx)
      try core.note("chat.handedBack", conversation.chain, by: agent.actor, in: tx)
      return conversation
    }
  }

  /// Gives a conversation to a colleague.
  /// - Parameter name: of the colleague, as the customer reads it.
  /// - Throws: `Problem` validation; not found; conversation over, taken or not taken.
  @discardableResult
  package func handOver(
    _ id: Conversation.ID, by agent: Agent, to colleague: Agent, called name: String
  ) async throws -> Conversation {
    var check = InputCheck()
    let name = check.text(name, "/display_name", max: 100, isRequired: true)
    try check.end()
    return try await core.database.write(retrying: .outdated) { tx in
      let conversation = try conversations.handOver(
        id, by: agent.id, to: .init(id: colleague.id, name: name ?? ""), tenant: agent.tenantID, in: tx)
      try core.note("chat.handedOver", conversation.chain, by: agent.actor, ["to": colleague.actor], in: tx)
      return conversation
    }
  }

  @discardableResult
  package func resolve(_ id: Conversation.ID, by agent: Agent) async throws -> Conversation {
    try await core.database.write(retrying: .outdated) { tx in
      let conversation = try conversations.resolve(id, by: agent.id, tenant: agent.tenantID, in: tx)
      try core.note("chat.resolved", conversation.chain, by: agent.actor, in: tx)
      return conversation
    }
  }
}
