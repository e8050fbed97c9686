// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What a tenant offers to apply for, managed by operators.
package struct TenantBundles: Sendable {
  let core: CoreDependencies

  /// - Throws: `Problem` not found.
  package func offered(by tenant: Int) async throws -> [ProductBundle] {
    try await core.database.read { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      return try BundleStore(tx).offered(by: tenant)
    }
  }

  /// Offers these and no others. A bundle that was changed counts as it is now, also for applications that were begun
  /// for it; one that is no longer offered goes on for those that were. Whether identity is checked is settled when an
  /// application is begun, so that it cannot change under an id.
  /// - Throws: `Problem` not found; conflict `bundle-check-differs`.
  package func load(_ bundles: [ProductBundle], of tenant: Int, by actor: String) async throws {
    // Of two loads at once neither sees what the other one is about to offer.
    try await core.database.write(retrying: .outdated, .serializable) { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      let store = BundleStore(tx)
      for bundle in bundles {
        guard let known = try store.find(bundle.id, of: tenant), known.needsKYC != bundle.needsKYC else { continue }
        throw Self.differs(bundle)
      }
      try store.replace(bundles, of: tenant, at: core.world.now())
      try core.note(
        "tenant.bundles", "tenant-\(tenant)", by: actor, ["bundles": bundles.map(\.id).joined(separator: " ")], in: tx)
    }
  }

  private static func differs(_ bundle: ProductBundle) -> Problem {
    Problem(
      .conflict, "bundle-check-differs",
      "\(bundle.id) is known \(bundle.needsKYC ? "without" : "with") a check of identity (KYC): give it a new id.")
  }
}
