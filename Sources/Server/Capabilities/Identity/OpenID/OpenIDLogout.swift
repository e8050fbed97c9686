import Foundation
import Kit

/// What a logout token says (OpenID Connect Back-Channel Logout 1.0 §2.4). It counts only when it was read from a
/// checked token.
struct OpenIDLogout: Sendable {
  /// Whose sessions end; nil where the token names one session alone.
  let subject: String?
  /// The session at the provider that ended; nil where all of the subject's did.
  let session: String?
  /// The token's own id.
  let id: String

  static let event = "http://schemas.openid.net/event/backchannel-logout"
  /// What the header may call such a token (§2.4): its own type, or as tokens were called before there was one.
  static let types: Set<String?> = ["logout+jwt", "jwt", nil]

  /// - Parameters:
  ///   - payload: of a token whose signature was checked.
  ///   - seconds: the time, since 1970.
  /// - Throws: `.token`, `.issuer`, `.audience`, `.expired`, `.nonce`.
  init(_ payload: Data, for provider: OpenIDProvider, at seconds: Double) throws(OpenIDRefusal) {
    guard let all = try? JSONDecoder().decode([String: OpenIDClaims.Value].self, from: payload),
      let issuer = all["iss"]?.text, let audiences = all["aud"]?.texts, let issued = all["iat"]?.number,
      let expires = all["exp"]?.number, let id = all["jti"]?.text, (1...255).contains(id.utf8.count)
    else { throw .token }
    guard issuer == provider.issuer else { throw .issuer }
    guard audiences.contains(provider.clientID) else { throw .audience }
    guard seconds < expires + OpenIDToken.skew, issued <= seconds + OpenIDToken.skew,
      issued >= seconds - OpenIDToken.ageMax
    else { throw .expired }
    func name(_ claim: String) throws(OpenIDRefusal) -> String? {
      guard let value = all[claim] else { return nil }
      guard let text = value.text, (1...255).contains(text.utf8.count) else { throw .token }
      return text
    }
    (subject, session, self.id) = (try name("sub"), try name("sid"), id)
    guard subject != nil || session != nil, case .object(let events)? = all["events"],
      case .object? = events[Self.event]
    else { throw .token }
    // An ID token is no logout token, whoever sends it.
    guard all["nonce"] == nil else { throw .nonce }
  }
}

extension OpenIDToken {
  /// Checks the token as Back-Channel Logout 1.0 §2.6 asks, in its order:
  ///
  /// 1.–3. It is signed, by a key and an algorithm as those of ID tokens; none is encrypted.
  /// 4. `iss`, `aud`, `iat` and `exp` are those of an ID token.
  /// 5. It has `sub`, `sid` or both.
  /// 6. `events` has the event of a logout, which is an object.
  /// 7. It has no `nonce`.
  ///
  /// What was seen before (8.) is known where sessions end; whose session it is (9.–11.) is looked for there.
  func logout(
    by keys: OpenIDKeySet, for provider: OpenIDProvider, at now: Instant
  ) throws(OpenIDRefusal) -> OpenIDLogout {
    guard keys.isValid(signature, of: signed, by: algorithm, key: keyID) else { throw .signature }
    return try OpenIDLogout(payload, for: provider, at: Double(now.milliseconds) / 1000)
  }
}

extension StaffOpenID {
  /// Logout tokens from one network.
  static let logouts = RateLimit("openid logout", 600, per: .minutes(5))
  /// How long it is known which session at a provider is whose: longer than a session of ours can last.
  static let sessionKept = Duration.hours(24)
  /// How long a logout token's id is known: longer than the token is taken.
  private static let seenFor = Duration.minutes(30)

  /// Ends the sessions of the member whose session at the provider ended, whatever they came in by. The same token
  /// again changes nothing.
  /// - Parameter network: of whoever sent it, never a whole address.
  /// - Returns: whether the token was one; the sender learns nothing else.
  /// - Throws: `Problem` not-found for an institution without a provider, rate-limited, unavailable when the provider's
  ///   keys cannot be read.
  package func logOut(_ token: String, tenant: String, network: String?) async throws -> Bool {
    let client = try client(of: tenant)
    if let network {
      let key = core.vault.digest(network, for: "openid network")
      _ = try await core.database.write(retrying: .outdatedOrDuplicate) { [core] tx in
        try core.limits.spend(Self.logouts, by: key, in: tx)
      }
    }
    let logout: OpenIDLogout
    do { logout = try await client.logout(token) } catch OpenIDRefusal.provider {
      throw Problem.unavailable
    } catch { return false }
    let provider = client.provider
    let seen = core.vault.digest("\(tenant)\u{0}\(provider.issuer)\u{0}\(logout.id)", for: "openid logout")
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      let (store, now) = (StaffOpenIDStore(tx), core.world.now())
      guard try store.spend(seen, until: now + Self.seenFor) else { return }
      let bySubject = try logout.subject.flatMap { try store.member(of: account($0, of: provider)) }
      let bySession = try logout.session.flatMap { try store.member(ofSession: session($0, of: provider)) }
      // A token that names both is about a session of that subject (§2.4).
      guard logout.subject == nil || logout.session == nil || bySession == nil || bySession == bySubject else { return }
      guard let member = bySubject ?? bySession else { return }
      try SessionStore(tx).revokeAll(of: member.rawValue, at: core.world.wall())
      try core.audit.append(
        "agent.signed_out", to: member.rawValue, by: StaffOpenIDAccount.actor, facts: ["at": "provider"], in: tx)
    }
    return true
  }

  /// What a session at the provider is found by: a keyed digest.
  func session(_ session: String, of provider: OpenIDProvider) -> String {
    core.vault.digest("\(provider.tenant)\u{0}\(provider.issuer)\u{0}\(session)", for: "openid session")
  }
}
