// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `webhook_message` and `webhook_delivery`: what was said, sealed, and how it reached each endpoint.
package struct WebhookDeliveryStore {
  /// Of a delivery `d` with its message `m`.
  static let columns: SQLColumns = """
    d.id, d.message_id, d.endpoint_id, m.tenant, m.type, m.name, d.state, d.turn, d.tries, d.last_status,
    d.last_error, d.created_at, d.tried_at, d.due_at
    """

  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// `turn` names the try that is owed: the outcome of another turn counts for nothing.
  package static let migration = Migration(
    "2026-11-22 webhooks 2 delivery",
    """
    CREATE TABLE webhook_message (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      type TEXT NOT NULL,
      subject_id TEXT,
      sealed BLOB NOT NULL,
      created_at BIGINT NOT NULL,
      UNIQUE (tenant, name)
    );
    CREATE INDEX webhook_message_age ON webhook_message (created_at, id);
    CREATE INDEX webhook_message_subject ON webhook_message (subject_id) WHERE subject_id IS NOT NULL;
    CREATE TABLE webhook_delivery (
      id TEXT PRIMARY KEY,
      message_id TEXT NOT NULL REFERENCES webhook_message (id) ON DELETE CASCADE,
      endpoint_id TEXT NOT NULL REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
      state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'failed')),
      turn BIGINT NOT NULL CHECK (turn >= 0),
      tries BIGINT NOT NULL CHECK (tries >= 0),
      last_status BIGINT,
      last_error TEXT,
      created_at BIGINT NOT NULL,
      tried_at BIGINT,
      due_at BIGINT,
      UNIQUE (message_id, endpoint_id),
      CHECK ((state = 'pending') = (due_at IS NOT NULL))
    );
    CREATE INDEX webhook_delivery_endpoint ON webhook_delivery (endpoint_id, created_at, id);
    CREATE INDEX webhook_delivery_age ON webhook_delivery (created_at, id);
    CREATE INDEX webhook_delivery_state ON webhook_delivery (state, created_at, id);
    """)

  /// Whose key seals a message may be another one than it is about: a customer has several connections, and is a user.
  package static let keySubjectMigration = Migration(
    "2026-11-26 webhooks 8 key subject",
    """
    ALTER TABLE webhook_message ADD COLUMN key_subject TEXT;
    UPDATE webhook_message SET key_subject = subject_id;
    CREATE INDEX webhook_message_key_subject ON webhook_message (key_subject) WHERE key_subject IS NOT NULL;
    """)

  /// A delivery with what a try needs.
  struct Row: Sendable {
    let delivery: WebhookDelivery
    let message: WebhookMessage.ID

    var turn: Int { delivery.turn }
  }

  /// - Returns: false when the tenant's message of that name is there already.
  func insert(_ message: WebhookMessage, as id: WebhookMessage.ID, at now: Instant) throws -> Bool {
    let sealed = try vault.seal(
      message.body, context: Self.context(id), of: message.keySubject.map { KeySubject($0) }, in: tx)
    return try tx.execute(
      """
      INSERT INTO webhook_message (id, tenant, name, type, subject_id, key_subject, sealed, created_at)
      VALUES (\(id), \(message.tenant), \(message.name), \(message.type), \(message.about), \(message.keySubject),
        \(sealed), \(now))
      ON CONFLICT (tenant, name) DO NOTHING
      """) == 1
  }

  func insert(
    _ id: WebhookDelivery.ID, of message: WebhookMessage.ID, to endpoint: WebhookEndpoint.ID, at now: Instant
  ) throws {
    try tx.execute(
      """
      INSERT INTO webhook_delivery
        (id, message_id, endpoint_id, state, turn, tries, created_at, opened_at, due_at)
      VALUES (\(id), \(message), \(endpoint), 'pending', 0, 0, \(now), \(now), \(now))
      """)
  }

  /// Nil when no key of this process opens it.
  func body(of message: WebhookMessage.ID) throws -> Data? {
    guard let row = try tx.first("SELECT sealed FROM webhook_message WHERE id = \(message)") else { return nil }
    let sealed: Data = try row.get("sealed")
    return try? vault.open(sealed, context: Self.context(message), in: tx)
  }

  func find(_ id: WebhookDelivery.ID) throws -> Row? {
    try tx.first(
      """
      SELECT \(Self.columns)
      FROM webhook_delivery d JOIN webhook_message m ON m.id = d.message_id WHERE d.id = \(id)
      """
    ).map(Self.row)
  }

  /// - Parameter holder: who made the try.
  /// - Returns: false when the holder has lost the delivery.
  func update(_ row: Row, by holder: OutboxItem.ID, to ended: WebhookAttempt) throws -> Bool {
    try tx.execute(
      """
      UPDATE webhook_delivery SET state = \(ended.state.rawValue), turn = turn + 1, tries = \(ended.tries),
        last_status = \(ended.status), last_error = \(ended.error), tried_at = \(ended.at), due_at = \(ended.dueAt),
        held_by = NULL
      WHERE id = \(row.delivery.id) AND turn = \(row.turn) AND held_by = \(holder) AND state = 'pending'
      """) == 1
  }

  /// Owes another round of tries, whatever became of it.
  /// - Returns: false when a worker holds it, or there is no such delivery.
  func reopen(_ id: WebhookDelivery.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      UPDATE webhook_delivery SET state = 'pending', turn = turn + 1, tries = 0, opened_at = \(now), due_at = \(now)
      WHERE id = \(id) AND held_by IS NULL
      """) == 1
  }

  private static func context(_ id: WebhookMessage.ID) -> String { "webhook_message.sealed:\(id)" }

  static func row(_ row: SQLRow) throws -> Row {
    Row(
      delivery: WebhookDelivery(
        id: try row.get("id"), endpoint: try row.get("endpoint_id"), tenant: try row.get("tenant"),
        type: try row.get("type"), name: try row.get("name"),
        state: WebhookDelivery.State(rawValue: try row.get("state")) ?? .failed, turn: try row.get("turn"),
        tries: try row.get("tries"),
        lastStatus: try row.get("last_status"), lastError: try row.get("last_error"),
        createdAt: try row.get("created_at"), triedAt: try row.get("tried_at"), dueAt: try row.get("due_at")),
      message: try row.get("message_id"))
  }
}

/// How one try ended, as it is kept.
struct WebhookAttempt: Sendable {
  let state: WebhookDelivery.State
  let tries: Int
  let status: Int?
  let error: String?
  let at: Instant
  /// When the next one begins; nil after the last.
  let dueAt: Instant?
}
