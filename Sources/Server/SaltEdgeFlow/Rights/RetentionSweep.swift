// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Deletes what no longer has to be proved: decisions with their evidence, and devices that are gone. The audit log,
/// which holds no names, stays; but a connection without a sign-in, which anyone may begin, goes with its entries.
struct RetentionSweep: Sendable {
  private static let batch = 500
  /// Batches of one pass: what is left over is the next one's.
  private static let batchesMax = 100
  private static let signedInAction = "saltedge.connection.\(ConnectionEvent.authenticated.rawValue)"

  let core: CoreDependencies
  let policy: SaltEdgePolicy

  /// One bounded pass. A scheduled job.
  func sweep() async throws {
    var batches = 0
    while batches < Self.batchesMax, try await sweepBatch() {
      try Task.checkCancellation()
      batches += 1
    }
  }

  /// - Returns: whether there may be more.
  private func sweepBatch() async throws -> Bool {
    let now = core.world.now()
    let (ended, failed) = (now - policy.retention, now - policy.failedRetention)
    return try await core.database.write(retrying: .outdated) { [core] tx in
      let (authorizations, connections) = (
        AuthorizationStore(tx, vault: core.vault), ConnectionStore(tx, vault: core.vault)
      )
      let abandoned = try connections.sweep(failedBefore: failed, limit: Self.batch)
      // The rows may be forged, the chains cannot be.
      try core.audit.drop(abandoned.map(core.chain), unless: { $0.action == Self.signedInAction }, in: tx)
      let counts = [
        abandoned.count, try authorizations.sweep(finishedBefore: ended, limit: Self.batch),
        try OperationStore(tx, vault: core.vault).sweep(endedBefore: ended, limit: Self.batch),
        try ConsentStore(tx, vault: core.vault).sweep(expiredBefore: ended, limit: Self.batch),
        try connections.sweep(goneBefore: ended, limit: Self.batch),
      ]
      return counts.contains { $0 >= Self.batch }
    }
  }
}
