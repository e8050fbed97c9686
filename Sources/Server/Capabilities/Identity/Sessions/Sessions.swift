// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Token sessions of one audience: short signed access tokens and opaque refresh tokens that rotate, with detection of
/// a stolen one by its family (RFC 9700 §4.14, RFC 6749 §10.4).
///
/// A refresh token's successor is derived from it under a key of the server, so that a lost answer can be given again
/// without keeping any token in clear.
package struct Sessions: Sendable {
  package struct Policy: Sendable {
    package var issuer = "gatehouse"
    package var audience: String
    package var scope: String
    package var refreshPrefix: String
    package var accessLifetime = Duration.minutes(15)
    /// Each rotation renews it.
    package var refreshIdle = Duration.days(30)
    /// No rotation goes beyond it.
    package var familyLifetime = Duration.days(90)
    /// How long a spent token gets its successor again.
    /// Nil: never, any use of a spent token ends its family.
    package var grace: Duration? = .seconds(10)
    package var clockSkew = Duration.seconds(30)
    /// How long an access token is taken beyond its end; nil is the clock skew.
    package var expirySkew: Duration?
    package var rotations = RateLimit("refresh", 10, per: .minutes(1))

    package init(audience: String, scope: String, refreshPrefix: String) {
      self.audience = audience
      self.scope = scope
      self.refreshPrefix = refreshPrefix
    }
  }

  package let policy: Policy
  let signer: AccessTokenSigner
  let vault: Vault
  let limits: RateLimits
  let audit: Audit
  let world: World

  package init(policy: Policy, signer: AccessTokenSigner, vault: Vault, limits: RateLimits, audit: Audit, world: World)
  {
    self.policy = policy
    self.signer = signer
    self.vault = vault
    self.limits = limits
    self.audit = audit
    self.world = world
  }

  /// Opens a family for a subject and gives its first refresh token. Sign the access token after the commit.
  /// - Parameter refreshSeed: when given, `reopen` gives the first token again to a caller who knows the seed.
  package func open(
    subject: String, tenant: String, device: String, refreshSeed: String? = nil, in tx: any SQLTransaction
  ) throws -> (family: SessionFamily, refreshToken: String) {
    let now = world.wall()
    let family = SessionFamily(
      id: .init(world), tenant: tenant, subject: subject, device: digest(device, "device"),
      expiresAt: now + policy.familyLifetime, revokedReason: nil)
    let token =
      refreshSeed.map { seededToken($0, subject: subject) } ?? policy.refreshPrefix + world.random(32).base64URL
    let store = SessionStore(tx)
    try store.insert(family, at: now)
    try store.insert(refreshToken(token, of: family, at: now))
    return (family, token)
  }

  /// - Returns: a signed access token and its life in seconds.
  /// - Parameter grant: what the token shows of its bearer; nil seals the subject and shows nothing.
  package func accessToken(
    for family: SessionFamily, showing grant: AccessGrant? = nil
  ) async throws -> (token: String, expiresIn: Int) {
    let lifetime = min(grant?.lifetime ?? policy.accessLifetime, policy.accessLifetime)
    let token = try await signer.sign(family, policy: policy, showing: grant, lifetime: lifetime, now: world.wall())
    return (token, lifetime.wholeSeconds)
  }

  /// Checks signature, header and claims; the family itself is checked by `family(_:in:)`.
  /// - Throws: `Problem` token-invalid or token-expired.
  package func verify(_ accessToken: String, tenant: String) async throws -> AccessIdentity {
    try await signer.verify(accessToken, policy: policy, tenant: tenant, now: world.wall())
  }

  /// The deny list: a family that was revoked or outlived its life speaks no more.
  /// - Throws: `Problem` token-revoked.
  package func requireLive(_ identity: AccessIdentity, in tx: any SQLTransaction) throws {
    try requireLive(
      identity,
      try SessionStore(tx).family(identity.family).map {
        SessionState(subject: $0.subject, isRevoked: $0.revokedReason != nil, expiresAt: $0.expiresAt)
      })
  }

  /// The same, and the session that the token is of: for one that lasts as long as it is used.
  /// - Throws: `Problem` token-revoked.
  package func live(_ identity: AccessIdentity, in tx: any SQLTransaction) throws -> SessionFamily {
    try requireLive(identity, in: tx)
    guard let family = try SessionStore(tx).family(identity.family) else {
      throw Problem.unauthenticated("token-revoked", "This session has ended.")
    }
    return family
  }

  /// How the sessions of a database stand, for `requireLive(_:_:)` outside of a transaction.
  package static func states(in database: any SQLDatabase) -> SharedQuery<SessionFamily.ID, SessionState> {
    SessionStore.states(in: database)
  }

  /// The same by what was read of the family already; nil is one that is not there.
  /// - Throws: `Problem` token-revoked.
  package func requireLive(_ identity: AccessIdentity, _ state: SessionState?) throws {
    guard let state, !state.isRevoked, state.subject == identity.subject, state.expiresAt > world.wall()
    else { throw Problem.unauthenticated("token-revoked", "This session has ended.") }
  }

  /// For the end of a change that must not outlast its session: the session's row is written, so that of this and what
  /// ends the session at the same moment one runs again and sees the other.
  /// - Throws: `Problem` token-revoked.
  package func requireOpen(_ identity: AccessIdentity, in tx: any SQLTransaction) throws {
    try requireLive(identity, in: tx)
    try SessionStore(tx).requireOpen(identity.family, at: world.wall())
  }

  package enum RefreshOutcome: Sendable {
    case rotated(SessionFamily, refreshToken: String, expiresIn: Int)
    /// Committed with a problem: the family was revoked because a spent token came back.
    case reused(SessionFamily)
  }

  /// Spends a refresh token for its successor.
  ///
  /// 1. Unknown, another audience's or another device's: `refresh-invalid`. Outlived: `refresh-expired`.
  /// 2. Unspent: exactly one of all racing callers spends it.
  /// 3. Spent within the grace, its successor not yet used: the same successor again.
  /// 4. Any other use of a spent token revokes the family.
  ///
  /// - Parameters:
  ///   - device: must match when given.
  ///   - arrivedAt: when the request came in, which may be long before this transaction found a connection: the grace
  ///     is a promise to the client about its own time. Nil is now.
  package func refresh(
    _ token: String, device: String?, tenant: String, arrivedAt: Instant? = nil, in tx: any SQLTransaction
  ) throws -> RefreshOutcome {
    let now = world.wall()
    let store = SessionStore(tx)
    guard token.hasPrefix(policy.refreshPrefix), let presented = try store.refreshToken(tokenDigest(token)),
      let family = try store.family(presented.family), family.tenant == tenant,
      device.map({ digest($0, "device") == family.device }) ?? true
    else { throw Problem.refreshInvalid }
    if let reason = family.revokedReason {
      throw reason == .reuse ? Problem.refreshReused : Problem.refreshInvalid
    }
    // A spent token is judged as a repetition, however late it comes.
    guard family.expiresAt > now, presented.spentAt != nil || presented.expiresAt > now else {
      throw Problem.unauthenticated("refresh-expired", "The refresh token has expired.")
    }
    let successor = try successor(of: token, family: family)
    if presented.spentAt == nil {
      try limits.spend(policy.rotations, by: family.id.rawValue, in: tx)
      if try store.spend(presented, successor: tokenDigest(successor), at: now) {
        let next = refreshToken(successor, of: family, at: now)
        try store.insert(next)
        return .rotated(family, refreshToken: successor, expiresIn: (next.expiresAt - now).wholeSeconds)
      }
    }
    // Another call was faster, or this is a repetition.
    guard let spent = try store.refreshToken(presented.digest), let spentAt = spent.spentAt,
      let grace = policy.grace, (arrivedAt ?? now) - spentAt <= grace, spent.successor == tokenDigest(successor),
      let next = try store.refreshToken(tokenDigest(successor)), next.spentAt == nil
    else {
      try store.revoke(family.id, reason: .reuse, at: now)
      try audit.append(
        "security.refresh_reuse", to: family.subject, by: "system", facts: ["family": family.id.rawValue], in: tx)
      return .reused(family)
    }
    return .rotated(family, refreshToken: successor, expiresIn: (next.expiresAt - now).wholeSeconds)
  }

  /// The first refresh token of a family again, while it is unused: for the repetition of a lost answer.
  /// - Returns: nil once it was spent.
  package func reopen(
    subject: String, refreshSeed: String, in tx: any SQLTransaction
  ) throws -> (family: SessionFamily, refreshToken: String)? {
    let store = SessionStore(tx)
    let token = seededToken(refreshSeed, subject: subject)
    guard let row = try store.refreshToken(tokenDigest(token)), row.spentAt == nil,
      row.expiresAt > world.wall(), let family = try store.family(row.family), family.revokedReason == nil,
      family.expiresAt > world.wall()
    else { return nil }
    return (family, token)
  }

  /// The family that a refresh token belongs to, whatever became of either; nil for an unknown token.
  package func family(ofRefreshToken token: String, tenant: String, in tx: any SQLTransaction) throws -> SessionFamily?
  {
    let store = SessionStore(tx)
    guard token.hasPrefix(policy.refreshPrefix), let presented = try store.refreshToken(tokenDigest(token)),
      let family = try store.family(presented.family), family.tenant == tenant
    else { return nil }
    return family
  }

  /// - Returns: false for one that had ended before.
  @discardableResult
  package func revoke(_ family: SessionFamily.ID, in tx: any SQLTransaction) throws -> Bool {
    try SessionStore(tx).revoke(family, reason: .logout, at: world.wall())
  }

  /// Ends every session of a subject.
  package func revokeAll(of subject: String, in tx: any SQLTransaction) throws {
    try SessionStore(tx).revokeAll(of: subject, at: world.wall())
  }

  /// Every sign-in of a subject, oldest first, without any secret.
  package func records(of subject: String, in tx: any SQLTransaction) throws -> [SessionRecord] {
    try SessionStore(tx).records(of: subject)
  }

  /// Ends and forgets every session of a subject, for an erasure.
  package func forget(_ subject: String, in tx: any SQLTransaction) throws {
    try SessionStore(tx).deleteAll(of: subject)
  }

  private func refreshToken(_ token: String, of family: SessionFamily, at now: Instant) -> RefreshToken {
    RefreshToken(
      digest: tokenDigest(token), family: family.id, issuedAt: now,
      expiresAt: min(now + policy.refreshIdle, family.expiresAt),
      spentAt: nil, successor: nil)
  }

  private func successor(of token: String, family: SessionFamily) throws -> String {
    policy.refreshPrefix + derived("\(family.id)\u{0}\(token)", "refresh successor")
  }

  private func seededToken(_ seed: String, subject: String) -> String {
    policy.refreshPrefix + derived("\(subject)\u{0}\(seed)", "refresh first")
  }

  private func derived(_ value: String, _ purpose: String) -> String {
    (Data(hex: vault.digest(value, for: purpose)) ?? Data()).base64URL
  }

  private func digest(_ value: String, _ purpose: String) -> String { vault.digest(value, for: "session \(purpose)") }
}

extension Problem {
  package static func unauthenticated(_ code: String, _ detail: String) -> Problem {
    Problem(.unauthenticated, code, detail)
  }
  package static let refreshInvalid = Problem.unauthenticated("refresh-invalid", "The refresh token is not valid.")
  package static let refreshReused = Problem.unauthenticated(
    "refresh-reused", "The refresh token was used before; the session has ended.")
}
