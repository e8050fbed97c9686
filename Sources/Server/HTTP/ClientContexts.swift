// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Kit

/// A request of another server: it cannot exist without checked credentials.
package struct ClientContext<Client: Sendable>: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let client: Client
  /// Whether the credentials of the request would be taken now: for what goes on after they were checked.
  package let isStillProved: @Sendable () async throws -> Bool

  package init(context: CredentialContext<Client>) throws {
    guard let client = context.client, let isStillProved = context.isStillProved else {
      throw Problem.credentialsInvalid
    }
    coreContext = context.coreContext
    correlationID = context.correlationID
    (self.client, self.isStillProved) = (client, isStillProved)
  }
}

/// A request between proof and use.
package struct CredentialContext<Client: Sendable>: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package var client: Client?
  var isStillProved: (@Sendable () async throws -> Bool)?

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

  /// How long ago the credentials may have been checked when the body of their call is there. A client may take ten
  /// seconds over a body, and be revoked meanwhile.
  private static var proofLifetime: Duration { .seconds(1) }

  private let authenticate: @Sendable (String, String) async throws -> Client?
  private let nodes: NodeRateLimits
  private let world: World

  /// - Parameter authenticate: the client of an id and a secret; nil when they do not fit.
  package init(world: World, authenticate: @escaping @Sendable (String, String) async throws -> Client?) {
    (self.authenticate, self.world) = (authenticate, world)
    nodes = NodeRateLimits(world: world)
  }

  package func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    // Counted before it is known whether it is a refusal: checks side by side must not pass the limit.
    let address = context.clientAddress.map(ClientNetwork.subscriber)
    if let address { try nodes.reserve(Self.refusals, by: address) }
    let (credentials, proved) = (Self.credentials(request), world.ticks())
    let client: Client?
    do { client = try await self.client(credentials) } catch {
      // Nothing was found out.
      if let address { nodes.giveBack(Self.refusals, by: address) }
      throw error
    }
    guard let client else { throw Problem.credentialsInvalid }
    if let address { nodes.giveBack(Self.refusals, by: address) }
    var known = context
    known.client = client
    known.isStillProved = { try await self.client(credentials) != nil }
    let admitted = known
    let check = BodyCheck {
      guard world.ticks() - proved > Self.proofLifetime else { return }
      guard try await self.client(credentials) != nil else { throw Problem.credentialsInvalid }
    }
    return try await RequestContent.$whenRead.withValue(check) { try await next(request, admitted) }
  }

  private func client(_ credentials: BasicCredentials?) async throws -> Client? {
    guard let credentials else { return nil }
    return try await authenticate(credentials.name, credentials.password)
  }

  private static func credentials(_ request: Request) -> BasicCredentials? {
    let fields = request.headers[values: .authorization]
    return fields.count == 1 ? BasicCredentials(authorization: fields[0]) : nil
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
