import HTTP
import HTTPTypes
import Hummingbird
import Kit
import Storage

/// The ways into the room, by who may come in (finaptic §2.4).
package struct FinapticRouteGroups {
  /// Whoever has a client key; nobody looks at a token. For what gives and takes tokens.
  package let keyed: RouterGroup<FinapticContext>
  /// Class A: whoever has a client key; a token that is sent has to be good.
  package let open: RouterGroup<FinapticContext>
  /// Class U.
  package let users: RouterGroup<FinapticUserContext>
  /// Class C.
  package let customers: RouterGroup<FinapticCustomerContext>

  package init(_ room: FinapticService, root: RouterGroup<PublicContext>) {
    let base = RouterPath(FinapticDialect.base)
    let keys = KeyGate(room: room)
    let (tokens, faults) = (TokenGate(room: room), FaultGate(room: room))
    keyed = root.group(base).group(context: FinapticArrival.self).add(middleware: keys).add(middleware: faults)
      .group(context: FinapticContext.self)
    func signedIn() -> RouterGroup<FinapticArrival> {
      root.group(base).group(context: FinapticArrival.self).add(middleware: keys).add(middleware: tokens)
        .add(middleware: faults)
    }
    open = signedIn().group(context: FinapticContext.self)
    users = signedIn().group(context: FinapticUserContext.self)
    customers = signedIn().group(context: FinapticCustomerContext.self)
  }
}

/// Knows the app by the client key of its SDK key.
private struct KeyGate: RouterMiddleware {
  typealias Context = FinapticArrival

  let room: FinapticService

  func handle(
    _ request: Request, context: FinapticArrival, next: (Request, FinapticArrival) async throws -> Response
  ) async throws -> Response {
    let (policy, network) = (room.parts.policy, context.network)
    let fields = request.headers[values: .clientKey]
    guard fields.count == 1, let (key, tenant) = try await room.parts.tenants.find(clientKey: fields[0]) else {
      if let network { try room.rates.spend(policy.refusals, by: network) }
      throw Problem.clientKeyInvalid
    }
    // First what is the network's own: one cannot spend what all of the tenant's customers share.
    if let network { try room.rates.spend(policy.callsPerNetwork, by: "\(key.id) \(network)") }
    try room.rates.spend(policy.callsPerKey, by: key.id.rawValue)
    var context = context
    (context.key, context.tenant) = (key, tenant)
    return try await next(request, context)
  }
}

/// Knows the user by the access token in `Authorization: Bearer`; one that is there has to be good.
private struct TokenGate: RouterMiddleware {
  typealias Context = FinapticArrival

  let room: FinapticService

  func handle(
    _ request: Request, context: FinapticArrival, next: (Request, FinapticArrival) async throws -> Response
  ) async throws -> Response {
    let fields = request.headers[values: .authorization]
    guard !fields.isEmpty else { return try await next(request, context) }
    guard fields.count == 1, fields[0].prefix(7).lowercased() == "bearer ", let tenant = context.tenant else {
      throw Problem.signInRequired
    }
    let token = fields[0].dropFirst(7).withoutOptionalWhitespace
    let parts = room.parts
    let identity = try await parts.sessions.verify(token, tenant: tenant.session)
    try await parts.sessions.requireLive(identity, in: parts.database)
    guard let signedIn = FinapticSignedIn(identity) else { throw Problem.signInRequired }
    try room.rates.spend(parts.policy.callsPerUser, by: signedIn.user.rawValue)
    var context = context
    context.signedIn = signedIn
    return try await next(request, context)
  }
}
