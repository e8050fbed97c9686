// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What operators and pages ask of deliveries. Bodies are never shown.
package struct WebhookLogStore {
  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// An endpoint's few failed ones are found among millions that were delivered.
  package static let migration = Migration(
    "2026-11-23 webhooks 6 log",
    "CREATE INDEX webhook_delivery_log ON webhook_delivery (endpoint_id, state, created_at, id);")

  /// Which deliveries, and how many.
  package struct Filter: Sendable {
    package var endpoint: WebhookEndpoint.ID?
    package var state: WebhookDelivery.State?
    package var limit = 100

    package init() {}
  }

  /// The newest first.
  package func list(_ filter: Filter) throws -> [WebhookDelivery] {
    let (endpoint, state) = (filter.endpoint?.rawValue ?? "", filter.state?.rawValue ?? "")
    return try tx.query(
      """
      SELECT \(WebhookDeliveryStore.columns)
      FROM webhook_delivery d JOIN webhook_message m ON m.id = d.message_id
      WHERE (\(endpoint) = '' OR d.endpoint_id = \(endpoint)) AND (\(state) = '' OR d.state = \(state))
      ORDER BY d.created_at DESC, d.id DESC LIMIT \(filter.limit)
      """
    ).map { try WebhookDeliveryStore.row($0).delivery }
  }

  /// Where a page of an endpoint's log ended.
  package struct Cursor: Sendable, Equatable {
    package let createdAt: Instant
    package let id: WebhookDelivery.ID

    package init(_ delivery: WebhookDelivery) { (createdAt, id) = (delivery.createdAt, delivery.id) }

    /// Milliseconds and an id, as in `1795240800000.019c…`.
    package var text: String { "\(createdAt.milliseconds).\(id)" }

    /// - Returns: nil for anything that is not such a text.
    package init?(_ text: String) {
      let parts = text.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].utf8.count <= 15, let milliseconds = Int64(parts[0]), milliseconds >= 0,
        parts[1].utf8.count == 36, parts[1].utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f })
      else { return nil }
      (createdAt, id) = (Instant(milliseconds: milliseconds), .init(rawValue: String(parts[1])))
    }
  }

  /// A page of what one endpoint was sent, the newest first.
  func page(
    of endpoint: WebhookEndpoint.ID, in state: WebhookDelivery.State?, before cursor: Cursor?, limit: Int
  ) throws -> [WebhookDelivery] {
    let (end, id) = (cursor?.createdAt ?? Instant(milliseconds: .max), cursor?.id.rawValue ?? "")
    // Two statements: an index cannot serve a condition that may be none.
    let page: SQL =
      if let state {
        """
        SELECT \(WebhookDeliveryStore.columns)
        FROM webhook_delivery d JOIN webhook_message m ON m.id = d.message_id
        WHERE d.endpoint_id = \(endpoint) AND d.state = \(state.rawValue)
          AND d.created_at <= \(end) AND (d.created_at < \(end) OR d.id < \(id))
        ORDER BY d.created_at DESC, d.id DESC LIMIT \(limit)
        """
      } else {
        """
        SELECT \(WebhookDeliveryStore.columns)
        FROM webhook_delivery d JOIN webhook_message m ON m.id = d.message_id
        WHERE d.endpoint_id = \(endpoint)
          AND d.created_at <= \(end) AND (d.created_at < \(end) OR d.id < \(id))
        ORDER BY d.created_at DESC, d.id DESC LIMIT \(limit)
        """
      }
    return try tx.query(page).map { try WebhookDeliveryStore.row($0).delivery }
  }

  /// How many deliveries wait, and how many were given up, by endpoint. What was delivered would take long to count.
  /// - Parameter endpoint: nil is every endpoint.
  func openCounts(
    of endpoint: WebhookEndpoint.ID?
  ) throws -> [WebhookEndpoint.ID: [WebhookDelivery.State: Int]] {
    let count: SQL =
      if let endpoint {
        """
        SELECT endpoint_id, state, COUNT(*) AS count FROM webhook_delivery
        WHERE endpoint_id = \(endpoint) AND state IN ('pending', 'failed') GROUP BY endpoint_id, state
        """
      } else {
        """
        SELECT endpoint_id, state, COUNT(*) AS count FROM webhook_delivery
        WHERE state IN ('pending', 'failed') GROUP BY endpoint_id, state
        """
      }
    return try tx.query(count).reduce(into: [:]) { counts, row in
      guard let state = WebhookDelivery.State(rawValue: try row.get("state")) else { return }
      let endpoint: WebhookEndpoint.ID = try row.get("endpoint_id")
      counts[endpoint, default: [:]][state] = try row.get("count", as: Int.self)
    }
  }

  /// What was published about a person, the oldest first.
  func list(about subject: String, limit: Int) throws -> [WebhookDelivery] {
    try tx.query(
      """
      SELECT \(WebhookDeliveryStore.columns)
      FROM webhook_message m JOIN webhook_delivery d ON d.message_id = m.id
      WHERE m.subject_id = \(subject) ORDER BY d.created_at, d.id LIMIT \(limit)
      """
    ).map { try WebhookDeliveryStore.row($0).delivery }
  }

  /// Deletes what was published about a person.
  func forget(about subject: String) throws {
    try tx.execute("DELETE FROM webhook_message WHERE subject_id = \(subject)")
  }

  /// Deletes messages that are older than `horizon` and owed to no endpoint.
  func sweep(before horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM webhook_message WHERE id IN (
        SELECT m.id FROM webhook_message m WHERE m.created_at <= \(horizon)
          AND NOT EXISTS (SELECT 1 FROM webhook_delivery d WHERE d.message_id = m.id AND d.state = 'pending')
        ORDER BY m.created_at, m.id LIMIT \(limit))
      """)
  }
}
