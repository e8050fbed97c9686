// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit

/// An ID token as it came (OpenID Connect Core 1.0 §2): three parts, of which nothing counts before its signature is
/// checked.
struct OpenIDToken {
  static let bytesMax = 32 * 1024

  let algorithm: OpenIDKeySet.Algorithm
  let keyID: String?
  let signed: Data
  let signature: Data
  let payload: Data

  private struct Header: Decodable {
    let alg: String
    let kid: String?
    let typ: String?
    /// Extensions that have to be understood (RFC 7515 §4.1.11). We understand no extension, so any name is refused.
    let crit: [String]?
  }

  /// - Parameter types: what the header may call it, in lower case. An ID token is never taken for another one.
  /// - Throws: `.token` for what is no token, `.type` for one of another type, `.signature` for an algorithm that is
  ///   not taken.
  init(_ text: String, types: Set<String?> = ["jwt", nil]) throws(OpenIDRefusal) {
    guard text.utf8.count <= Self.bytesMax else { throw .token }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Data(base64URL: String(parts[0])),
      let payload = Data(base64URL: String(parts[1])), let signature = Data(base64URL: String(parts[2])),
      let header = try? WireJSON.decode(Header.self, from: head), header.crit == nil
    else { throw .token }
    guard types.contains(header.typ?.lowercased()) else { throw .type }
    guard let algorithm = OpenIDKeySet.Algorithm(rawValue: header.alg) else { throw .signature }
    (self.algorithm, keyID, self.payload, self.signature) = (algorithm, header.kid, payload, signature)
    signed = Data("\(parts[0]).\(parts[1])".utf8)
  }

  /// Checks the token as OpenID Connect Core 1.0 §3.1.3.7 asks, in its order:
  ///
  /// 2. `iss` is the issuer, exactly.
  /// 3. `aud` has the client id.
  /// 4.–5. With several audiences `azp` is there; where it is there, it is the client id.
  /// 6.–8. The signature is by a key of the provider. It is checked although the token came over TLS.
  /// 9. `exp` is ahead; `nbf`, where it is there, has passed.
  /// 10. `iat` is not ahead, and not long ago: the token was issued for the code that was just exchanged.
  /// 11. `nonce` is the one that was sent.
  func verified(
    by keys: OpenIDKeySet, for provider: OpenIDProvider, nonce: String, at now: Instant
  ) throws(OpenIDRefusal) -> OpenIDClaims {
    guard keys.isValid(signature, of: signed, by: algorithm, key: keyID) else { throw .signature }
    guard let claims = OpenIDClaims(payload) else { throw .token }
    guard claims.issuer == provider.issuer else { throw .issuer }
    guard claims.audiences.contains(provider.clientID),
      claims.authorizedParty.map({ $0 == provider.clientID }) ?? (claims.audiences.count == 1)
    else { throw .audience }
    let seconds = Double(now.milliseconds) / 1000
    guard seconds < claims.expires + Self.skew, (claims.notBefore ?? 0) <= seconds + Self.skew,
      claims.issued <= seconds + Self.skew, claims.issued >= seconds - Self.ageMax
    else { throw .expired }
    guard let given = claims.nonce, Data(given.utf8).isEqualInConstantTime(to: nonce.utf8) else { throw .nonce }
    return claims
  }

  /// Seconds by which clocks may differ.
  static let skew = 60.0
  /// Seconds since a token was issued, at most.
  static let ageMax = 600.0
}
