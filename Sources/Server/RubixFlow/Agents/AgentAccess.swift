// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Storage

/// Signing staff in and out; their tokens are of another audience than the customers'.
package struct AgentAccess: Sendable {
  /// Sign-ins from one address, right or wrong.
  static let byAddress = RateLimit("agent login", 30, per: .minutes(5))
  /// The device of every session of staff, whose browsers have no device ids.
  private static let device = "desk"

  let core: CoreDependencies
  let agentSessions: Sessions
  let staff: Staff

  /// Checks e-mail address, password and second factor. Every refusal of a password looks the same, no matter whose
  /// address was given.
  /// - Throws: `Problem` credentials-invalid, second-factor-required, second-factor-invalid, second-factor-not-enrolled,
  ///   login-locked (423), rate-limited.
  package func signIn(
    _ body: RequestContent, tenant: Tenant, address: String?
  ) async throws -> (AgentLoginResponse, IssuedTokens) {
    let request = try body.decode(as: AgentLoginRequest.self)
    let member = try await member(
      request.username, password: request.password, tenant: tenant.id, address: address)
    let factor = try await factor(request.otp, of: member, tenant: tenant, address: address)
    let (family, refresh) = try await core.database.write(retrying: .outdated) { tx in
      let opened = try agentSessions.open(
        subject: member.id.rawValue, tenant: tenant.id, device: Self.device, in: tx)
      try core.audit.append(
        "agent.signed_in", to: member.id.rawValue, by: member.actor,
        facts: ["session": opened.family.id.rawValue, "factor": factor], in: tx)
      return opened
    }
    let access = try await agentSessions.accessToken(for: family)
    return (
      AgentLoginResponse(
        agentID: member.id.rawValue, displayName: member.name,
        permissions: member.permissions.sorted().map { AgentPermission(rawValue: $0.rawValue) },
        accessExpiresIn: access.expiresIn),
      IssuedTokens(access: access.token, refresh: refresh, accessExpiresIn: access.expiresIn)
    )
  }

  /// Finds the member with this e-mail address and password. Every sign-in of staff is counted here.
  /// - Parameter tenant: an id; an unknown one is answered like a wrong password.
  /// - Throws: `Problem` credentials-invalid, login-locked (423), rate-limited.
  package func member(
    _ email: String, password: String, tenant: String, address: String?
  ) async throws -> StaffMember {
    if let address { try await count(address) }
    switch try await staff.authenticate(
      email: email, password: password, tenant: tenant, network: address.map(ClientNetwork.of))
    {
    case .accepted(let member): return member
    case .refused: throw Problem.unauthenticated("credentials-invalid", "The sign-in was not accepted.")
    case .locked(let retryAfter): throw Problem.loginLocked(retryAfter)
    }
  }

  /// Checks the second factor of a member whose password was right.
  /// - Parameter code: nil when the request has none.
  /// - Returns: what was proved; `none` where none is needed.
  /// - Throws: `Problem` second-factor-required, second-factor-invalid, second-factor-not-enrolled, login-locked (423).
  private func factor(
    _ code: String?, of member: StaffMember, tenant: Tenant, address: String?
  ) async throws -> String {
    guard try await staff.factors.state(of: member.id).hasAuthenticator else {
      guard tenant.staffSecondFactor else { return "none" }
      throw Problem(
        .forbidden, "second-factor-not-enrolled", "Set up an authenticator app on the console before you sign in here.")
    }
    guard let code else {
      throw Problem.unauthenticated("second-factor-required", "A code of your authenticator app is required.")
    }
    switch try await staff.factors.prove(code, of: member, network: address.map(ClientNetwork.of)) {
    case .accepted(let factor): return factor
    case .refused: throw Problem.unauthenticated("second-factor-invalid", "The code was not accepted.")
    case .locked(let retryAfter): throw Problem.loginLocked(retryAfter)
    }
  }

  /// Spends a refresh token (rubix-onboarding §3.3). A reuse, or the token of a dismissed
  /// member, ends the session.
  package func refresh(
    _ token: String?, _ body: RequestContent, tenant: Tenant
  ) async throws -> (RefreshTokenResponse, IssuedTokens) {
    guard let token, !token.trimmingCharacters(in: .whitespaces).isEmpty else {
      throw Problem(.badRequest, "missing-header", "The header x-refresh-token is required.")
    }
    _ = try body.decode(as: EmptyBody.self)
    let arrivedAt = core.world.wall()
    let rotation = try await core.database.write(retrying: .outdated) { tx in
      try rotate(token, tenant: tenant, arrivedAt: arrivedAt, in: tx)
    }
    guard let rotation else { throw Problem.refreshReused }
    guard rotation.isActive else { throw Problem.refreshInvalid }
    let access = try await agentSessions.accessToken(for: rotation.family)
    return (
      RefreshTokenResponse(
        status: .success, message: "Tokens were renewed.", accessExpiresIn: access.expiresIn,
        refreshExpiresIn: rotation.expiresIn),
      IssuedTokens(access: access.token, refresh: rotation.refresh, accessExpiresIn: access.expiresIn)
    )
  }

  package func signOut(_ agent: Agent) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      guard let identity = agent.identity else { throw Problem.tokenMissing }
      try agentSessions.requireLive(identity, in: tx)
      try agentSessions.revoke(identity.family, in: tx)
      try core.audit.append("agent.signed_out", to: agent.member.id.rawValue, by: agent.actor, in: tx)
    }
  }

  private struct Rotation: Sendable {
    let family: SessionFamily
    let refresh: String
    let expiresIn: Int
    let isActive: Bool
  }

  /// - Returns: nil when a spent token came back; the family is revoked then.
  private func rotate(
    _ token: String, tenant: Tenant, arrivedAt: Instant, in tx: any SQLTransaction
  ) throws -> Rotation? {
    let outcome = try agentSessions.refresh(
      token, device: nil, tenant: tenant.id, arrivedAt: arrivedAt, in: tx)
    guard case .rotated(let family, let refresh, let expiresIn) = outcome else { return nil }
    let member = try staff.find(.init(rawValue: family.subject), in: tx)
    let isActive = member.map { $0.isActive && $0.tenant == tenant.id } ?? false
    if !isActive { try agentSessions.revoke(family.id, in: tx) }
    return Rotation(family: family, refresh: refresh, expiresIn: expiresIn, isActive: isActive)
  }

  private func count(_ address: String) async throws {
    let subject = core.vault.digest(ClientNetwork.of(address), for: "agent network")
    // Counted in a transaction of its own, so that refused tries count too.
    let usage = try await core.database.write(retrying: .outdated) {
      try core.limits.count(Self.byAddress, by: subject, isTold: false, in: $0)
    }
    // A network is more than one caller: how much the others used is not told.
    guard !usage.isExceeded else { throw Problem.rateLimited(retryAfterSeconds: usage.resetSeconds) }
  }
}

extension Problem {
  fileprivate static func loginLocked(_ retryAfter: Duration) -> Problem {
    Problem(.locked, "login-locked", "Too many wrong attempts; try again later.")
      .with { $0.retryAfterSeconds = max(1, retryAfter.wholeSeconds) }
  }
}
