import Crypto
import Foundation
import Kit

/// Access tokens whose signature was checked before: an app that asks often is not computed anew each time.
///
/// Kept is only what never changes about a token: that we signed it, and what it says. Whether it still counts is asked
/// at every use: its times of the clock, its key of the ring, its session of the store. Tokens are known by their digest.
final class ProvenTokens: Sendable {
  /// Tokens remembered at once, at most.
  static let countMax = 20_000

  /// What a token says.
  struct Claims: Sendable {
    let keyID: String
    let issuer: String
    let audience: String
    let tenant: String
    let scope: String
    let family: String
    let subject: String
    /// Seconds since 1970.
    let notBefore: Int64
    let expires: Int64
    /// Of a readable token.
    var grant: AccessGrant?
  }

  private let recent = RecentValues<SHA256Digest, Claims>(countMax: countMax)

  static func digest(_ token: String) -> SHA256Digest {
    var token = token
    return token.withUTF8 { bytes in
      var hash = SHA256()
      hash.update(bufferPointer: UnsafeRawBufferPointer(bytes))
      return hash.finalize()
    }
  }

  func find(_ digest: SHA256Digest) -> Claims? { recent.find(digest) }

  func keep(_ claims: Claims, _ digest: SHA256Digest) { recent.keep(claims, for: digest) }
}
