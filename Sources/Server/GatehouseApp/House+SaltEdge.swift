import Capabilities
import HTTP
import Hummingbird
import RubixFlow
import SaltEdgeFlow

/// Banks whose customers confirm with the Authenticator.
extension House {
  /// Banks may know their customers by the ids of their applications.
  package var customerErasure: CustomerErasure {
    let erasure = UserErasure(saltEdge.parts)
    return CustomerErasure(runner: runner, devOutbox: devOutbox) { subject, tx in
      try erasure.forget(
        subject.customer, tenant: subject.tenant, reason: subject.reason, by: subject.actor, in: tx)
    }
  }

  var saltEdgeDialects: [(String, any Dialect)] {
    SaltEdgeDialect.bases.map { ($0, SaltEdgeDialect()) } + [(ProviderDialect.base, ProviderDialect())]
  }

  func addSaltEdge(to root: RouterGroup<PublicContext>) {
    V1Routes(saltEdge).add(to: root)
    V2Routes(saltEdge).add(to: root.group("api/authenticator/v2"))
    BankRoutes(saltEdge).add(to: root.group("api/sca/v1"))
    let (clients, path) = (serviceClients, ProviderDialect.base)
    let group = root.clients(at: path, world: world) { try await clients.authenticate($0, secret: $1) }
    ProviderRoutes(saltEdge, idempotency: parts.idempotency).add(to: group)
  }
}
