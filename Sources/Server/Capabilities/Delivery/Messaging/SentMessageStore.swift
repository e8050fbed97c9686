// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `sent_message`. The masked recipient is sealed under the key of the person.
struct SentMessageStore {
  private static let columns: SQLColumns =
    "id, subject_id, channel, kind, language, sealed, state, attempts, first_at, last_at"

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
    "2026-12-10 sent message",
    """
    CREATE TABLE sent_message (
      id TEXT PRIMARY KEY,
      subject_id TEXT NOT NULL,
      channel TEXT NOT NULL CHECK (channel IN ('sms', 'email')),
      kind TEXT NOT NULL,
      language TEXT NOT NULL,
      sealed BLOB NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('accepted', 'failed', 'refused')),
      attempts BIGINT NOT NULL CHECK (attempts > 0),
      first_at BIGINT NOT NULL,
      last_at BIGINT NOT NULL
    );
    CREATE INDEX sent_message_subject ON sent_message (subject_id, first_at, id);
    CREATE INDEX sent_message_age ON sent_message (first_at, id);
    """)

  static let sealedColumn = SealedColumn("sent_message", "sealed", of: "subject_id")

  /// Adds the message, or one more attempt to send it. What a gateway took once stays accepted: a repetition that
  /// fails does not take it back.
  func add(_ message: SentMessage, about subject: String) throws {
    let sealed = try vault.seal(
      message.recipient, as: Self.context(message.id), of: KeySubject(subject), in: tx)
    try tx.execute(
      """
      INSERT INTO sent_message (id, subject_id, channel, kind, language, sealed, state, attempts, first_at, last_at)
      VALUES (\(message.id), \(subject), \(message.channel.rawValue), \(message.kind), \(message.language), \(sealed),
        \(message.state), \(message.attempts), \(message.firstAt), \(message.lastAt))
      ON CONFLICT (id) DO UPDATE SET
        state = CASE WHEN sent_message.state = 'accepted' THEN sent_message.state ELSE excluded.state END,
        attempts = sent_message.attempts + 1, last_at = excluded.last_at
      """)
  }

  /// Of one person, the newest first.
  func list(about subject: String, limit: Int) throws -> [SentMessage] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM sent_message WHERE subject_id = \(subject)
      ORDER BY first_at DESC, id DESC LIMIT \(limit)
      """
    ).compactMap { row in
      // In a copy that was restored, the key of a person may be gone before their rows are.
      do { return try message(row) } catch VaultError.erased { return nil }
    }
  }

  func delete(about subject: String) throws {
    try tx.execute("DELETE FROM sent_message WHERE subject_id = \(subject)")
  }

  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM sent_message WHERE id IN
        (SELECT id FROM sent_message WHERE first_at < \(instant) ORDER BY first_at, id LIMIT \(limit))
      """)
  }

  private func message(_ row: SQLRow) throws -> SentMessage {
    let id: SentMessage.ID = try row.get("id")
    guard let channel = Message.Channel(rawValue: try row.get("channel")) else {
      throw SQLError.unreadable("unknown channel")
    }
    return SentMessage(
      id: id, channel: channel, kind: try row.get("kind"), language: try row.get("language"),
      recipient: try vault.open(row.get("sealed"), as: String.self, context: Self.context(id), in: tx),
      state: try row.get("state"), attempts: try row.get("attempts"), firstAt: try row.get("first_at"),
      lastAt: try row.get("last_at"))
  }

  private static func context(_ id: SentMessage.ID) -> String { "sent_message.sealed:\(id)" }
}
