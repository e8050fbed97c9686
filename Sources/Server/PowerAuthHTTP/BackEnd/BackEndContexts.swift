import Capabilities
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// A request of another server: it cannot exist without checked credentials.
package struct BackEndContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let client: ServiceClient

  package init(context: CredentialContext) throws {
    guard let client = context.client else { throw Problem.credentialsInvalid }
    coreContext = context.coreContext
    correlationID = context.correlationID
    self.client = client
  }
}

/// A request between proof and use.
package struct CredentialContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package var client: ServiceClient?

  package init(context: PublicContext) throws {
    coreContext = context.coreContext
    correlationID = context.correlationID
    clientAddress = context.clientAddress
  }
}

/// Proves which server calls, by the id and the secret of its client in `Authorization: Basic` (RFC 7617).
package struct CredentialMiddleware: RouterMiddleware {
  package typealias Context = CredentialContext

  /// Refusals of one address; a secret of 256 bits needs no such guard, the node does.
  private static let refusals = RateLimit("back-end-refusals", 60, per: .minutes(1))

  let clients: ServiceClients
  let nodes: NodeRates

  package init(clients: ServiceClients, world: World) {
    self.clients = clients
    nodes = NodeRates(world: world)
  }

  package func handle(
    _ request: Request, context: CredentialContext, next: (Request, CredentialContext) async throws -> Response
  ) async throws -> Response {
    let fields = request.headers[values: .authorization]
    guard fields.count == 1, let credentials = BasicCredentials(authorization: fields[0]),
      let client = try await clients.authenticate(credentials.name, secret: credentials.password)
    else {
      if let address = context.clientAddress { try nodes.spend(Self.refusals, by: address) }
      throw Problem.credentialsInvalid
    }
    var context = context
    context.client = client
    return try await next(request, context)
  }
}

extension Problem {
  static let credentialsInvalid = Problem.unauthenticated(
    "credentials-invalid", "The id and the secret of a client are required.")
}
