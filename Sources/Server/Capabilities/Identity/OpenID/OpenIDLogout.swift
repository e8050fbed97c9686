// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
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
  /// Seconds since 1970, by the provider's clock.
  let issued: Double

  static let event = "http://schemas.openid.net/event/backchannel-logout"
  /// What the header calls such a token (§2.4).
  static let types: Set<String?> = ["logout+jwt"]
  /// The same, and as tokens were called before they had a type of their own.
  static let formerTypes = types.union(["jwt", nil])

  /// - Parameters:
  ///   - payload: of a token whose signature was checked.
  ///   - seconds: the time, since 1970.
  /// - Throws: `.token`, `.issuer`, `.audience`, `.expired`, `.nonce`.
  init(_ payload: Data, for provider: OpenIDProvider, at seconds: Double) throws(OpenIDRefusal) {
    guard let all = try? WireJSON.decode([String: OpenIDClaims.Value].self, from: payload),
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
    (subject, session, self.id, self.issued) = (try name("sub"), try name("sid"), id, issued)
    guard subject != nil || session != nil, case .object(let events)? = all["events"],
      case .object? = events[Self.event]
    else { throw .token }
    // An ID token is not accepted as a logout token.
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
