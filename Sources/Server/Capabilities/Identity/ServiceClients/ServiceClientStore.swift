// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `service_client` and `service_client_secret`.
package struct ServiceClientStore {
  static let columns: SQLColumns = "id, tenant, name, scopes, created_at, revoked_at"

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// `scopes` are words with spaces between; they are not searched by.
  package static let migration = Migration(
    "2026-11-22 service client",
    """
    CREATE TABLE service_client (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      name TEXT NOT NULL,
      scopes TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT,
      UNIQUE (tenant, name)
    );
    CREATE TABLE service_client_secret (
      client_id TEXT NOT NULL REFERENCES service_client (id),
      digest TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      expires_at BIGINT,
      PRIMARY KEY (client_id, digest)
    );
    CREATE INDEX service_client_secret_expiry ON service_client_secret (expires_at);
    """)

  /// - Throws: `SQLError.notUnique` when the tenant has a client of that name.
  func insert(_ client: ServiceClient) throws {
    let scopes = client.scopes.sorted().map(\.rawValue).joined(separator: " ")
    try tx.execute(
      """
      INSERT INTO service_client (id, tenant, name, scopes, created_at, revoked_at)
      VALUES (\(client.id), \(client.tenant), \(client.name), \(scopes), \(client.createdAt), \(client.revokedAt))
      """)
  }

  func find(_ id: ServiceClient.ID) throws -> ServiceClient? {
    try tx.first("SELECT \(Self.columns) FROM service_client WHERE id = \(id)").map(Self.client)
  }

  /// The same, and no other transaction changes the client before this one ends.
  func held(_ id: ServiceClient.ID) throws -> ServiceClient? {
    try tx.first("SELECT \(Self.columns) FROM service_client WHERE id = \(id) \(SQLClause.forShare)").map(Self.client)
  }

  func list(tenant: String, limit: Int) throws -> [ServiceClient] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM service_client WHERE tenant = \(tenant)
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.client)
  }

  /// - Returns: false when it is not there or was revoked before.
  func revoke(_ id: ServiceClient.ID, at now: Instant) throws -> Bool {
    try tx.execute("UPDATE service_client SET revoked_at = \(now) WHERE id = \(id) AND revoked_at IS NULL") == 1
  }

  func insertSecret(_ digest: String, of id: ServiceClient.ID, at now: Instant) throws {
    try tx.execute(
      """
      INSERT INTO service_client_secret (client_id, digest, created_at, expires_at)
      VALUES (\(id), \(digest), \(now), NULL)
      """)
  }

  /// Digests of the secrets that are taken at an instant.
  func secrets(of id: ServiceClient.ID, at now: Instant) throws -> [String] {
    try tx.query(
      """
      SELECT digest FROM service_client_secret
      WHERE client_id = \(id) AND (expires_at IS NULL OR expires_at > \(now)) ORDER BY created_at
      """
    ).map { try $0.get("digest") }
  }

  /// Lets every secret end, none later than it would have.
  /// - Returns: how many are left until then.
  func endSecrets(of id: ServiceClient.ID, at end: Instant) throws -> Int {
    try tx.execute(
      """
      UPDATE service_client_secret SET expires_at = \(end)
      WHERE client_id = \(id) AND (expires_at IS NULL OR expires_at > \(end))
      """)
  }

  @discardableResult
  func sweepSecrets(before now: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM service_client_secret WHERE (client_id, digest) IN
        (SELECT client_id, digest FROM service_client_secret WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }

  private static func client(_ row: SQLRow) throws -> ServiceClient {
    let scopes = try row.get("scopes", as: String.self).split(separator: " ")
    return ServiceClient(
      id: try row.get("id"), tenant: try row.get("tenant"), name: try row.get("name"),
      scopes: Set(try scopes.map { try ServiceClient.Scope(sqlValue: .text(String($0))) }),
      createdAt: try row.get("created_at"), revokedAt: try row.get("revoked_at"))
  }
}
