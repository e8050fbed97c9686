// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What agents do in conversations. One agent at a time holds a conversation.
extension Conversations {
  /// Which conversations agents look at.
  package enum QueueFilter: Sendable, Equatable {
    /// Customers wait for an agent; the longest waiting first.
    case waiting
    /// Agents hold them; those of one agent when named.
    case taken(by: String?)
  }

  package func queue(_ filter: QueueFilter, in tenant: String) async throws -> [Conversation] {
    let (vault, limit) = (vault, ConversationPolicy.queueMax)
    return try await database.read { tx in
      let store = ConversationStore(tx, vault)
      switch filter {
      case .waiting: return try store.waiting(tenant: tenant, limit: limit)
      case .taken(let agent): return try store.taken(tenant: tenant, agent: agent, limit: limit)
      }
    }
  }

  /// - Throws: `Problem` not found.
  package func find(_ id: Conversation.ID, tenant: String, in tx: any SQLTransaction) throws -> Conversation {
    guard let conversation = try ConversationStore(tx, vault).find(id, tenant: tenant) else { throw Problem.notFound }
    return conversation
  }

  /// Takes a conversation; an agent who has it already keeps it.
  /// - Parameter isTakeover: whether to take it from another agent.
  /// - Throws: `Problem` not found; conversation over; conflict when another agent has it.
  @discardableResult
  package func take(
    _ id: Conversation.ID, by agent: ConversationAgent, isTakeover: Bool, tenant: String, in tx: any SQLTransaction
  ) throws -> Conversation {
    let conversation = try find(id, tenant: tenant, in: tx)
    guard conversation.status != .resolved else { throw Problem.conversationOver }
    if let holder = conversation.agent {
      if holder == agent { return conversation }
      guard holder.id == agent.id || isTakeover else { throw Problem.conversationTaken }
    }
    var turn = ConversationTurn(conversation, world)
    turn.conversation.agent = agent
    turn.add(.joined, .agent, .init(name: agent.name))
    turn.announce(.joined, agent.name)
    try keep(turn, in: tx)
    try cases.follow(
      conversation.awaitedWork, turn.conversation.awaitedWork, on: "taken", by: agent.id, in: tx)
    return turn.conversation
  }

  /// Answers the customer, under the name that the agent had when they took the conversation.
  /// - Throws: `Problem` not found; conflict when the agent does not have it, or other words came under that id.
  package func answer(
    _ text: String, clientID: String?, to id: Conversation.ID, by agent: String, tenant: String,
    in tx: any SQLTransaction
  ) throws -> (ConversationEntry, Conversation) {
    let conversation = try find(id, tenant: tenant, in: tx)
    let clientID = clientID.map { "agent \(agent) \($0)" }
    let words = ConversationEntry.Content(name: conversation.agent?.name ?? "", text: text)
    if let said = try said(words, clientID, of: conversation, in: tx) { return (said, conversation) }
    var turn = ConversationTurn(try held(conversation, by: agent), world)
    let entry = turn.add(.message, .agent, words, clientID: clientID)
    try move(&turn, on: .agentWrote, by: agent, in: tx)
    return (entry, turn.conversation)
  }

  /// Shows the customer that the agent is typing.
  package func type(
    to id: Conversation.ID, by agent: String, tenant: String, in tx: any SQLTransaction
  ) throws {
    let conversation = try held(find(id, tenant: tenant, in: tx), by: agent)
    try type(.agent, conversation.agent?.name ?? "", of: conversation, in: tx)
  }

  /// Puts it back into the queue; does nothing while no agent holds it.
  @discardableResult
  package func handBack(
    _ id: Conversation.ID, by agent: String, tenant: String, in tx: any SQLTransaction
  ) throws -> Conversation {
    let conversation = try find(id, tenant: tenant, in: tx)
    guard conversation.agent != nil else { return conversation }
    var turn = ConversationTurn(try held(conversation, by: agent), world)
    turn.conversation.agent = nil
    turn.announce(.left, conversation.agent?.name ?? "")
    try keep(turn, in: tx)
    try cases.follow(
      conversation.awaitedWork, turn.conversation.awaitedWork, on: "handedBack", by: agent, in: tx)
    return turn.conversation
  }

  /// Gives it to a colleague: the customer is told that one left and the other joined.
  /// - Throws: `Problem` not found; conversation over; conflict when the agent does not have it.
  @discardableResult
  package func handOver(
    _ id: Conversation.ID, by agent: String, to colleague: ConversationAgent, tenant: String,
    in tx: any SQLTransaction
  ) throws -> Conversation {
    let conversation = try held(find(id, tenant: tenant, in: tx), by: agent)
    guard colleague.id != agent else { return conversation }
    var turn = ConversationTurn(conversation, world)
    turn.announce(.left, conversation.agent?.name ?? "")
    turn.conversation.agent = colleague
    turn.add(.joined, .agent, .init(name: colleague.name))
    turn.announce(.joined, colleague.name)
    try keep(turn, in: tx)
    // The case tells who gave it, not who has it now.
    try cases.follow(
      conversation.awaitedWork, turn.conversation.awaitedWork, on: "handedOver", by: "agent:\(agent)", in: tx)
    return turn.conversation
  }

  /// Closes a conversation; does nothing when it is closed already.
  @discardableResult
  package func resolve(
    _ id: Conversation.ID, by agent: String, tenant: String, in tx: any SQLTransaction
  ) throws -> Conversation {
    let conversation = try find(id, tenant: tenant, in: tx)
    guard conversation.status != .resolved else { return conversation }
    var turn = ConversationTurn(try held(conversation, by: agent), world)
    try move(&turn, on: .resolved, by: agent, in: tx)
    return turn.conversation
  }

  private func held(_ conversation: Conversation, by agent: String) throws -> Conversation {
    guard conversation.status != .resolved else { throw Problem.conversationOver }
    guard let holder = conversation.agent else { throw Problem.conversationNotTaken }
    guard holder.id == agent else { throw Problem.conversationTaken }
    return conversation
  }
}

extension Problem {
  static let conversationTaken = Problem(.conflict, "conversation-taken", "Another agent has this conversation.")
  static let conversationNotTaken = Problem(.conflict, "conversation-not-taken", "Take the conversation first.")
}
