import Console
import HTTP
import Kit
import PowerAuthHTTP
import RubixFlow

extension App {
  /// How errors are said, by the part of the URL space that they happen in.
  var dialects: PathDialects {
    PathDialects(modules.flatMap(\.dialects), otherwise: BrowserDialect(otherwise: RubixDialect()))
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
