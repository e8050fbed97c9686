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
    let (member, opened) = try await enter(
      request.username, password: request.password, tenant: tenant.id, address: address
    ) { member, tx in
      (member, try open(for: member, code: request.otp, tenant: tenant, address: address, in: tx))
    }
    let (family, refresh) = try opened.get()
    let access = try await agentSessions.accessToken(for: family)
    return (
      AgentLoginResponse(
        agentID: member.id.rawValue, displayName: member.name,
        permissions: member.permissions.sorted().map { AgentPermission(rawValue: $0.rawValue) },
        accessExpiresIn: access.expiresIn),
      IssuedTokens(access: access.token, refresh: refresh, accessExpiresIn: access.expiresIn)
    )
  }

  /// Lets the member with this e-mail address and password in. Every sign-in of staff is counted here.
  /// - Parameters:
  ///   - tenant: an id; an unknown one is answered like a wrong password.
  ///   - enter: opens the session, in the transaction that admits the member.
  /// - Throws: `Problem` credentials-invalid, login-locked (423), rate-limited.
  package func enter<Entry: Sendable>(
    _ email: String, password: String, tenant: String, address: String?,
    _ enter: @escaping @Sendable (StaffMember, any SQLTransaction) throws -> Entry
  ) async throws -> Entry {
    if let address { try await count(address) }
    switch try await staff.authenticate(
      email: email, password: password, tenant: tenant, network: address.map(ClientNetwork.of), enter: enter)
    {
    case .accepted(let entry): return entry
    case .refused: throw Problem.unauthenticated("credentials-invalid", "The sign-in was not accepted.")
    case .locked(let retryAfter): throw Problem.loginLocked(retryAfter)
    }
  }

  /// Opens a session for a member whose password was right, and who proves the second factor.
  /// - Parameter code: nil when the request has none.
  /// - Returns: as a failure what `factor` refuses, so that it is committed: a wrong code stays counted.
  private func open(
    for member: StaffMember, code: String?, tenant: Tenant, address: String?, in tx: any SQLTransaction
  ) throws -> Result<(family: SessionFamily, refreshToken: String), Problem> {
    switch try factor(code, of: member, tenant: tenant, address: address, in: tx) {
    case .failure(let problem): return .failure(problem)
    case .success(let factor):
      let opened = try agentSessions.open(
        subject: member.id.rawValue, tenant: tenant.id, device: Self.device, in: tx)
      try core.audit.append(
        "agent.signed_in", to: member.id.rawValue, by: member.actor,
        facts: ["session": opened.family.id.rawValue, "factor": factor], in: tx)
      return .success(opened)
    }
  }

  /// Checks the second factor of a member whose password was right.
  /// - Returns: what was proved, `none` where none is needed; or second-factor-required, second-factor-invalid,
  ///   second-factor-not-enrolled, login-locked (423).
  private func factor(
    _ code: String?, of member: StaffMember, tenant: Tenant, address: String?, in tx: any SQLTransaction
  ) throws -> Result<String, Problem> {
    guard try staff.factors.state(of: member.id, in: tx).hasAuthenticator else {
      guard tenant.staffSecondFactor else { return .success("none") }
      return .failure(
        Problem(
          .forbidden, "second-factor-not-enrolled",
          "Set up an authenticator app on the console before you sign in here."))
    }
    guard let code else {
      return .failure(.unauthenticated("second-factor-required", "A code of your authenticator app is required."))
    }
    switch try staff.factors.prove(code, of: member, network: address.map(ClientNetwork.of), in: tx) {
    case .accepted(let factor): return .success(factor)
    case .refused: return .failure(.unauthenticated("second-factor-invalid", "The code was not accepted."))
    case .locked(let retryAfter): return .failure(.loginLocked(retryAfter))
    case .appLocked:
      return .failure(
        .unauthenticated(
          "second-factor-invalid",
          "Too many wrong codes have locked the authenticator app. Give a recovery code, or ask an administrator."))
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

  /// Whether the session of an agent goes on, and the member may still do what they could when it was looked at.
  package func goesOn(_ agent: Agent) async throws -> Bool {
    try await core.database.read { tx in
      do { try agentSessions.requireLive(agent, in: tx) } catch is Problem { return false }
      guard let member = try staff.find(agent.member.id, in: tx), member.isActive else { return false }
      return member.permissions.isSuperset(of: agent.member.permissions)
    }
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
