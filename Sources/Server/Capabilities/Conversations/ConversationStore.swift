// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `conversation`.
package struct ConversationStore {
  static let columns: SQLColumns =
    "id, room, customer_id, status, agent_id, content, sequence, waiting_since, created_at, updated_at"

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, _ vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// Lets an erasure count a customer's chats of every tenant.
  package static let customerMigration = Migration(
    "2026-11-26 finaptic conversation person",
    "CREATE INDEX conversation_person ON conversation (customer_id);")

  /// `sequence` numbers both the entries and the versions of the conversation. An entry that is not kept leaves a gap.
  package static let migration = Migration(
    "2026-11-22 finaptic 50 conversation",
    """
    CREATE TABLE conversation (
      id TEXT PRIMARY KEY,
      room TEXT NOT NULL,
      customer_id TEXT NOT NULL,
      status TEXT NOT NULL CHECK (status IN ('waitingForAgent', 'waitingForCustomer', 'resolved')),
      agent_id TEXT,
      content BLOB NOT NULL,
      sequence BIGINT NOT NULL CHECK (sequence >= 0),
      waiting_since BIGINT,
      created_at BIGINT NOT NULL,
      updated_at BIGINT NOT NULL,
      CHECK ((waiting_since IS NOT NULL) = (status = 'waitingForAgent'))
    );
    CREATE INDEX conversation_customer ON conversation (room, customer_id, updated_at, id);
    CREATE INDEX conversation_queue ON conversation (room, waiting_since, id) WHERE waiting_since IS NOT NULL;
    CREATE INDEX conversation_agent ON conversation (room, agent_id, updated_at) WHERE agent_id IS NOT NULL;
    CREATE INDEX conversation_age ON conversation (updated_at);
    CREATE TABLE conversation_entry (
      conversation_id TEXT NOT NULL REFERENCES conversation (id),
      sequence BIGINT NOT NULL CHECK (sequence >= 1),
      id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('message', 'joined', 'left', 'typing')),
      role TEXT NOT NULL CHECK (role IN ('customer', 'agent', 'system')),
      content BLOB NOT NULL,
      client_id TEXT,
      created_at BIGINT NOT NULL,
      PRIMARY KEY (conversation_id, sequence)
    );
    CREATE UNIQUE INDEX conversation_entry_client ON conversation_entry (conversation_id, client_id)
      WHERE client_id IS NOT NULL;
    CREATE INDEX conversation_entry_passing ON conversation_entry (created_at) WHERE kind <> 'message';
    CREATE TABLE conversation_contact (
      id TEXT PRIMARY KEY,
      conversation_id TEXT NOT NULL REFERENCES conversation (id),
      token_digest TEXT NOT NULL UNIQUE,
      name BLOB NOT NULL,
      begin_sequence BIGINT NOT NULL,
      end_sequence BIGINT,
      ending TEXT CHECK (ending IN ('stopped', 'resolved')),
      created_at BIGINT NOT NULL,
      CHECK ((end_sequence IS NULL) = (ending IS NULL))
    );
    CREATE INDEX conversation_contact_conversation ON conversation_contact (conversation_id);
    CREATE INDEX conversation_contact_age ON conversation_contact (created_at);
    """)

  /// Entries are walked through by their ids when they are sealed again.
  package static let entryMigration = Migration(
    "2026-11-26 finaptic conversation entry", "CREATE INDEX conversation_entry_id ON conversation_entry (id);")

  /// What is sealed.
  private struct Content: Codable {
    let subject: String
    let agentName: String?
  }

  func insert(_ conversation: Conversation) throws {
    try tx.execute(
      """
      INSERT INTO conversation
        (id, room, customer_id, status, agent_id, content, sequence, waiting_since, created_at, updated_at)
      VALUES (\(conversation.id), \(conversation.tenant), \(conversation.customer), \(conversation.status),
        \(conversation.agent?.id), \(try sealed(conversation)), \(conversation.sequence),
        \(conversation.waitingSince), \(conversation.createdAt), \(conversation.updatedAt))
      """)
  }

  func find(_ id: Conversation.ID, tenant: String) throws -> Conversation? {
    try tx.first("SELECT \(Self.columns) FROM conversation WHERE id = \(id) AND room = \(tenant)").map(conversation)
  }

  func find(_ id: Conversation.ID) throws -> Conversation? {
    try tx.first("SELECT \(Self.columns) FROM conversation WHERE id = \(id)").map(conversation)
  }

  /// Writes a change of the conversation with its entries, and publishes both to live readers.
  ///
  /// Compare-and-set on the number that the change was decided on. The row stays locked to the commit: the next number
  /// is given when this one is there for everybody to see.
  /// - Throws: `SQLError.outdated`.
  func save(_ turn: ConversationTurn) throws {
    let conversation = turn.conversation
    let changed = try tx.execute(
      """
      UPDATE conversation SET status = \(conversation.status), agent_id = \(conversation.agent?.id),
        content = \(try sealed(conversation)), sequence = \(conversation.sequence),
        waiting_since = \(conversation.waitingSince), updated_at = \(conversation.updatedAt)
      WHERE id = \(conversation.id) AND sequence = \(turn.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    let entries = ConversationEntryStore(tx, vault)
    for entry in turn.entries { try entries.insert(entry, of: conversation.customer) }
    tx.signal(Conversations.signal(conversation.id))
  }

  // MARK: Lists

  // A conversation that is not held and has no messages is left out: its customer could not connect.

  /// A customer's, the last changed first, below a place in that order.
  func page(
    tenant: String, customer: String, below place: (Instant, Conversation.ID)?, limit: Int
  ) throws -> [Conversation] {
    let (instant, id) = place ?? (Instant(milliseconds: .max), .init(rawValue: ""))
    return try tx.query(
      """
      SELECT \(Self.columns) FROM conversation
      WHERE room = \(tenant) AND customer_id = \(customer)
        AND (updated_at < \(instant) OR (updated_at = \(instant) AND id < \(id)))
        AND (EXISTS
            (SELECT 1 FROM conversation_entry e WHERE e.conversation_id = conversation.id AND e.kind = 'message')
          OR EXISTS
            (SELECT 1 FROM conversation_contact c WHERE c.conversation_id = conversation.id AND c.ending IS NULL))
      ORDER BY updated_at DESC, id DESC LIMIT \(limit)
      """
    ).map(conversation)
  }

  /// Conversations that no agent holds while their customers wait, the longest waiting first.
  func waiting(tenant: String, limit: Int) throws -> [Conversation] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM conversation WHERE room = \(tenant) AND waiting_since IS NOT NULL AND agent_id IS NULL
        AND (EXISTS
            (SELECT 1 FROM conversation_entry e WHERE e.conversation_id = conversation.id AND e.kind = 'message')
          OR EXISTS
            (SELECT 1 FROM conversation_contact c WHERE c.conversation_id = conversation.id AND c.ending IS NULL))
      ORDER BY waiting_since, id LIMIT \(limit)
      """
    ).map(conversation)
  }

  /// Conversations in which a customer who said something waits, of every tenant, in the order of their ids.
  func spoken(after id: Conversation.ID?, limit: Int) throws -> [Conversation.ID] {
    try tx.query(
      """
      SELECT id FROM conversation WHERE waiting_since IS NOT NULL AND id > \(id?.rawValue ?? "")
        AND EXISTS
          (SELECT 1 FROM conversation_entry e WHERE e.conversation_id = conversation.id AND e.kind = 'message')
      ORDER BY id LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Conversations that an agent holds; of one agent when named. Customers who wait come first, the longest waiting of
  /// them before the others: a list that is cut must not lose them.
  func taken(tenant: String, agent: String?, limit: Int) throws -> [Conversation] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM conversation
      WHERE room = \(tenant) AND agent_id IS NOT NULL AND (\(agent == nil) = 1 OR agent_id = \(agent ?? ""))
      ORDER BY CASE WHEN waiting_since IS NULL THEN 1 ELSE 0 END, waiting_since, updated_at, id LIMIT \(limit)
      """
    ).map(conversation)
  }

  // MARK: Forgetting

  func ids(tenant: String, customer: String) throws -> [Conversation.ID] {
    try tx.query("SELECT id FROM conversation WHERE room = \(tenant) AND customer_id = \(customer) ORDER BY id")
      .map { try $0.get("id") }
  }

  func old(before instant: Instant, limit: Int) throws -> [Conversation.ID] {
    try tx.query("SELECT id FROM conversation WHERE updated_at < \(instant) ORDER BY updated_at LIMIT \(limit)")
      .map { try $0.get("id") }
  }

  /// Conversations that are not held and have no messages. Customers wait in all of them.
  /// - Parameter earliest: what was last changed before it is left out, so that a queue of years costs nothing.
  func empty(before instant: Instant, since earliest: Instant, limit: Int) throws -> [Conversation.ID] {
    try tx.query(
      """
      SELECT id FROM conversation
      WHERE updated_at >= \(earliest) AND waiting_since IS NOT NULL AND waiting_since < \(instant)
        AND agent_id IS NULL
        AND NOT EXISTS
          (SELECT 1 FROM conversation_entry e WHERE e.conversation_id = conversation.id AND e.kind = 'message')
        AND NOT EXISTS
          (SELECT 1 FROM conversation_contact c WHERE c.conversation_id = conversation.id AND c.ending IS NULL)
      ORDER BY updated_at LIMIT \(limit)
      """
    ).map { try $0.get("id") }
  }

  /// Deletes it with its entries. The row is locked first, so that no entry is added meanwhile.
  func delete(_ id: Conversation.ID) throws {
    try tx.execute("UPDATE conversation SET sequence = sequence + 1 WHERE id = \(id)")
    try tx.execute("DELETE FROM conversation_contact WHERE conversation_id = \(id)")
    try tx.execute("DELETE FROM conversation_entry WHERE conversation_id = \(id)")
    try tx.execute("DELETE FROM conversation WHERE id = \(id)")
  }

  // MARK: Rows

  private static func context(_ id: Conversation.ID) -> String { "conversation.content:\(id)" }

  private func sealed(_ conversation: Conversation) throws -> Data {
    try vault.seal(
      Content(subject: conversation.subject, agentName: conversation.agent?.name), as: Self.context(conversation.id),
      of: KeySubject(conversation.customer), in: tx)
  }

  private func conversation(_ row: SQLRow) throws -> Conversation {
    let id: Conversation.ID = try row.get("id")
    let content = try vault.open(row.get("content"), as: Content.self, context: Self.context(id), in: tx)
    let agent: String? = try row.get("agent_id")
    return Conversation(
      id: id, tenant: try row.get("room"), customer: try row.get("customer_id"), subject: content.subject,
      status: try row.get("status"), agent: agent.map { .init(id: $0, name: content.agentName ?? "") },
      waitingSince: try row.get("waiting_since"), createdAt: try row.get("created_at"),
      updatedAt: try row.get("updated_at"), sequence: try row.get("sequence"))
  }
}
