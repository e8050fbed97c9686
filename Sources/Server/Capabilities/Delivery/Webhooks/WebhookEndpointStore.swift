// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `webhook_endpoint`: where messages go, with the secrets that sign them, sealed.
package struct WebhookEndpointStore {
  private static let columns: SQLColumns =
    "id, tenant, url, events, is_bound, created_at, former_until, disabled_at, outlives_gone, is_own"

  let tx: any SQLTransaction
  let vault: Vault

  package init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  /// `events` are words with one space between, or `*` alone, as `WebhookEvents.text` writes them: flows that book much
  /// search by them. A secret that came from another table is sealed for where it was: its context says where.
  package static let migration = Migration(
    "2026-11-22 webhooks 1 endpoint",
    """
    CREATE TABLE webhook_endpoint (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      url TEXT NOT NULL,
      events TEXT NOT NULL,
      secret BLOB NOT NULL,
      secret_context TEXT NOT NULL,
      former_secret BLOB,
      former_context TEXT,
      former_until BIGINT,
      is_bound BIGINT NOT NULL DEFAULT 0 CHECK (is_bound IN (0, 1)),
      created_at BIGINT NOT NULL,
      disabled_at BIGINT,
      CHECK ((former_secret IS NULL) = (former_until IS NULL) AND (former_secret IS NULL) = (former_context IS NULL))
    );
    CREATE INDEX webhook_endpoint_tenant ON webhook_endpoint (tenant, created_at, id);
    CREATE UNIQUE INDEX webhook_endpoint_bound ON webhook_endpoint (tenant) WHERE is_bound = 1;
    """)

  package static let bindingMigration = Migration(
    "2026-11-22 webhooks 5 binding",
    """
    ALTER TABLE webhook_endpoint ADD COLUMN outlives_gone BIGINT NOT NULL DEFAULT 0 CHECK (outlives_gone IN (0, 1));
    ALTER TABLE webhook_endpoint ADD COLUMN is_own BIGINT NOT NULL DEFAULT 0 CHECK (is_own IN (0, 1));
    """)

  func insert(_ endpoint: WebhookEndpoint, secret: WebhookSecret) throws {
    let context = Self.context(endpoint.id, endpoint.createdAt)
    let sealed = try vault.seal(Data(secret.text.utf8), context: context)
    try tx.execute(
      """
      INSERT INTO webhook_endpoint
        (id, tenant, url, events, secret, secret_context, is_bound, created_at, outlives_gone, is_own)
      VALUES (\(endpoint.id), \(endpoint.tenant), \(endpoint.url), \(endpoint.events.text), \(sealed), \(context),
        \(endpoint.isBound), \(endpoint.createdAt), \(endpoint.outlivesGone), \(endpoint.isOwn))
      """)
  }

  func find(_ id: WebhookEndpoint.ID) throws -> WebhookEndpoint? {
    try tx.first(
      "SELECT \(Self.columns) FROM webhook_endpoint WHERE id = \(id)"
    ).map(Self.endpoint)
  }

  /// - Parameter tenant: nil is every tenant.
  func list(tenant: TenantID?, limit: Int) throws -> [WebhookEndpoint] {
    let rows =
      if let tenant {
        try tx.query(
          """
          SELECT \(Self.columns) FROM webhook_endpoint WHERE tenant = \(tenant) ORDER BY created_at, id LIMIT \(limit)
          """)
      } else {
        try tx.query(
          """
          SELECT \(Self.columns) FROM webhook_endpoint ORDER BY tenant, created_at, id LIMIT \(limit)
          """)
      }
    return try rows.map(Self.endpoint)
  }

  /// The one that a record of its module names; nil without one.
  func bound(tenant: TenantID) throws -> WebhookEndpoint? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM webhook_endpoint WHERE tenant = \(tenant) AND is_bound = 1
      """
    ).map(Self.endpoint)
  }

  /// Has a bound one be as its record says now.
  /// - Parameter secret: signs alone from now on; nil leaves what signs.
  func rebind(_ id: WebhookEndpoint.ID, url: String, secret: WebhookSecret?, at now: Instant) throws {
    try tx.execute("UPDATE webhook_endpoint SET url = \(url), disabled_at = NULL WHERE id = \(id) AND is_bound = 1")
    guard let secret else { return }
    let context = Self.context(id, now)
    let sealed = try vault.seal(Data(secret.text.utf8), context: context)
    try tx.execute(
      """
      UPDATE webhook_endpoint SET secret = \(sealed), secret_context = \(context), former_secret = NULL,
        former_context = NULL, former_until = NULL
      WHERE id = \(id) AND is_bound = 1
      """)
  }

  /// What signs at an instant, the newest first.
  func secrets(of id: WebhookEndpoint.ID, at now: Instant) throws -> [WebhookSecret] {
    guard
      let row = try tx.first(
        """
        SELECT secret, secret_context, former_secret, former_context, former_until FROM webhook_endpoint
        WHERE id = \(id)
        """)
    else { return [] }
    func secret(_ sealed: Data, _ context: String) throws -> WebhookSecret? {
      WebhookSecret(String(decoding: try vault.open(sealed, context: context), as: UTF8.self))
    }
    var secrets = [try secret(row.get("secret"), row.get("secret_context"))]
    if let until = try row.get("former_until", as: Instant?.self), until > now,
      let sealed = try row.get("former_secret", as: Data?.self),
      let context = try row.get("former_context", as: String?.self)
    {
      secrets.append(try secret(sealed, context))
    }
    return secrets.compactMap(\.self)
  }

  /// The secret of today becomes the former one.
  /// - Returns: false when there is no such endpoint.
  func rotate(_ id: WebhookEndpoint.ID, to secret: WebhookSecret, formerUntil: Instant, at now: Instant) throws -> Bool
  {
    let context = Self.context(id, now)
    let sealed = try vault.seal(Data(secret.text.utf8), context: context)
    return try tx.execute(
      """
      UPDATE webhook_endpoint SET former_secret = secret, former_context = secret_context,
        former_until = \(formerUntil), secret = \(sealed), secret_context = \(context)
      WHERE id = \(id)
      """) == 1
  }

  /// - Returns: false when it was disabled before, or is not there.
  func disable(_ id: WebhookEndpoint.ID, at now: Instant) throws -> Bool {
    try tx.execute("UPDATE webhook_endpoint SET disabled_at = \(now) WHERE id = \(id) AND disabled_at IS NULL") == 1
  }

  /// - Returns: false when it was not disabled, or is not there.
  func enable(_ id: WebhookEndpoint.ID) throws -> Bool {
    try tx.execute("UPDATE webhook_endpoint SET disabled_at = NULL WHERE id = \(id) AND disabled_at IS NOT NULL") == 1
  }

  /// - Returns: false when it is not there.
  func delete(_ id: WebhookEndpoint.ID) throws -> Bool {
    try tx.execute("DELETE FROM webhook_endpoint WHERE id = \(id)") == 1
  }

  private static func context(_ id: WebhookEndpoint.ID, _ made: Instant) -> String {
    "webhook_endpoint.secret:\(id):\(made.milliseconds)"
  }

  private static func endpoint(_ row: SQLRow) throws -> WebhookEndpoint {
    WebhookEndpoint(
      id: try row.get("id"), tenant: try row.get("tenant"), url: try row.get("url"),
      events: WebhookEvents(try row.get("events", as: String.self).split(separator: " ").map(String.init)) ?? .all,
      isBound: try row.get("is_bound"), createdAt: try row.get("created_at"), formerUntil: try row.get("former_until"),
      disabledAt: try row.get("disabled_at"), outlivesGone: try row.get("outlives_gone"),
      isOwn: try row.get("is_own"))
  }
}
