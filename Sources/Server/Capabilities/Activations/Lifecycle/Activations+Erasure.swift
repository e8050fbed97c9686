import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Activations that one call erases; a caller repeats until none is left.
  package static let erasedMax = 500

  /// Forgets a user (GDPR art. 17): their devices can prove nothing any more, rows go, and the audit goes on without
  /// its subject.
  /// - Parameter reason: a code.
  /// - Returns: how many activations went.
  package func forget(
    user: String, tenant: String, reason: String, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Int {
    let (store, digest) = (ActivationStore(tx), userDigest(user, tenant: tenant))
    try RecoveryStore(tx).deleteAll(userDigest: digest)
    let rows = try store.list(userDigest: digest, limit: Self.erasedMax)
    for row in rows {
      try ActivationTokenStore(tx).deleteAll(of: row.id)
      try TemporaryKeyStore(tx).deleteAll(of: row.id)
      try store.delete(row.id)
      _ = try audit.cutSubject(of: Self.chain(row.id), reason: reason, by: actor.text, in: tx)
    }
    return rows.count
  }
}
