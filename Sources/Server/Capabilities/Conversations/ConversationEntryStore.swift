// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `conversation_entry`.
package struct ConversationEntryStore {
  static let columns: SQLColumns = "conversation_id, sequence, id, kind, role, content, client_id, created_at"

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, _ vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  func insert(_ entry: ConversationEntry, of customer: String) throws {
    let sealed = try vault.seal(entry.content, as: Self.context(entry.id), of: KeySubject(customer), in: tx)
    try tx.execute(
      """
      INSERT INTO conversation_entry (conversation_id, sequence, id, kind, role, content, client_id, created_at)
      VALUES (\(entry.conversation), \(entry.sequence), \(entry.id), \(entry.kind), \(entry.role), \(sealed),
        \(entry.clientID), \(entry.createdAt))
      """)
  }

  /// What was said under an author's own number.
  func find(_ conversation: Conversation.ID, clientID: String) throws -> ConversationEntry? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM conversation_entry
      WHERE conversation_id = \(conversation) AND client_id = \(clientID)
      """
    ).map { try Self.entry($0, vault, in: tx) }
  }

  /// Messages, the newest first.
  func messages(
    of conversation: Conversation.ID, below sequence: Int64 = .max, limit: Int
  ) throws -> [ConversationEntry] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM conversation_entry
      WHERE conversation_id = \(conversation) AND kind = \(ConversationEntry.Kind.message) AND sequence < \(sequence)
      ORDER BY sequence DESC LIMIT \(limit)
      """
    ).map { try Self.entry($0, vault, in: tx) }
  }

  func hasTyped(_ role: ConversationEntry.Role, in conversation: Conversation.ID, since instant: Instant) throws -> Bool
  {
    try tx.first(
      """
      SELECT sequence FROM conversation_entry
      WHERE conversation_id = \(conversation) AND kind = \(ConversationEntry.Kind.typing) AND role = \(role)
        AND created_at > \(instant)
      LIMIT 1
      """) != nil
  }

  /// What does not last.
  @discardableResult
  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM conversation_entry WHERE (conversation_id, sequence) IN
        (SELECT conversation_id, sequence FROM conversation_entry
         WHERE kind <> 'message' AND created_at < \(instant) LIMIT \(limit))
      """)
  }

  // MARK: New entries

  /// What comes after a number in a contact, and how it ended, in one statement; no rows for a contact that is gone.
  static func updates(
    of contact: ConversationContact.ID, after sequence: Int64, limit: Int, in database: any SQLDatabase, _ vault: Vault
  ) async throws -> (ending: ConversationContact.Ending?, entries: [ConversationEntry])? {
    let rows = try await database.query(
      """
      SELECT c.ending AS ending, e.conversation_id AS conversation_id, e.sequence AS sequence, e.id AS id,
        e.kind AS kind, e.role AS role, e.content AS content, e.client_id AS client_id, e.created_at AS created_at
      FROM conversation_contact c LEFT JOIN conversation_entry e ON e.conversation_id = c.conversation_id
        AND e.sequence > \(sequence) AND (c.end_sequence IS NULL OR e.sequence <= c.end_sequence)
      WHERE c.id = \(contact) ORDER BY e.sequence LIMIT \(limit)
      """)
    guard let first = rows.first, let entries = try await opened(rows, in: database, vault) else { return nil }
    return (try first.get("ending"), entries)
  }

  /// The same of a whole conversation, for those who answer.
  static func updates(
    of conversation: Conversation.ID, after sequence: Int64, limit: Int, in database: any SQLDatabase, _ vault: Vault
  ) async throws -> [ConversationEntry]? {
    let rows = try await database.query(
      """
      SELECT e.conversation_id AS conversation_id, e.sequence AS sequence, e.id AS id, e.kind AS kind, e.role AS role,
        e.content AS content, e.client_id AS client_id, e.created_at AS created_at
      FROM conversation c LEFT JOIN conversation_entry e ON e.conversation_id = c.id AND e.sequence > \(sequence)
      WHERE c.id = \(conversation) ORDER BY e.sequence LIMIT \(limit)
      """)
    return rows.isEmpty ? nil : try await opened(rows, in: database, vault)
  }

  /// - Returns: nil when the customer was erased since the rows were read.
  private static func opened(
    _ rows: [SQLRow], in database: any SQLDatabase, _ vault: Vault
  ) async throws -> [ConversationEntry]? {
    let found = try rows.filter { try $0.get("sequence", as: Int64?.self) != nil }
    guard !found.isEmpty else { return [] }
    do {
      return try await database.look { tx in try found.map { try entry($0, vault, in: tx) } }
    } catch VaultError.erased { return nil }
  }

  private static func context(_ id: ConversationEntry.ID) -> String { "conversation_entry.content:\(id)" }

  private static func entry(_ row: SQLRow, _ vault: Vault, in tx: any SQLTransaction) throws -> ConversationEntry {
    let id: ConversationEntry.ID = try row.get("id")
    return ConversationEntry(
      conversation: try row.get("conversation_id"), sequence: try row.get("sequence"), id: id,
      kind: try row.get("kind"), role: try row.get("role"),
      content: try vault.open(row.get("content"), as: ConversationEntry.Content.self, context: context(id), in: tx),
      clientID: try row.get("client_id"), createdAt: try row.get("created_at"))
  }
}
