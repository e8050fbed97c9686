// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `conversation_contact`.
package struct ConversationContactStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, _ vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  func insert(_ contact: ConversationContact, of customer: String, token: String) throws {
    let name = try vault.seal(
      Data(contact.name.utf8), context: Self.context(contact.id), of: KeySubject(customer), in: tx)
    try tx.execute(
      """
      INSERT INTO conversation_contact (id, conversation_id, token_digest, name, begin_sequence, created_at)
      VALUES (\(contact.id), \(contact.conversation), \(digest(token)), \(name), \(contact.begin),
        \(contact.createdAt))
      """)
  }

  func find(token: String) throws -> ConversationContact? {
    try tx.first(
      """
      SELECT id, conversation_id, name, begin_sequence, end_sequence, ending, created_at FROM conversation_contact
      WHERE token_digest = \(digest(token))
      """
    ).map { row in
      let id: ConversationContact.ID = try row.get("id")
      return ConversationContact(
        id: id, conversation: try row.get("conversation_id"),
        name: String(decoding: try vault.open(row.get("name"), context: Self.context(id), in: tx), as: UTF8.self),
        begin: try row.get("begin_sequence"), end: try row.get("end_sequence"), ending: try row.get("ending"),
        createdAt: try row.get("created_at"))
    }
  }

  func end(_ id: ConversationContact.ID, at sequence: Int64, _ ending: ConversationContact.Ending) throws {
    try tx.execute(
      """
      UPDATE conversation_contact SET end_sequence = \(sequence), ending = \(ending)
      WHERE id = \(id) AND ending IS NULL
      """)
  }

  func endAll(of id: Conversation.ID, at sequence: Int64, _ ending: ConversationContact.Ending) throws {
    try tx.execute(
      """
      UPDATE conversation_contact SET end_sequence = \(sequence), ending = \(ending)
      WHERE conversation_id = \(id) AND ending IS NULL
      """)
  }

  @discardableResult
  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM conversation_contact WHERE id IN
        (SELECT id FROM conversation_contact WHERE created_at < \(instant) LIMIT \(limit))
      """)
  }

  private func digest(_ token: String) -> String { vault.digest(token, for: "conversation_contact.token") }
  private static func context(_ id: ConversationContact.ID) -> String { "conversation_contact.name:\(id)" }
}
