// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Deliveries that wait for their endpoint, and those that a worker holds. To be asked under the endpoint's lock
/// (`WebhookTurnStore.lock`).
extension WebhookDeliveryStore {
  /// Takes what is owed next.
  /// - Returns: nil when nothing is due that no worker holds.
  func take(from endpoint: WebhookEndpoint.ID, by holder: OutboxItem.ID, at now: Instant) throws -> Row? {
    let id = try tx.first(
      """
      UPDATE webhook_delivery SET held_by = \(holder) WHERE id = (
        SELECT id FROM webhook_delivery
        WHERE endpoint_id = \(endpoint) AND state = 'pending' AND held_by IS NULL AND due_at <= \(now)
        ORDER BY due_at, id LIMIT 1) AND held_by IS NULL
      RETURNING id
      """)?.get("id", as: WebhookDelivery.ID.self)
    return try id.flatMap(find)
  }

  /// What an effect had in hand when it was cut short.
  func taken(from endpoint: WebhookEndpoint.ID, by holder: OutboxItem.ID) throws -> Row? {
    try tx.first("SELECT id FROM webhook_delivery WHERE endpoint_id = \(endpoint) AND held_by = \(holder)")
      .map { try $0.get("id", as: WebhookDelivery.ID.self) }.flatMap(find)
  }

  /// Gives back what was not tried.
  func putBack(_ row: Row, by holder: OutboxItem.ID) throws {
    try tx.execute(
      "UPDATE webhook_delivery SET held_by = NULL WHERE id = \(row.delivery.id) AND held_by = \(holder)")
  }

  /// Who has deliveries to an endpoint in hand.
  func holders(of endpoint: WebhookEndpoint.ID) throws -> [OutboxItem.ID] {
    try tx.query("SELECT held_by FROM webhook_delivery WHERE endpoint_id = \(endpoint) AND held_by IS NOT NULL")
      .map { try $0.get("held_by") }
  }

  /// Releases what a worker that is gone still holds.
  func release(_ endpoint: WebhookEndpoint.ID, from holder: OutboxItem.ID) throws {
    try tx.execute(
      "UPDATE webhook_delivery SET held_by = NULL WHERE endpoint_id = \(endpoint) AND held_by = \(holder)")
  }

  /// Gives up what waits for an endpoint and is not held.
  /// - Parameter opened: what was owed by then; nil is everything.
  /// - Returns: how many, at most `limit`.
  func giveUp(_ endpoint: WebhookEndpoint.ID, opened horizon: Instant?, _ error: String, limit: Int) throws -> Int {
    try tx.execute(
      """
      UPDATE webhook_delivery SET state = 'failed', turn = turn + 1, last_error = \(error), due_at = NULL
      WHERE id IN (
        SELECT id FROM webhook_delivery
        WHERE endpoint_id = \(endpoint) AND state = 'pending' AND held_by IS NULL
          AND opened_at <= \(horizon ?? Instant(milliseconds: .max))
        ORDER BY due_at, id LIMIT \(limit))
      """)
  }

  /// Endpoints that something is owed to since before `horizon`, and that are called.
  func waiting(since horizon: Instant, limit: Int) throws -> [WebhookEndpoint.ID] {
    try tx.query(
      """
      SELECT DISTINCT d.endpoint_id FROM webhook_delivery d
      LEFT JOIN webhook_turn t ON t.endpoint_id = d.endpoint_id
      WHERE d.state = 'pending' AND d.due_at <= \(horizon) AND (t.resumes_at IS NULL OR t.resumes_at <= \(horizon))
      ORDER BY d.endpoint_id LIMIT \(limit)
      """
    ).map { try $0.get("endpoint_id") }
  }
}
