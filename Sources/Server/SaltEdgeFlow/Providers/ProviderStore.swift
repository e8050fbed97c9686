// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import Storage

/// Rows of `saltedge_provider`.
package struct ProviderStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  /// Whose providers are of which tenant.
  func tenants() throws -> [SaltEdgeProvider.ID: String] {
    let rows = try tx.query("SELECT id, tenant FROM saltedge_provider ORDER BY id LIMIT 10000")
    return try Dictionary(rows.map { (try $0.get("id"), try $0.get("tenant")) }) { one, _ in one }
  }

  func tenant(of connection: SaltEdgeConnection.ID) throws -> String? {
    try tx.first(
      """
      SELECT tenant FROM saltedge_provider
      WHERE id = (SELECT provider_id FROM saltedge_connection WHERE id = \(connection))
      """)?.get("tenant")
  }

  /// The codes of the banks of a desk, in their order.
  func codes(in scope: TenantScope) throws -> [String] {
    try tx.query("SELECT code, tenant FROM saltedge_provider ORDER BY code LIMIT 10000")
      .filter { scope.contains(try $0.get("tenant")) }.map { try $0.get("code") }
  }

  private static let columns: SQLColumns = """
    id, tenant, client_id, code, name, kind, base_url, login_url, logo_url, support_email, geolocation,
    public_key, webhook_url, return_schemes, allows_unconfirmed, suspended_at, created_at
    """

  package static let migration = Migration(
    "2026-11-22 saltedge bank",
    """
    CREATE TABLE saltedge_provider (
      id TEXT PRIMARY KEY,
      tenant TEXT NOT NULL,
      client_id TEXT NOT NULL,
      code TEXT NOT NULL UNIQUE,
      name TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('remote', 'hosted')),
      base_url TEXT,
      login_url TEXT,
      logo_url TEXT,
      support_email TEXT NOT NULL,
      geolocation BIGINT,
      public_key TEXT NOT NULL,
      private_key BLOB,
      webhook_url TEXT,
      webhook_secret BLOB,
      created_at BIGINT NOT NULL,
      CHECK (kind = 'hosted' OR base_url IS NOT NULL),
      CHECK (kind = 'remote' OR private_key IS NOT NULL)
    );
    CREATE INDEX saltedge_provider_tenant ON saltedge_provider (tenant, created_at);
    CREATE TABLE saltedge_service_key (
      id TEXT PRIMARY KEY,
      private_key BLOB NOT NULL,
      created_at BIGINT NOT NULL
    );
    """)

  package static let suspensionMigration = Migration(
    "2026-11-22 saltedge suspension",
    """
    ALTER TABLE saltedge_provider ADD COLUMN suspended_at BIGINT;
    ALTER TABLE saltedge_service_key ADD COLUMN prepared_at BIGINT;
    """)

  /// Schemes are separated by spaces.
  package static let returnMigration = Migration(
    "2026-11-24 saltedge return",
    """
    ALTER TABLE saltedge_provider ADD COLUMN return_schemes TEXT NOT NULL DEFAULT 'authenticator';
    ALTER TABLE saltedge_provider ADD COLUMN allows_unconfirmed BIGINT NOT NULL DEFAULT 0
      CHECK (allows_unconfirmed IN (0, 1));
    """)

  /// - Throws: `SQLError.notUnique` when there is one of that code.
  func insert(_ provider: SaltEdgeProvider, privateKey: RSAPrivateKey?, webhookSecret: String?) throws {
    let key = try privateKey.map { try seal($0.pkcs8PEM, "private_key", provider.id) }
    let secret = try webhookSecret.map { try seal($0, "webhook_secret", provider.id) }
    try tx.execute(
      """
      INSERT INTO saltedge_provider
        (id, tenant, client_id, code, name, kind, base_url, login_url, logo_url, support_email, geolocation, public_key,
         private_key, webhook_url, webhook_secret, return_schemes, allows_unconfirmed, created_at)
      VALUES (\(provider.id), \(provider.tenant), \(provider.client), \(provider.code), \(provider.name),
        \(provider.kind), \(provider.baseURL), \(provider.loginURL), \(provider.logoURL), \(provider.supportEmail),
        \(provider.requiresGeolocation), \(provider.publicKey), \(key), \(provider.webhookURL), \(secret),
        \(provider.returnSchemes.joined(separator: " ")), \(provider.allowsUnconfirmed), \(provider.createdAt))
      """)
  }

  /// Writes what may change of a bank.
  /// - Parameter webhookSecret: nil leaves the one that there is.
  func save(_ provider: SaltEdgeProvider, webhookSecret: String?) throws {
    try tx.execute(
      """
      UPDATE saltedge_provider SET client_id = \(provider.client), base_url = \(provider.baseURL),
        login_url = \(provider.loginURL), public_key = \(provider.publicKey), webhook_url = \(provider.webhookURL),
        return_schemes = \(provider.returnSchemes.joined(separator: " ")),
        allows_unconfirmed = \(provider.allowsUnconfirmed), suspended_at = \(provider.suspendedAt)
      WHERE id = \(provider.id)
      """)
    guard let webhookSecret else { return }
    let sealed = try seal(webhookSecret, "webhook_secret", provider.id)
    try tx.execute("UPDATE saltedge_provider SET webhook_secret = \(sealed) WHERE id = \(provider.id)")
  }

  func find(_ id: SaltEdgeProvider.ID) throws -> SaltEdgeProvider? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_provider WHERE id = \(id)").map(Self.provider)
  }

  func find(code: String) throws -> SaltEdgeProvider? {
    try tx.first("SELECT \(Self.columns) FROM saltedge_provider WHERE code = \(code)").map(Self.provider)
  }

  func list(tenant: String, limit: Int) throws -> [SaltEdgeProvider] {
    try tx.query(
      "SELECT \(Self.columns) FROM saltedge_provider WHERE tenant = \(tenant) ORDER BY created_at, id LIMIT \(limit)"
    ).map(Self.provider)
  }

  /// Whether an operator keeps the bank out; false for one that is not there.
  func isSuspended(_ id: SaltEdgeProvider.ID) throws -> Bool {
    try tx.first("SELECT id FROM saltedge_provider WHERE id = \(id) AND suspended_at IS NOT NULL") != nil
  }

  func ids(tenant: String) throws -> [SaltEdgeProvider.ID] {
    try tx.query("SELECT id FROM saltedge_provider WHERE tenant = \(tenant) ORDER BY created_at, id").map {
      try $0.get("id")
    }
  }

  /// Of a hosted bank.
  func privateKey(of id: SaltEdgeProvider.ID) throws -> RSAPrivateKey? {
    let row = try tx.first("SELECT private_key FROM saltedge_provider WHERE id = \(id)")
    guard let sealed = try row?.get("private_key", as: Data?.self) else { return nil }
    return try RSAPrivateKey(pem: open(sealed, "private_key", id))
  }

  func webhookSecret(of id: SaltEdgeProvider.ID) throws -> String? {
    let row = try tx.first("SELECT webhook_secret FROM saltedge_provider WHERE id = \(id)")
    guard let sealed = try row?.get("webhook_secret", as: Data?.self) else { return nil }
    return try open(sealed, "webhook_secret", id)
  }

  private func seal(_ text: String, _ column: String, _ id: SaltEdgeProvider.ID) throws -> Data {
    try vault.seal(Data(text.utf8), context: "saltedge_provider.\(column):\(id)")
  }

  private func open(_ sealed: Data, _ column: String, _ id: SaltEdgeProvider.ID) throws -> String {
    String(decoding: try vault.open(sealed, context: "saltedge_provider.\(column):\(id)"), as: UTF8.self)
  }

  private static func provider(_ row: SQLRow) throws -> SaltEdgeProvider {
    SaltEdgeProvider(
      id: try row.get("id"), tenant: try row.get("tenant"), client: try row.get("client_id"),
      code: try row.get("code"), name: try row.get("name"), kind: try row.get("kind"),
      baseURL: try row.get("base_url"), loginURL: try row.get("login_url"), logoURL: try row.get("logo_url"),
      supportEmail: try row.get("support_email"), requiresGeolocation: try row.get("geolocation"),
      publicKey: try row.get("public_key"), webhookURL: try row.get("webhook_url"),
      returnSchemes: try row.get("return_schemes", as: String.self).split(separator: " ").map(String.init),
      allowsUnconfirmed: try row.get("allows_unconfirmed"), suspendedAt: try row.get("suspended_at"),
      createdAt: try row.get("created_at"))
  }
}
