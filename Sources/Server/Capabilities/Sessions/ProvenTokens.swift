import Crypto
import Foundation
import Synchronization

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
  }

  /// Two generations: when the younger one is full the older one is forgotten, and with it what nobody used of late.
  private struct Generations {
    var young: [SHA256Digest: Claims] = [:]
    var old: [SHA256Digest: Claims] = [:]
  }

  private let generations = Mutex(Generations())

  static func digest(_ token: String) -> SHA256Digest { SHA256.hash(data: Data(token.utf8)) }

  func find(_ digest: SHA256Digest) -> Claims? {
    generations.withLock { generations in
      if let claims = generations.young[digest] { return claims }
      guard let claims = generations.old[digest] else { return nil }
      Self.keep(claims, digest, in: &generations)
      return claims
    }
  }

  func keep(_ claims: Claims, _ digest: SHA256Digest) {
    generations.withLock { Self.keep(claims, digest, in: &$0) }
  }

  private static func keep(_ claims: Claims, _ digest: SHA256Digest, in generations: inout Generations) {
    if generations.young.count >= countMax / 2 {
      generations.old = generations.young
      generations.young = [:]
    }
    generations.young[digest] = claims
  }
}
