// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_card_issuer`: where the issuer of a tenant's cards is asked, and with which token, sealed.
package struct IssuerConnectionStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-12-03 finaptic card issuer connection",
    """
    CREATE TABLE finaptic_card_issuer (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      url TEXT NOT NULL,
      token BLOB NOT NULL,
      set_at BIGINT NOT NULL
    );
    """)

  /// Never logged.
  struct Connection: Sendable {
    /// Without a slash at its end.
    let url: String
    let token: String
  }

  func isSet(_ tenant: Int) throws -> Bool {
    try tx.first("SELECT tenant_id FROM finaptic_card_issuer WHERE tenant_id = \(tenant)") != nil
  }

  func find(_ tenant: Int) throws -> Connection? {
    try tx.first("SELECT url, token FROM finaptic_card_issuer WHERE tenant_id = \(tenant)").map { row in
      Connection(
        url: try row.get("url"),
        token: String(
          decoding: try vault.open(try row.get("token", as: Data.self), context: Self.context(tenant)), as: UTF8.self))
    }
  }

  /// - Parameter connection: nil forgets it.
  func set(_ connection: Connection?, of tenant: Int, at now: Instant) throws {
    guard let connection else {
      try tx.execute("DELETE FROM finaptic_card_issuer WHERE tenant_id = \(tenant)")
      return
    }
    let sealed = try vault.seal(Data(connection.token.utf8), context: Self.context(tenant))
    try tx.execute(
      """
      INSERT INTO finaptic_card_issuer (tenant_id, url, token, set_at)
      VALUES (\(tenant), \(connection.url), \(sealed), \(now))
      ON CONFLICT (tenant_id) DO UPDATE SET url = excluded.url, token = excluded.token, set_at = excluded.set_at
      """)
  }

  private static func context(_ tenant: Int) -> String { "finaptic_card_issuer.token:\(tenant)" }
}
