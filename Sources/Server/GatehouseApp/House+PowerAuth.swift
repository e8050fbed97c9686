import HTTP
import Hummingbird
import Kit
import PowerAuthHTTP
import RubixFlow

/// Devices that users made their own, and the servers that ask about them.
extension House {
  /// How errors are said, by the part of the URL space that they happen in.
  var dialects: PathDialects {
    PathDialects(
      settings.powerAuth.bases.map { ("\($0)/pa/v3", DeviceDialect()) } + [(BackEndDialect.base, BackEndDialect())]
        + modules.flatMap(\.dialects) + demoBankDialects + consoleDialects,
      otherwise: RubixDialect())
  }

  func addPowerAuth(to root: RouterGroup<PublicContext>) {
    let powerAuth = settings.powerAuth
    let routes = PowerAuthRoutes(
      activations: activations, world: world,
      limits: PowerAuthLimits(database: database, vault: vault, world: world, factor: powerAuth.limitFactor),
      server: .init(name: "gatehouse", displayName: "Gatehouse", version: ProductVersion.current),
      policy: powerAuth.policy)
    for base in powerAuth.bases { routes.add(to: root.group(RouterPath(base))) }
  }

  func addBackEnd(to root: RouterGroup<PublicContext>) {
    let (clients, path) = (serviceClients, BackEndDialect.base)
    let group = root.clients(at: path, world: world) { try await clients.authenticate($0, secret: $1) }
    BackEndRoutes(activations: activations, idempotency: core.idempotency, database: database, world: world)
      .add(to: group)
  }
}
