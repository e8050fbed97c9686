// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

extension StaffOpenID {
  /// Logout tokens from one network.
  static let logouts = RateLimit("openid logout", 600, per: .minutes(5))
  /// How long it is known which session at a provider is whose: longer than a session of ours can last.
  static let sessionKept = Duration.hours(24)
  /// How long a logout token's id is known, and what it ended: longer than it is taken, and than an ID token is.
  static let seenFor = Duration.minutes(30)

  /// Ends the sessions of the member whose session at the provider ended, whatever they came in by. The same token
  /// again changes nothing.
  /// - Parameter network: of the sender, never a whole address.
  /// - Returns: why the token was not taken; nil when it was. For the log: the sender learns no reason.
  /// - Throws: `Problem` not-found for an institution without a provider, rate-limited, unavailable when the provider's
  ///   keys cannot be read.
  package func logOut(_ token: String, tenant: String, network: String?) async throws -> OpenIDRefusal? {
    let client = try client(of: tenant)
    try await spend(Self.logouts, by: network)
    let logout: OpenIDLogout
    do { logout = try await client.logout(token) } catch {
      if error == .provider { throw Problem.unavailable }
      return error
    }
    let provider = client.provider
    let seen = core.vault.digest("\(tenant)\u{0}\(provider.issuer)\u{0}\(logout.id)", for: "openid logout")
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      let (store, now) = (StaffOpenIDStore(tx), core.world.now())
      guard try store.spend(seen, until: now + Self.seenFor) else { return }
      let bySubject = try logout.subject.flatMap { try store.member(of: account($0, of: provider)) }
      let bySession = try logout.session.flatMap { try store.member(ofSession: session($0, of: provider)) }
      // A token that names both is about a session of that subject (§2.4).
      guard logout.subject == nil || logout.session == nil || bySession == nil || bySession == bySubject else { return }
      // A sign-in may be on its way back with an ID token that was issued before this one.
      for name in [logout.subject.map { account($0, of: provider) }, logout.session.map { session($0, of: provider) }] {
        if let name { try store.end(name, until: Self.forgotten(issued: logout.issued)) }
      }
      guard let member = bySubject ?? bySession else { return }
      try SessionStore(tx).revokeAll(of: member.rawValue, at: core.world.wall())
      try core.audit.append(
        "agent.signed_out", to: member.rawValue, by: StaffOpenIDAccount.actor, facts: ["at": "provider"], in: tx)
    }
    return nil
  }

  /// When it is forgotten that a token ended something.
  /// - Parameter issued: seconds since 1970, by the provider's clock.
  static func forgotten(issued: Double) -> Instant { Instant(milliseconds: Int64(issued * 1000)) + seenFor }

  /// What a session at the provider is found by: a keyed digest.
  func session(_ session: String, of provider: OpenIDProvider) -> String {
    core.vault.digest("\(provider.tenant)\u{0}\(provider.issuer)\u{0}\(session)", for: "openid session")
  }
}
