// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Activations that one call erases; a caller repeats until none is left.
  package static let erasedMax = 500

  /// Under whose key what says who a user is is sealed: one for each user of an institution.
  package func keySubject(of user: String, tenant: String) -> KeySubject {
    .activationUser(userDigest(user, tenant: tenant), tenant: tenant)
  }

  /// Whether an institution's user has activations or recovery codes here.
  package func knows(user: String, tenant: String, in tx: any SQLTransaction) throws -> Bool {
    let digest = userDigest(user, tenant: tenant)
    return try !ActivationStore(tx).list(userDigest: digest, limit: 1).isEmpty
      || !RecoveryStore(tx).list(userDigest: digest, limit: 1).isEmpty
  }

  /// The tenants that have applications, in the order of their names.
  package func tenants(in tx: any SQLTransaction) throws -> [String] {
    try PowerAuthApplicationStore(tx).tenants()
  }

  /// Forgets a user (GDPR art. 17): their devices can prove nothing any more, rows go, and the audit goes on without
  /// its subject. The caller destroys the user's key.
  /// - Parameter reason: a code.
  /// - Returns: how many activations went.
  package func forget(
    user: String, tenant: String, reason: String, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Int {
    let (store, digest) = (ActivationStore(tx), userDigest(user, tenant: tenant))
    try RecoveryStore(tx).deleteAll(userDigest: digest)
    try SignedTextStore(tx, vault: vault).deleteAll(userDigest: digest)
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
