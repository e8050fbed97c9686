// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

extension HTTPField.Name {
  static let clientKey = Self(FinapticAPI.clientKeyHeader)!
}

/// Who an access token speaks for.
package struct FinapticSignedIn: Sendable {
  package let user: FinapticUser.ID
  package let identity: AccessIdentity
  /// Id of the customer that the user became; nil before that.
  package let customer: String?
  /// Rights that were stepped up to.
  package let scopes: Set<String>

  init?(_ identity: AccessIdentity) {
    guard let grant = identity.grant else { return nil }
    (user, self.identity) = (.init(rawValue: identity.subject), identity)
    customer = grant.roles.contains(FinapticRole.customer.rawValue) ? grant.customer : nil
    scopes = Set(grant.scope.split(separator: " ").map(String.init))
  }

  /// Their name in audit entries.
  package var actor: String { "user:\(user)" }

  /// - Throws: `Problem` permission denied, naming the scope (finaptic §2.4).
  package func require(_ scope: FinapticScope) throws {
    guard scopes.contains(scope.rawValue) else {
      throw Problem.finaptic(.permissionDenied, "Sign in again with the scope \(scope.rawValue).")
    }
  }
}

/// A request of one of the classes of callers (finaptic §2.4).
package protocol FinapticCaller: RequestContext {
  var correlationID: String { get }
  var clientAddress: String? { get }
  var key: FinapticClientKey { get }
  var tenant: FinapticTenant { get }
  /// Nil for callers who did not sign in, and on routes that do not read tokens.
  var signedIn: FinapticSignedIn? { get }
}

extension FinapticCaller {
  /// The owner of idempotency keys, limits and audit entries.
  package var caller: String { signedIn?.user.rawValue ?? key.id.rawValue }
  package var actor: String { signedIn?.actor ?? "key:\(key.id)" }
  /// The network whose limits count for callers without an account; nil when it is unknown.
  package var network: String? { clientAddress.map(ClientNetwork.of) }
}

/// A request on its way in: filled by the gates of its group.
package struct UnverifiedFinapticContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  var key: FinapticClientKey?
  var tenant: FinapticTenant?
  var signedIn: FinapticSignedIn?

  package init(context: PublicContext) throws {
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
  }
}

extension UnverifiedFinapticContext {
  /// The network whose limits count for callers who proved nothing; nil when it is unknown.
  var network: String? { clientAddress.map(ClientNetwork.of) }
}

/// Class A: an app with a client key, signed in or not.
package struct FinapticContext: ChildRequestContext, FinapticCaller {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package let key: FinapticClientKey
  package let tenant: FinapticTenant
  package let signedIn: FinapticSignedIn?

  package init(context: UnverifiedFinapticContext) throws {
    guard let key = context.key, let tenant = context.tenant else { throw Problem.clientKeyInvalid }
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
    (self.key, self.tenant, signedIn) = (key, tenant, context.signedIn)
  }
}

/// Class U: a signed-in user, whatever the role.
package struct FinapticUserContext: ChildRequestContext, FinapticCaller {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package let key: FinapticClientKey
  package let tenant: FinapticTenant
  package let user: FinapticSignedIn
  package var signedIn: FinapticSignedIn? { user }

  package init(context: FinapticContext) throws {
    guard let user = context.signedIn else { throw Problem.signInRequired }
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
    (key, tenant, self.user) = (context.key, context.tenant, user)
  }
}

/// Class C: a signed-in customer.
package struct FinapticCustomerContext: ChildRequestContext, FinapticCaller {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let clientAddress: String?
  package let key: FinapticClientKey
  package let tenant: FinapticTenant
  package let user: FinapticSignedIn
  package let customer: String
  package var signedIn: FinapticSignedIn? { user }

  package init(context: FinapticUserContext) throws {
    guard let customer = context.user.customer else { throw Problem.customerRequired }
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
    (key, tenant, user, self.customer) = (context.key, context.tenant, context.user, customer)
  }
}

/// The groups of routes, by the class of callers that they are open to (finaptic §2.4).
package struct FinapticRouteGroups {
  /// Apps with a client key; tokens are not read. For the calls that give and take tokens.
  package let keyed: RouterGroup<FinapticContext>
  /// Class A: apps with a client key; a token that is sent has to be valid.
  package let open: RouterGroup<FinapticContext>
  /// Class U.
  package let users: RouterGroup<FinapticUserContext>
  /// Class C.
  package let customers: RouterGroup<FinapticCustomerContext>

  package init(_ service: FinapticService, root: RouterGroup<PublicContext>) {
    let (dependencies, limits) = (service.dependencies, service.limits)
    let keys = TenantStore.knownKeys(in: dependencies.core.database)
    func arrivals(withTokens: Bool = true) -> RouterGroup<UnverifiedFinapticContext> {
      let group = root.group(RouterPath(FinapticDialect.base)).group(context: UnverifiedFinapticContext.self)
        .add(middleware: KeyGate(keys: keys, limits: limits))
      if withTokens {
        group.add(
          middleware: TokenGate(
            sessions: dependencies.sessions, states: Sessions.states(in: dependencies.core.database), limits: limits,
            world: dependencies.core.world))
      }
      // Where customers are real, no call meets what a test armed.
      if dependencies.policy.isSandbox {
        group.add(
          middleware: FaultGate(
            calls: service.calls, controls: dependencies.sandbox, applications: dependencies.onboardingCommands))
      }
      return group
    }
    keyed = arrivals(withTokens: false).group(context: FinapticContext.self)
    open = arrivals().group(context: FinapticContext.self)
    users = open.group(context: FinapticUserContext.self)
    customers = users.group(context: FinapticCustomerContext.self)
  }
}

/// Finds the app by the client key of its SDK key.
private struct KeyGate: RouterMiddleware {
  typealias Context = UnverifiedFinapticContext

  let keys: SharedQuery<FinapticClientKey.ID, TenantStore.KnownKey>
  let limits: NetworkLimits

  func handle(
    _ request: Request, context: UnverifiedFinapticContext,
    next: (Request, UnverifiedFinapticContext) async throws -> Response
  ) async throws -> Response {
    let fields = request.headers[values: .clientKey]
    guard fields.count == 1, fields[0].canonicalUUID != nil else {
      try refuse(context)
      throw Problem.clientKeyInvalid
    }
    return try await keys.find(.init(rawValue: fields[0])) { known in
      guard let (key, tenant) = known else {
        try refuse(context)
        throw Problem.clientKeyInvalid
      }
      let (policy, network) = (limits.policy, context.network)
      // First what is the network's own: one cannot spend what all of the tenant's customers share.
      if let network { try limits.rates.spend(policy.callsPerNetwork, by: "\(key.id) \(network)") }
      try limits.rates.spend(policy.callsPerKey, by: key.id.rawValue)
      var context = context
      (context.key, context.tenant) = (key, tenant)
      return try await next(request, context)
    }
  }

  /// Counts a guess.
  private func refuse(_ context: UnverifiedFinapticContext) throws {
    if let network = context.network { try limits.rates.spend(limits.policy.refusals, by: network) }
  }
}

/// Finds the user by the access token in `Authorization: Bearer`; one that is there has to be good.
private struct TokenGate: RouterMiddleware {
  typealias Context = UnverifiedFinapticContext

  let sessions: Sessions
  let states: SharedQuery<SessionFamily.ID, SessionState>
  let limits: NetworkLimits
  let world: World

  /// How long ago a session may have been looked at when the body of its call is there. A client may take ten seconds
  /// over a body, and longer over a picture.
  private static let lookLifetime = Duration.seconds(1)

  private func requireStillLive(_ identity: AccessIdentity, since looked: Duration) async throws {
    guard world.ticks() - looked > Self.lookLifetime else { return }
    try await states.find(identity.family) { try sessions.requireLive(identity, $0) }
  }

  func handle(
    _ request: Request, context: UnverifiedFinapticContext,
    next: (Request, UnverifiedFinapticContext) async throws -> Response
  ) async throws -> Response {
    let fields = request.headers[values: .authorization]
    guard !fields.isEmpty else { return try await next(request, context) }
    guard fields.count == 1, fields[0].prefix(7).lowercased() == "bearer ", let tenant = context.tenant else {
      throw Problem.signInRequired
    }
    let token = fields[0].dropFirst(7).withoutOptionalWhitespace
    let identity = try await sessions.verify(token, tenant: tenant.session)
    return try await states.find(identity.family) { state in
      try sessions.requireLive(identity, state)
      guard let signedIn = FinapticSignedIn(identity) else { throw Problem.signInRequired }
      try limits.rates.spend(limits.policy.callsPerUser, by: signedIn.user.rawValue)
      var known = context
      known.signedIn = signedIn
      let (admitted, looked) = (known, world.ticks())
      let check = BodyCheck { try await requireStillLive(identity, since: looked) }
      return try await RequestContent.$whenRead.withValue(check) { try await next(request, admitted) }
    }
  }
}

/// A signed-in customer as commands know them.
package struct FinapticCustomer: Sendable {
  package let tenant: FinapticTenant
  /// The customer's id.
  package let customer: String
  package let signedIn: FinapticSignedIn
  package var actor: String { signedIn.actor }

  package init(_ context: FinapticCustomerContext) {
    (tenant, customer, signedIn) = (context.tenant, context.customer, context.user)
  }
}
