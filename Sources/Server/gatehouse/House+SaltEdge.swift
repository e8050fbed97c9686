import Capabilities
import HTTP
import Hummingbird
import PowerAuthHTTP
import SaltEdgeFlow

/// Banks whose customers confirm with the Authenticator.
extension House {
  var saltEdgeDialects: [(String, any Dialect)] {
    SaltEdgeDialect.bases.map { ($0, SaltEdgeDialect()) } + [(ProviderDialect.base, ProviderDialect())]
  }

  func addSaltEdge(to root: RouterGroup<PublicContext>) {
    V1Routes(saltEdge).add(to: root)
    V2Routes(saltEdge).add(to: root.group("api/authenticator/v2"))
    BankRoutes(saltEdge).add(to: root.group("api/sca/v1"))
    let banks = root.group(RouterPath(ProviderDialect.base)).group(context: CredentialContext.self)
      .add(middleware: CredentialMiddleware(clients: serviceClients, world: world))
      .group(context: BackEndContext.self)
    ProviderRoutes(saltEdge, idempotency: parts.idempotency).add(to: banks)
  }
}
