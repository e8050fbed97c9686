// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

private let zeros = String(repeating: "A", count: 43)
private let keys = OpenIDKeySet(
  Data(#"{"keys": [{"kty": "EC", "crv": "P-256", "x": "\#(zeros)", "y": "\#(zeros)"}]}"#.utf8))!

/// What an identity provider sends: its keys, and tokens behind any signature.
func fuzz(_ bytes: Data) {
  let (provider, now) = (OpenIDProvider(), Instant(milliseconds: 1_800_000_000_000))
  _ = OpenIDKeySet(bytes)
  if let claims = OpenIDClaims(bytes) {
    precondition((1...255).contains(claims.subject.utf8.count) && (2...3).contains(claims.language.count))
    _ = (claims.values("realm_access.roles"), claims.email, claims.session, claims.gender)
  }
  if let logout = try? OpenIDLogout(bytes, for: provider, at: Double(now.seconds)) {
    precondition(logout.subject != nil || logout.session != nil)
  }
  guard let token = try? OpenIDToken(text(bytes), types: OpenIDLogout.formerTypes) else { return }
  precondition(bytes.starts(with: token.signed))
  _ = try? token.logout(by: keys, for: provider, at: now)
  if let claims = try? token.verified(by: keys, for: provider, nonce: "once", at: now) {
    precondition(claims.nonce == "once" && claims.audiences.contains(provider.clientID))
  }
}
