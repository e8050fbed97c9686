// SPDX-License-Identifier: Apache-2.0

import Console
import HTTP
import Kit
import PowerAuthHTTP
import RubixFlow
import SaltEdgeFlow

extension App {
  /// How errors are said, by the part of the URL space that they happen in.
  var dialects: PathDialects {
    // The page on which a device waits ends on a page, too; programs are never told on one.
    let own: [(prefix: String, dialect: any Dialect)] = [
      (LinkApprovalRoutes.path, BrowserDialect(otherwise: SaltEdgeDialect())), (RubixDialect.base, RubixDialect()),
    ]
    return PathDialects(modules.flatMap(\.dialects) + own, otherwise: BrowserDialect(otherwise: RubixDialect()))
  }

  var powerAuthModule: PowerAuthModule {
    let own = settings[PowerAuthSettings.self]
    return PowerAuthModule(
      routes: PowerAuthRoutes(
        activations: activations, world: world,
        limits: PowerAuthLimits(database: database, vault: vault, world: world, factor: own.limitFactor),
        server: .init(name: "gatehouse", displayName: "Gatehouse", version: ProductVersion.current),
        policy: own.policy),
      backEnd: BackEndRoutes(
        activations: activations, idempotency: core.idempotency, database: database, world: world),
      bases: own.bases, serviceClients: serviceClients, world: world)
  }
}
