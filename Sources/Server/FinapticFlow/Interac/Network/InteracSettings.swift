// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What operators say of a tenant's connector.
package struct InteracSettings: Sendable {
  let core: CoreDependencies

  /// Names the connector of a tenant, which is then told of every registration that is confirmed already.
  /// - Parameters:
  ///   - url: nil ends it: no money comes by Interac, and a tenant with real customers has no new registrations.
  ///   - token: what it lets us in with.
  /// - Throws: `Problem` validation; not found.
  package func setConnector(_ url: String?, token: String, of tenant: Int, by actor: String) async throws {
    let connector = try url.map { try Connector(checking: $0, token: token) }
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      try ConnectorStore(tx, of: .interac, vault: core.vault).set(connector, of: tenant, at: core.world.now())
      if connector != nil {
        // By then every transaction is over that confirmed a registration and saw no connector.
        try InteracNotifier.owe(.directory, "", of: tenant, dueAt: core.world.now() + .minutes(1), core, in: tx)
      }
      try core.note("tenant.interac", "tenant-\(tenant)", by: actor, ["set": "\(connector != nil)"], in: tx)
    }
  }
}
