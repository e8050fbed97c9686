// SPDX-License-Identifier: Apache-2.0

import Activations
import HTTP
import Hummingbird
import Identity
import Kit

/// PowerAuth's own calls for devices, and the calls of banks' servers about them. The rows are those of `Activations`.
package struct PowerAuthModule: Module {
  package static let name = "powerauth"

  let routes: PowerAuthRoutes
  let backEnd: BackEndRoutes
  let bases: [String]
  let serviceClients: ServiceClients
  let world: World

  /// - Parameter bases: the paths before `/pa/v3`.
  package init(
    routes: PowerAuthRoutes, backEnd: BackEndRoutes, bases: [String], serviceClients: ServiceClients, world: World
  ) {
    (self.routes, self.backEnd, self.bases) = (routes, backEnd, bases)
    (self.serviceClients, self.world) = (serviceClients, world)
  }

  package static var settings: (any ModuleSettings.Type)? { PowerAuthSettings.self }

  package var dialects: [(prefix: String, dialect: any Dialect)] {
    bases.map { ("\($0)/pa/v3", DeviceDialect()) } + [(BackEndDialect.base, BackEndDialect())]
  }

  package func addRoutes(to root: RouterGroup<PublicContext>) {
    for base in bases { routes.add(to: root.group(RouterPath(base))) }
    let servers = root.clients(at: BackEndDialect.base, world: world) { [serviceClients] in
      try await serviceClients.authenticate($0, secret: $1)
    }
    backEnd.add(to: servers)
  }
}
