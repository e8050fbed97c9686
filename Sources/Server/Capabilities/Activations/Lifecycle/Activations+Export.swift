// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Activations {
  /// Activations, and recovery codes, of one user that are read; far more than a user has.
  private static let exportedMax = 10_000

  /// Says that a user's activations and recovery codes are given out to them, in the chain of each.
  /// - Returns: how many there are.
  package func noteExport(
    user: String, tenant: String, by actor: ActivationActor, in tx: any SQLTransaction
  ) throws -> Int {
    let digest = userDigest(user, tenant: tenant)
    let rows = try ActivationStore(tx).list(userDigest: digest, limit: Self.exportedMax)
    for row in rows {
      try audit.append("activation.exported", to: Self.chain(row.id), by: actor.text, in: tx)
    }
    let codes = try RecoveryStore(tx).list(userDigest: digest, limit: Self.exportedMax)
    // What belongs to a device is in the device's chain.
    for code in codes where code.activation == nil {
      try audit.append(
        "recovery.exported", to: PowerAuthApplications.chain(code.application), by: actor.text,
        facts: ["code": code.id.rawValue], in: tx)
    }
    return rows.count + codes.count
  }

  /// A user's activations for that user, oldest first. `noteExport` comes before.
  package func exported(user: String, tenant: String, in tx: any SQLTransaction) throws -> [ActivationExport] {
    let digest = userDigest(user, tenant: tenant)
    let rows = try ActivationStore(tx).list(userDigest: digest, limit: Self.exportedMax)
    return try rows.reversed().compactMap { row -> ActivationExport? in
      guard let known = try self.known(row, in: tx) else { return nil }
      return ActivationExport(
        known, of: try PowerAuthApplicationStore(tx).find(row.application),
        tokens: try ActivationTokenStore(tx).list(of: row.id, limit: Self.tokensMax),
        signed: try SignedTextStore(tx, vault: vault).all(of: row.id, limit: Self.exportedMax),
        history: try AuditStore(tx).exported(Self.chain(row.id)))
    }
  }

  /// A user's recovery codes for that user, oldest first. `noteExport` comes before.
  package func exportedRecoveryCodes(
    user: String, tenant: String, in tx: any SQLTransaction
  ) throws -> [RecoveryCodeExport] {
    let digest = userDigest(user, tenant: tenant)
    return try RecoveryStore(tx).list(userDigest: digest, limit: Self.exportedMax).map { RecoveryCodeExport($0) }
  }
}
