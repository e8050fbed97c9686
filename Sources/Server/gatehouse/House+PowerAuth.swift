import Capabilities
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
        + wultraDialects + saltEdgeDialects + oneAssistDialects,
      otherwise: RubixDialect())
  }

  func addPowerAuth(to root: RouterGroup<PublicContext>) {
    let powerAuth = settings.powerAuth
    let routes = PowerAuthRoutes(
      activations: activations, world: world,
      limits: PowerAuthLimits(database: database, vault: vault, world: world, factor: powerAuth.limitFactor),
      server: .init(name: "gatehouse", displayName: "Gatehouse", version: Gatehouse.version), policy: powerAuth.policy)
    for base in powerAuth.bases { routes.add(to: root.group(RouterPath(base))) }
  }

  func addBackEnd(to root: RouterGroup<PublicContext>) {
    let group = root.group(RouterPath(BackEndDialect.base)).group(context: CredentialContext.self)
      .add(middleware: CredentialMiddleware(clients: serviceClients, world: world))
      .group(context: BackEndContext.self)
    BackEndRoutes(activations: activations, idempotency: parts.idempotency, database: database, world: world)
      .add(to: group)
  }
}
