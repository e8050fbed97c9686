// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `webhook_turn`: who may call an endpoint now. Publishing does not touch them, so that a step that many
/// customers take at once never waits for a call.
package struct WebhookTurnStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// `opened_at` is when a delivery's day began, `held_by` the owed effect that has it in hand. An effect that was owed
  /// for one delivery, as it was before, does nothing; `Webhooks.mend` finds what it would have sent.
  package static let migration = Migration(
    "2026-11-22 webhooks 4 turns",
    """
    CREATE TABLE webhook_turn (
      endpoint_id TEXT PRIMARY KEY REFERENCES webhook_endpoint (id) ON DELETE CASCADE,
      beat BIGINT NOT NULL,
      failures BIGINT NOT NULL CHECK (failures >= 0),
      resumes_at BIGINT
    );
    ALTER TABLE webhook_delivery ADD COLUMN held_by TEXT;
    ALTER TABLE webhook_delivery ADD COLUMN opened_at BIGINT NOT NULL DEFAULT 0;
    UPDATE webhook_delivery SET opened_at = created_at;
    CREATE INDEX webhook_delivery_queue ON webhook_delivery (endpoint_id, due_at, id)
      WHERE state = 'pending' AND held_by IS NULL;
    CREATE INDEX webhook_delivery_held ON webhook_delivery (endpoint_id) WHERE held_by IS NOT NULL;
    CREATE INDEX webhook_delivery_due ON webhook_delivery (due_at) WHERE state = 'pending';
    """)

  /// How an endpoint has answered lately.
  struct Pace: Sendable {
    /// Tries without an answer, one after another.
    let failures: Int
    /// Until when it is not called; nil or past when it may be called.
    let resumesAt: Instant?
  }

  /// Locks an endpoint's turns until the transaction ends: other transactions that ask for one wait.
  /// - Precondition: the transaction reads what is committed when each statement starts.
  func lock(_ id: WebhookEndpoint.ID) throws -> Pace {
    let row = try tx.first(
      """
      INSERT INTO webhook_turn (endpoint_id, beat, failures) VALUES (\(id), 0, 0)
      ON CONFLICT (endpoint_id) DO UPDATE SET beat = webhook_turn.beat + 1 RETURNING failures, resumes_at
      """)
    return try row.map(Self.read) ?? Pace(failures: 0, resumesAt: nil)
  }

  /// Nil of one that was never called.
  func pace(_ id: WebhookEndpoint.ID) throws -> Pace? {
    try tx.first("SELECT failures, resumes_at FROM webhook_turn WHERE endpoint_id = \(id)").map(Self.read)
  }

  /// Endpoints that are not called at an instant, and until when.
  func rests(at now: Instant) throws -> [WebhookEndpoint.ID: Instant] {
    try tx.query("SELECT endpoint_id, resumes_at FROM webhook_turn WHERE resumes_at > \(now)").reduce(into: [:]) {
      try $0[$1.get("endpoint_id")] = $1.get("resumes_at", as: Instant.self)
    }
  }

  private static func read(_ row: SQLRow) throws -> Pace {
    Pace(failures: try row.get("failures"), resumesAt: try row.get("resumes_at"))
  }

  func save(_ id: WebhookEndpoint.ID, failures: Int, resumesAt: Instant?) throws {
    try tx.execute(
      """
      UPDATE webhook_turn SET failures = \(failures), resumes_at = \(resumesAt) WHERE endpoint_id = \(id)
      """)
  }
}
