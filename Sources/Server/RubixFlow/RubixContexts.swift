// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import Identity
import Kit
import Logging
import RubixWire
import Storage

/// A request of a customer: it cannot exist without a checked access token.
package struct CustomerContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let customer: Customer
  /// Whether it came on a stream of HTTP/2.
  let isStream: Bool

  package init(context: IdentifiedContext) throws {
    guard let identity = context.identity, let tenant = context.tenant else { throw Problem.tokenMissing }
    coreContext = context.coreContext
    correlationID = context.correlationID
    customer = Customer(identity: identity, tenant: tenant)
    isStream = context.isStream
  }
}

/// Who is calling, proved by an access token.
package struct Customer: Sendable {
  package let identity: AccessIdentity
  package let tenant: Tenant

  var id: Application.ID { .init(rawValue: identity.subject) }
}

/// A request of an agent: it cannot exist without a checked access token of an active member of staff.
package struct AgentContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package let agent: Agent

  package init(context: IdentifiedContext) throws {
    guard let identity = context.identity, let tenant = context.tenant, let member = context.member else {
      throw Problem.tokenMissing
    }
    coreContext = context.coreContext
    correlationID = context.correlationID
    agent = Agent(member: member, identity: identity, tenant: tenant)
  }
}

/// A member of staff at work.
package struct Agent: Sendable {
  package let member: StaffMember
  /// Of the session; nil in a command, in which an operator names the member.
  package let identity: AccessIdentity?
  package let tenant: Tenant

  package init(member: StaffMember, identity: AccessIdentity?, tenant: Tenant) {
    (self.member, self.identity, self.tenant) = (member, identity, tenant)
  }

  /// How audit lines name this agent.
  package var actor: String { member.actor }

  /// - Throws: `Problem` forbidden.
  package func require(_ permission: StaffPermission) throws {
    guard member.permissions.contains(permission) else {
      throw Problem(.forbidden, "forbidden", "Your account does not have the permission for this.")
    }
  }
}

extension Sessions {
  /// The agent's session goes on. A command has none: `Staff.acting` has looked at the member before.
  /// - Throws: `Problem` token-revoked.
  func requireLive(_ agent: Agent, in tx: any SQLTransaction) throws {
    if let identity = agent.identity { try requireLive(identity, in: tx) }
  }
}

/// A request between proof and use: filled by the token middleware of its group.
package struct IdentifiedContext: ChildRequestContext {
  package var coreContext: CoreRequestContextStorage
  package let correlationID: String
  package var identity: AccessIdentity?
  package var tenant: Tenant?
  package var member: StaffMember?
  /// Whether it came on a stream of HTTP/2.
  let isStream: Bool

  package init(context: PublicContext) throws {
    coreContext = context.coreContext
    correlationID = context.correlationID
    isStream = context.isStream
  }
}

/// Proves who calls by the access token in `x-access-token` or `Authorization: Bearer` (rubix-onboarding §1.1).
package struct TokenMiddleware: RouterMiddleware {
  package typealias Context = IdentifiedContext

  let sessions: Sessions
  let tenants: Tenants
  /// Loads the member where only staff may pass.
  var staff: (@Sendable (AccessIdentity) async throws -> StaffMember?)?

  package func handle(
    _ request: Request, context: IdentifiedContext, next: (Request, IdentifiedContext) async throws -> Response
  ) async throws -> Response {
    guard let token = Self.token(request.headers) else { throw Problem.tokenMissing }
    let tenant = try tenants.find(request.headers[.tenantID])
    let identity = try await sessions.verify(token, tenant: tenant.id)
    var context = context
    context.identity = identity
    context.tenant = tenant
    guard let staff else { return try await next(request, context) }
    let member = try await Self.active(staff, identity)
    context.member = member
    let admitted = context
    // A body may come slowly, and the session or a permission end meanwhile. Steps of customers look at theirs by
    // themselves.
    let check = BodyCheck {
      guard try await Self.active(staff, identity).permissions.isSuperset(of: member.permissions) else {
        throw Problem(.forbidden, "forbidden", "Your account has lost a permission meanwhile.")
      }
    }
    return try await RequestContent.$whenRead.withValue(check) { try await next(request, admitted) }
  }

  private static func active(
    _ staff: @Sendable (AccessIdentity) async throws -> StaffMember?, _ identity: AccessIdentity
  ) async throws -> StaffMember {
    guard let member = try await staff(identity), member.isActive else {
      throw Problem.unauthenticated("token-revoked", "This account is not active.")
    }
    return member
  }

  private static func token(_ headers: HTTPFields) -> String? {
    if let token = headers[.accessToken], !token.isEmpty { return token }
    guard let value = headers[.authorization], value.prefix(7).lowercased() == "bearer " else { return nil }
    return value.dropFirst(7).withoutOptionalWhitespace
  }
}

extension Problem {
  static let tokenMissing = Problem.unauthenticated("token-missing", "An access token is required.")
}

extension HTTPField.Name {
  static let accessToken = Self(OnboardingHeader.accessToken)!
  static let refreshToken = Self(OnboardingHeader.refreshToken)!
  static let tenantID = Self(OnboardingHeader.tenantID)!
  static let idempotencyKey = Self(OnboardingHeader.idempotencyKey)!
}
