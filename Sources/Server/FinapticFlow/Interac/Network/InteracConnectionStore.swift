// SPDX-License-Identifier: Apache-2.0
import Foundation
import Kit
import Storage

/// Rows of `finaptic_interac_connector`: where a tenant's connector to Interac is told, and with which token, sealed.
package struct InteracConnectionStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-12-08 finaptic interac connector",
    """
    CREATE TABLE finaptic_interac_connector (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      url TEXT NOT NULL,
      token BLOB NOT NULL,
      set_at BIGINT NOT NULL
    );
    """)

  func isSet(_ tenant: Int) throws -> Bool {
    try tx.first("SELECT tenant_id FROM finaptic_interac_connector WHERE tenant_id = \(tenant)") != nil
  }

  func find(_ tenant: Int) throws -> IssuerConnectionStore.Connection? {
    try tx.first("SELECT url, token FROM finaptic_interac_connector WHERE tenant_id = \(tenant)").map { row in
      .init(
        url: try row.get("url"),
        token: String(
          decoding: try vault.open(try row.get("token", as: Data.self), context: Self.context(tenant)), as: UTF8.self))
    }
  }

  /// - Parameter connection: nil forgets it.
  func set(_ connection: IssuerConnectionStore.Connection?, of tenant: Int, at now: Instant) throws {
    guard let connection else {
      try tx.execute("DELETE FROM finaptic_interac_connector WHERE tenant_id = \(tenant)")
      return
    }
    let sealed = try vault.seal(Data(connection.token.utf8), context: Self.context(tenant))
    try tx.execute(
      """
      INSERT INTO finaptic_interac_connector (tenant_id, url, token, set_at)
      VALUES (\(tenant), \(connection.url), \(sealed), \(now))
      ON CONFLICT (tenant_id) DO UPDATE SET url = excluded.url, token = excluded.token, set_at = excluded.set_at
      """)
  }

  private static func context(_ tenant: Int) -> String { "finaptic_interac_connector.token:\(tenant)" }
}

/// What operators say of a tenant's connector.
package struct InteracSettings: Sendable {
  let core: CoreDependencies

  /// Names the connector of a tenant, which is then told of every registration that is confirmed already.
  /// - Parameters:
  ///   - url: nil ends it: no money comes by Interac, and a tenant with real customers has no new registrations.
  ///   - token: what it lets us in with.
  /// - Throws: `Problem` validation; not found.
  package func setConnector(_ url: String?, token: String, of tenant: Int, by actor: String) async throws {
    if let url { try CardPolicy.check(url, token: token) }
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      try InteracConnectionStore(tx, vault: core.vault).set(
        url.map { .init(url: $0, token: token) }, of: tenant, at: core.world.now())
      if url != nil {
        // By then every transaction is over that confirmed a registration and saw no connector.
        try InteracNotifier.owe(.directory, "", of: tenant, dueAt: core.world.now() + .minutes(1), core, in: tx)
      }
      try core.note("tenant.interac", "tenant-\(tenant)", by: actor, ["set": "\(url != nil)"], in: tx)
    }
  }
}
