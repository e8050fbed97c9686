// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Identity
import Kit
import Screening

/// The screening API for other servers of an institution. It keeps nothing of its own; lists and screenings of
/// customers are rows of `Screening`.
package struct ScreeningHTTPModule: Module {
  package static let name = "screening"

  let routes: ScreeningRoutes
  let serviceClients: ServiceClients
  let world: World

  package init(_ source: ScreeningSource, core: CoreDependencies, serviceClients: ServiceClients) {
    routes = ScreeningRoutes(source, database: core.database, audit: core.audit)
    (self.serviceClients, world) = (serviceClients, core.world)
  }

  package var dialects: [(prefix: String, dialect: any Dialect)] { [(ScreeningDialect.base, ScreeningDialect())] }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    routes.add(
      to: root.clients(at: ScreeningDialect.base, world: world) { [serviceClients] in
        try await serviceClients.authenticate($0, secret: $1)
      })
  }
}
