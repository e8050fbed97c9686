// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `finaptic_bundle`: what tenants offer in the place of what comes with the program.
package struct BundleStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  /// What is no longer offered stays for the applications that were begun for it.
  package static let migration = Migration(
    "2026-11-22 finaptic 17 bundle",
    """
    CREATE TABLE finaptic_bundle (
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      bundle_id TEXT NOT NULL,
      place BIGINT NOT NULL,
      is_offered BIGINT NOT NULL CHECK (is_offered IN (0, 1)),
      content TEXT NOT NULL,
      loaded_at BIGINT NOT NULL,
      PRIMARY KEY (tenant_id, bundle_id)
    );
    """)

  /// What people may apply for now.
  func offered(by tenant: Int) throws -> [ProductBundle] {
    let own = try tx.query(
      """
      SELECT content FROM finaptic_bundle WHERE tenant_id = \(tenant) AND is_offered = 1
      ORDER BY place LIMIT \(ProductBundleFile.bundlesMax)
      """
    ).map(Self.bundle)
    return own.isEmpty ? ProductBundleFile.standard : own
  }

  /// Also one that is no longer offered.
  func find(_ id: String, of tenant: Int) throws -> ProductBundle? {
    try tx.first("SELECT content FROM finaptic_bundle WHERE tenant_id = \(tenant) AND bundle_id = \(id)")
      .map(Self.bundle) ?? ProductBundleFile.standard.first { $0.id == id }
  }

  /// Offers these and no others.
  func replace(_ bundles: [ProductBundle], of tenant: Int, at now: Instant) throws {
    try tx.execute("UPDATE finaptic_bundle SET is_offered = 0 WHERE tenant_id = \(tenant)")
    for (place, bundle) in bundles.enumerated() {
      let content = String(decoding: try JSONEncoder().encode(bundle), as: UTF8.self)
      try tx.execute(
        """
        INSERT INTO finaptic_bundle (tenant_id, bundle_id, place, is_offered, content, loaded_at)
        VALUES (\(tenant), \(bundle.id), \(place), 1, \(content), \(now))
        ON CONFLICT (tenant_id, bundle_id) DO UPDATE SET place = excluded.place, is_offered = 1,
          content = excluded.content, loaded_at = excluded.loaded_at
        """)
    }
  }

  private static func bundle(_ row: SQLRow) throws -> ProductBundle {
    try JSONDecoder().decode(ProductBundle.self, from: Data(row.get("content", as: String.self).utf8))
  }
}
