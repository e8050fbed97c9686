// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_tenant`, `finaptic_document` and `finaptic_client_key`.
package struct TenantStore {
  let tx: any SQLTransaction

  private static let tenantColumns: SQLColumns = "id, name, kind, mfa, created_at"
  private static let keyColumns: SQLColumns = "id, tenant_id, name, created_at, revoked_at"

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 finaptic 01 tenant",
    """
    CREATE TABLE finaptic_tenant (
      id BIGINT PRIMARY KEY CHECK (id BETWEEN 1 AND 9999),
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('sandbox', 'production')),
      mfa TEXT NOT NULL CHECK (mfa IN ('never', 'stepUpOnly', 'always')),
      created_at BIGINT NOT NULL
    );
    CREATE TABLE finaptic_document (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      document_type TEXT NOT NULL,
      url TEXT NOT NULL,
      PRIMARY KEY (tenant_id, document_type)
    );
    CREATE TABLE finaptic_client_key (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      name TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      revoked_at BIGINT
    );
    CREATE INDEX finaptic_client_key_tenant ON finaptic_client_key (tenant_id, created_at);
    """)

  /// - Throws: `SQLError.notUnique` when the number is taken.
  func insert(_ tenant: FinapticTenant) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_tenant (id, name, kind, mfa, created_at)
      VALUES (\(tenant.id), \(tenant.name), \(tenant.kind), \(tenant.mfa), \(tenant.createdAt))
      """)
  }

  func find(_ id: Int) throws -> FinapticTenant? {
    try tx.first("SELECT \(Self.tenantColumns) FROM finaptic_tenant WHERE id = \(id)").map(Self.tenant)
  }

  /// - Parameter name: as sessions and service clients have it; nil for the name of a tenant of another flow.
  func find(session name: String) throws -> FinapticTenant? {
    try FinapticTenantName(name).flatMap { try find($0.tenant) }
  }

  func list() throws -> [FinapticTenant] {
    try tx.query("SELECT \(Self.tenantColumns) FROM finaptic_tenant ORDER BY id")
      .map(Self.tenant)
  }

  /// - Returns: false when there is no such tenant.
  func setMFA(_ mfa: FinapticTenant.MFA, of id: Int) throws -> Bool {
    try tx.execute("UPDATE finaptic_tenant SET mfa = \(mfa) WHERE id = \(id)") == 1
  }

  func setDocument(_ document: TenantDocument, of id: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_document (tenant_id, document_type, url) VALUES (\(id), \(document.type), \(document.url))
      ON CONFLICT (tenant_id, document_type) DO UPDATE SET url = excluded.url
      """)
  }

  /// Address of every document of a tenant by its code: the operator's own, or the standard one.
  func documents(of id: Int, publicURL: String) throws -> [String: String] {
    let own = try tx.query(
      "SELECT document_type, url FROM finaptic_document WHERE tenant_id = \(id) ORDER BY document_type"
    ).map { (try $0.get("document_type", as: String.self), try $0.get("url", as: String.self)) }
    let standard = TenantDocument.types.map { ($0, TenantDocument.standardURL($0, publicURL: publicURL)) }
    return Dictionary(standard + own) { $1 }
  }

  func insert(_ key: FinapticClientKey) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_client_key (id, tenant_id, name, created_at)
      VALUES (\(key.id), \(key.tenant), \(key.name), \(key.createdAt))
      """)
  }

  func key(_ id: FinapticClientKey.ID) throws -> FinapticClientKey? {
    try tx.first(
      "SELECT \(Self.keyColumns) FROM finaptic_client_key WHERE id = \(id)"
    ).map(Self.key)
  }

  /// A key that counts, and its tenant.
  typealias KnownKey = (key: FinapticClientKey, tenant: FinapticTenant)

  /// Keys that count, by their texts: every call begins with one.
  static func knownKeys(in database: any SQLDatabase) -> SharedQuery<FinapticClientKey.ID, KnownKey> {
    SharedQuery(in: database) { ids in
      """
      SELECT t.id AS id, t.name AS name, t.kind AS kind, t.mfa AS mfa, t.created_at AS created_at, k.id AS key_id,
        k.name AS key_name, k.created_at AS key_created_at
      FROM finaptic_client_key k JOIN finaptic_tenant t ON t.id = k.tenant_id
      WHERE k.id IN \(list: Array(ids)) AND k.revoked_at IS NULL
      """
    } reading: { rows, _ in
      try rows.reduce(into: [:]) { keys, row in
        let tenant = try Self.tenant(row)
        let key = FinapticClientKey(
          id: try row.get("key_id"), tenant: tenant.id, name: try row.get("key_name"),
          createdAt: try row.get("key_created_at"), revokedAt: nil)
        keys[key.id] = (key, tenant)
      }
    }
  }

  func keys(of tenant: Int, limit: Int) throws -> [FinapticClientKey] {
    try tx.query(
      """
      SELECT \(Self.keyColumns) FROM finaptic_client_key WHERE tenant_id = \(tenant)
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.key)
  }

  /// - Returns: false when it is not there or was revoked before.
  func revoke(_ id: FinapticClientKey.ID, at now: Instant) throws -> Bool {
    try tx.execute("UPDATE finaptic_client_key SET revoked_at = \(now) WHERE id = \(id) AND revoked_at IS NULL") == 1
  }

  private static func tenant(_ row: SQLRow) throws -> FinapticTenant {
    FinapticTenant(
      id: try row.get("id"), name: try row.get("name"), kind: try row.get("kind"), mfa: try row.get("mfa"),
      createdAt: try row.get("created_at"))
  }

  private static func key(_ row: SQLRow) throws -> FinapticClientKey {
    FinapticClientKey(
      id: try row.get("id"), tenant: try row.get("tenant_id"), name: try row.get("name"),
      createdAt: try row.get("created_at"), revokedAt: try row.get("revoked_at"))
  }
}
