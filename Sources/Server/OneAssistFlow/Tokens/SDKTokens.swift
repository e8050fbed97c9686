import Foundation
import Kit
import Storage

/// What apps call with: opaque, for one customer of one partner, for half an hour from its last use (oneassist §9.2).
struct SDKTokens: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy

  /// Who calls.
  struct Caller: Sendable {
    let partner: Partner.ID
    let customer: String
    var actor: String { "customer:\(customer)" }
  }

  /// Uses nearer to each other than this are one: a write for each call would tell nobody anything.
  private static let grain = Duration.minutes(1)

  /// - Parameter token: 256 random bits, made before the transaction.
  /// - Returns: seconds for which it counts if it is not used.
  func issue(_ token: String, customer: String, of partner: Partner.ID, in tx: any SQLTransaction) throws -> Int {
    let (store, now) = (TokenStore(tx), core.world.now())
    try store.trim(customer, to: policy.tokensMax - 1, at: now)
    try store.insert(
      .init(
        digest: core.vault.digest(token: token), partner: partner, customer: customer,
        expiresAt: now + policy.tokenLifetime, endsAt: now + policy.tokenLifetimeMax), at: now)
    return policy.tokenLifetime.wholeSeconds
  }

  /// Whose token it is; its time begins anew.
  /// - Throws: `Problem` AUTH_005.
  func caller(_ token: String?) async throws -> Caller {
    guard let token, (16...512).contains(token.utf8.count) else { throw Problem.tokenOver }
    let (digest, now) = (core.vault.digest(token: token), core.world.now())
    guard let found = try await core.database.read({ try TokenStore($0).find(digest) }), found.expiresAt > now else {
      throw Problem.tokenOver
    }
    let end = min(now + policy.tokenLifetime, found.endsAt)
    if end - found.expiresAt >= Self.grain || (end == found.endsAt && found.expiresAt < end) {
      try await core.database.write { try TokenStore($0).prolong(digest, until: end) }
    }
    return Caller(partner: found.partner, customer: found.customer)
  }
}
