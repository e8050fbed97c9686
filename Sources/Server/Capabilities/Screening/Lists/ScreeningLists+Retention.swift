// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension ScreeningLists {
  /// A search may still be on its way with a version that was just replaced.
  static let replacedMin = Duration.days(1)
  /// Different sets of versions that kept screenings name; with more of them nothing is deleted.
  static let namedMax = 20_000

  /// Forgets versions that were replaced before then and that no kept screening and no search for all customers names.
  /// Their objects go with the sweep of objects that no row names.
  /// - Returns: how many were forgotten.
  @discardableResult
  package func sweep(before horizon: Instant) async throws -> Int {
    let (world, audit) = (core.world, core.audit)
    let latest = min(horizon, world.now() - Self.replacedMin)
    return try await core.database.write(retrying: .outdatedOrDuplicate) { tx in
      let store = ScreeningListStore(tx)
      let old = try store.replaced(before: latest)
      guard !old.isEmpty, let named = try store.namedVersions(limit: Self.namedMax) else { return 0 }
      let forgotten = old.filter { !named.contains($0.version) }
      for list in forgotten {
        try store.delete(list.id)
        try audit.append(
          "screening-list.forgotten", to: Self.chain, by: "system",
          facts: ["code": list.version.code, "version": list.version.version, "sha256": list.sha256], in: tx)
      }
      return forgotten.count
    }
  }
}
