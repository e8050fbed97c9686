// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Kit

/// A request of another server: it cannot exist without checked credentials.
package struct ClientContext<Client: Sendable>: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let client: Client

  package init(context: CredentialContext<Client>) throws {
    guard let client = context.client else { throw Problem.credentialsInvalid }
    coreContext = context.coreContext
    correlationID = context.correlationID
    self.client = client
  }
}

/// A request between proof and use.
package struct CredentialContext<Client: Sendable>: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package var client: Client?

  package init(context: PublicContext) throws {
    coreContext = context.coreContext
    correlationID = context.correlationID
    clientAddress = context.clientAddress
  }
}

/// Proves which server calls, by the id and the secret of its client in `Authorization: Basic` (RFC 7617).
package struct CredentialMiddleware<Client: Sendable>: RouterMiddleware {
  package typealias Context = CredentialContext<Client>

  /// Refusals of one address, and checks under way; a secret of 256 bits needs no such guard, the node does. As many as a
  /// busy server may have under way.
  package static var refusals: RateLimit { RateLimit("back-end-refusals", 256, per: .minutes(1)) }

  private let authenticate: @Sendable (String, String) async throws -> Client?
  private let nodes: NodeRateLimits

  /// - Parameter authenticate: the client of an id and a secret; nil when they do not fit.
  package init(world: World, authenticate: @escaping @Sendable (String, String) async throws -> Client?) {
    self.authenticate = authenticate
    nodes = NodeRateLimits(world: world)
  }

  package func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // Counted before it is known whether it is a refusal: checks side by side must not pass the limit.
    let address = context.clientAddress.map(ClientNetwork.subscriber)
    if let address { try nodes.reserve(Self.refusals, by: address) }
    let client: Client?
    do { client = try await self.client(request) } catch {
      // Nothing was found out.
      if let address { nodes.giveBack(Self.refusals, by: address) }
      throw error
    }
    guard let client else { throw Problem.credentialsInvalid }
    if let address { nodes.giveBack(Self.refusals, by: address) }
    var context = context
    context.client = client
    return try await next(request, context)
  }

  private func client(_ request: Request) async throws -> Client? {
    let fields = request.headers[values: .authorization]
    guard fields.count == 1, let credentials = BasicCredentials(authorization: fields[0]) else { return nil }
    return try await authenticate(credentials.name, credentials.password)
  }
}

extension RouterGroup where Context == PublicContext {
  /// Routes that other servers call with credentials.
  package func clients<Client: Sendable>(
    at path: String, world: World, authenticate: @escaping @Sendable (String, String) async throws -> Client?
  ) -> RouterGroup<ClientContext<Client>> {
    group(RouterPath(path)).group(context: CredentialContext<Client>.self)
      .add(middleware: CredentialMiddleware(world: world, authenticate: authenticate))
      .group(context: ClientContext<Client>.self)
  }
}

extension Problem {
  static let credentialsInvalid = Problem(
    .unauthenticated, "credentials-invalid", "The id and the secret of a client are required.")
}
