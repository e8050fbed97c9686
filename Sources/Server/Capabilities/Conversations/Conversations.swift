// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Conversations between customers and those who answer them.
///
/// Every change takes the next number of its conversation and commits with what it says, so all readers see one order.
/// Signals only wake; a reader who goes on after the last number that they saw misses nothing and repeats nothing, on
/// any node. Changes run in transactions of the caller, which are tried again when another one was faster.
package struct Conversations: Sendable {
  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let mover: Mover
  let cases: any CaseRepository
  package let policy: ConversationPolicy

  package init(
    database: any SQLDatabase, vault: Vault, world: World, policy: ConversationPolicy = ConversationPolicy(),
    moves: FlowMoves = .uncounted, cases: any CaseRepository = NoCases()
  ) {
    (self.database, self.vault, self.world, self.policy) = (database, vault, world, policy)
    mover = Mover(audit: Audit(world: world, vault: vault), moves: moves, cases: cases)
    self.cases = cases
  }

  static func signal(_ id: Conversation.ID) -> String { "conversation:\(id)" }

  // MARK: The customer's side

  /// An open contact, and the secret that stands for it.
  package struct Opened: Sendable {
    package let conversation: Conversation
    package let contact: ConversationContact
    /// 256 bits; kept as a keyed digest only.
    package let token: String
  }

  /// - Parameter name: what the customer wants to be called.
  package func begin(
    _ subject: String, by customer: String, called name: String, tenant: String, in tx: any SQLTransaction
  ) throws -> Opened {
    let now = world.now()
    let conversation = Conversation(
      id: .init(rawValue: world.randomUUID()), tenant: tenant, customer: customer, subject: subject,
      status: .waitingForAgent, agent: nil, waitingSince: now, createdAt: now, updatedAt: now, sequence: 0)
    try ConversationStore(tx, vault).insert(conversation)
    return try open(conversation, called: name, in: tx)
  }

  /// - Throws: `Problem` not found, also for another customer's.
  package func resume(
    _ id: Conversation.ID, by customer: String, called name: String, tenant: String, in tx: any SQLTransaction
  ) throws -> Opened {
    try open(find(id, of: customer, tenant: tenant, in: tx), called: name, in: tx)
  }

  /// - Throws: `Problem` not found, also for another customer's.
  package func find(
    _ id: Conversation.ID, of customer: String, tenant: String, in tx: any SQLTransaction
  ) throws -> Conversation {
    guard let conversation = try ConversationStore(tx, vault).find(id, tenant: tenant),
      conversation.customer == customer
    else { throw Problem.notFound }
    return conversation
  }

  private func open(_ conversation: Conversation, called name: String, in tx: any SQLTransaction) throws -> Opened {
    let token = world.random(32).base64URL
    let contact = ConversationContact(
      id: .init(rawValue: world.randomUUID()), conversation: conversation.id, name: name,
      begin: conversation.sequence, end: nil, ending: nil, createdAt: world.now())
    // An erasure does not see the line, and neither a conversation that began with it.
    try vault.holdSubjectKey(of: KeySubject(conversation.customer), in: tx)
    try ConversationContactStore(tx, vault).insert(contact, of: conversation.customer, token: token)
    return Opened(conversation: conversation, contact: contact, token: token)
  }

  /// The contact that a token stands for, while its customer holds it.
  /// - Throws: `Problem` not found.
  package func contact(
    _ token: String, of customer: String, tenant: String, in tx: any SQLTransaction
  ) throws -> (ConversationContact, Conversation) {
    guard let contact = try ConversationContactStore(tx, vault).find(token: token),
      contact.createdAt > world.now() - policy.contactLifetime
    else { throw Problem.notFound }
    return (contact, try find(contact.conversation, of: customer, tenant: tenant, in: tx))
  }

  /// Adds a message.
  /// - Parameter clientID: the same one again says nothing new.
  /// - Throws: `Problem` conversation over; conflict when other words came under that id.
  package func write(
    _ text: String, clientID: String?, over contact: ConversationContact, of conversation: Conversation,
    in tx: any SQLTransaction
  ) throws -> ConversationEntry {
    let content = ConversationEntry.Content(name: contact.name, text: text)
    let clientID = clientID.map { "customer \($0)" }
    if let said = try said(content, clientID, of: conversation, in: tx) { return said }
    guard contact.isOpen else { throw Problem.conversationOver }
    var turn = ConversationTurn(conversation, world)
    let entry = turn.add(.message, .customer, content, clientID: clientID)
    try move(&turn, on: .customerWrote, by: conversation.customer, in: tx)
    return entry
  }

  /// Shows the other side that this side is typing.
  package func type(
    over contact: ConversationContact, of conversation: Conversation, in tx: any SQLTransaction
  ) throws {
    guard contact.isOpen else { throw Problem.conversationOver }
    try type(.customer, contact.name, of: conversation, in: tx)
  }

  /// Ends the contact, once; the conversation stays as it is.
  package func stop(
    _ contact: ConversationContact, of conversation: Conversation, in tx: any SQLTransaction
  ) throws {
    guard contact.isOpen else { return }
    var turn = ConversationTurn(conversation, world)
    turn.add(.left, .customer, .init(name: contact.name))
    // The conversation before its contacts, as in moves and in `delete`: transactions that race do not lock crosswise.
    try keep(turn, in: tx)
    try ConversationContactStore(tx, vault).end(contact.id, at: conversation.sequence, .stopped)
  }

  // MARK: What both sides share

  /// What was said under that id already.
  func said(
    _ content: ConversationEntry.Content, _ clientID: String?, of conversation: Conversation, in tx: any SQLTransaction
  ) throws -> ConversationEntry? {
    guard let clientID,
      let entry = try ConversationEntryStore(tx, vault).find(conversation.id, clientID: clientID)
    else { return nil }
    // Earlier versions stored a text with the white space around it, which a repetition has no more.
    let texts = [entry.content.text, content.text].map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    guard texts[0] == texts[1] else { throw Problem.messageIDUsed }
    // The node that published it first may have stopped before it notified the others.
    tx.signal(Self.signal(conversation.id))
    return entry
  }

  func type(
    _ role: ConversationEntry.Role, _ name: String, of conversation: Conversation, in tx: any SQLTransaction
  ) throws {
    let since = world.now() - policy.typingSpacing
    guard try !ConversationEntryStore(tx, vault).hasTyped(role, in: conversation.id, since: since) else { return }
    var turn = ConversationTurn(conversation, world)
    turn.add(.typing, role, .init(name: name))
    try keep(turn, in: tx)
  }

  /// A turn that changes the status, and writes it.
  /// - Throws: `Problem` conversation over; `SQLError.outdated`.
  func move(
    _ turn: inout ConversationTurn, on event: ConversationEvent, by actor: String, in tx: any SQLTransaction
  ) throws {
    try mover.move(&turn, on: event, of: ConversationMachine(vault: vault, world: world), by: actor, in: tx)
  }

  /// Writes a turn that is no move.
  /// - Throws: `SQLError.outdated`.
  func keep(_ turn: ConversationTurn, in tx: any SQLTransaction) throws { try ConversationStore(tx, vault).save(turn) }
}

extension Problem {
  /// The contact ended, or the conversation was closed.
  package static let conversationOver = Problem(.gone, "conversation-over", "The conversation has ended.")
  static let messageIDUsed = Problem(.conflict, "message-id-used", "This message id was used for other words.")
}
