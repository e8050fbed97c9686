// SPDX-License-Identifier: Apache-2.0

import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Storage

extension HTTPField.Name {
  static let sdkToken = Self("token")!
}

// MARK: Apps

/// A request of an app: it cannot exist without a token that counts (oneassist §9.2).
package struct AppContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  let caller: SDKTokens.Caller

  package init(context: UnverifiedAppContext) throws {
    guard let caller = context.caller else { throw Problem.tokenOver }
    (coreContext, correlationID, self.caller) = (context.coreContext, context.correlationID, caller)
  }
}

/// A request of an app before its token is checked.
package struct UnverifiedAppContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  let clientAddress: String?
  var caller: SDKTokens.Caller?

  package init(context: PublicContext) throws {
    coreContext = context.coreContext
    (correlationID, clientAddress) = (context.correlationID, context.clientAddress)
  }
}

/// Proves the caller by the token in the header `token`, or in `Authorization: Bearer`.
struct AppMiddleware: RouterMiddleware {
  let tokens: SDKTokens
  let rates: NodeRateLimits

  func handle(
    _ request: Request, context: UnverifiedAppContext, next: (Request, UnverifiedAppContext) async throws -> Response
  ) async throws -> Response {
    let bearer = request.headers[.authorization].flatMap { field in
      field.lowercased().hasPrefix("bearer ") ? String(field.dropFirst(7)) : nil
    }
    var context = context
    do { context.caller = try await tokens.caller(request.headers[.sdkToken] ?? bearer) } catch {
      // Guessing tokens costs the limit of the address.
      if let address = context.clientAddress {
        try rates.spend(tokens.policy.refusals, by: ClientNetwork.subscriber(address))
      }
      throw error
    }
    return try await next(request, context)
  }
}

/// What apps call with: opaque, for one customer of one partner, for half an hour from its last use (oneassist §9.2).
struct SDKTokens: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy

  /// Who calls.
  struct Caller: Sendable {
    let partner: Partner.ID
    let customer: String
    var actor: String { "customer:\(customer)" }
  }

  /// A token is prolonged at most this often, so that not every call writes.
  private static let grain = Duration.minutes(1)

  /// - Parameter token: 256 random bits, made before the transaction.
  /// - Returns: seconds for which it counts if it is not used.
  func issue(_ token: String, customer: String, of partner: Partner.ID, in tx: any SQLTransaction) throws -> Int {
    let (store, now) = (TokenStore(tx), core.world.wall())
    try store.trim(customer, to: policy.tokensMax - 1, at: now)
    try store.insert(
      .init(
        digest: core.vault.digest(token: token), partner: partner, customer: customer,
        expiresAt: now + policy.tokenLifetime, endsAt: now + policy.tokenLifetimeMax), at: now)
    return policy.tokenLifetime.wholeSeconds
  }

  /// Whose token it is; its time begins anew.
  /// - Throws: `Problem` AUTH_005.
  func caller(_ token: String?) async throws -> Caller {
    guard let token, (16...512).contains(token.utf8.count) else { throw Problem.tokenOver }
    let (digest, now) = (core.vault.digest(token: token), core.world.wall())
    guard let found = try await core.database.read({ try TokenStore($0).find(digest) }), found.expiresAt > now else {
      throw Problem.tokenOver
    }
    let end = min(now + policy.tokenLifetime, found.endsAt)
    if end - found.expiresAt >= Self.grain || (end == found.endsAt && found.expiresAt < end) {
      try await core.database.write { try TokenStore($0).prolong(digest, until: end) }
    }
    return Caller(partner: found.partner, customer: found.customer)
  }
}

// MARK: Partners

/// A request of a partner's server: it cannot exist without the partner in whose name the client acts.
package struct PartnerContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  let partner: Partner

  package init(context: UnverifiedPartnerContext) throws {
    guard let partner = context.partner else { throw Problem.noPartner }
    (coreContext, self.partner) = (context.coreContext, partner)
  }
}

/// A request of a partner's server before its partner is looked up.
package struct UnverifiedPartnerContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  let client: ServiceClient
  var partner: Partner?

  package init(context: ClientContext<ServiceClient>) throws {
    (coreContext, client) = (context.coreContext, context.client)
  }
}

/// Looks up the partner whose client calls.
struct PartnerMiddleware: RouterMiddleware {
  let core: CoreDependencies

  func handle(
    _ request: Request, context: UnverifiedPartnerContext,
    next: (Request, UnverifiedPartnerContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    let client = context.client
    context.partner = try await core.database.read { [core] in
      try PartnerStore($0, vault: core.vault).find(client: client.id.rawValue)
    }
    guard context.partner?.tenant == client.tenant else { throw Problem.noPartner }
    return try await next(request, context)
  }
}

extension Problem {
  fileprivate static let noPartner = Problem(.forbidden, "forbidden", "This client is no partner's.")
}

// MARK: Reviewers

/// A request of a reviewers' system: it cannot exist without a client whose scope is `review`.
package struct ReviewerContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  let client: ServiceClient

  package init(context: ClientContext<ServiceClient>) throws {
    guard context.client.scopes.contains(.review) else {
      throw Problem(.forbidden, "forbidden", "This client does not have the scope review.")
    }
    (coreContext, client) = (context.coreContext, context.client)
  }
}
