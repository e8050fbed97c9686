import Kit
import PowerAuthCore
import Storage

extension Activations {
  /// Ends the activations whose time is over, each in a transaction of its own.
  /// - Returns: how many.
  @discardableResult
  package func sweepLapsed(limit: Int = 200) async throws -> Int {
    let now = world.now()
    let lapsed = try await database.read { try ActivationStore($0).lapsed(now: now, limit: limit) }
    var count = 0
    for id in lapsed {
      count += try await database.write { [self] tx in
        // Committed or removed meanwhile: nothing to do.
        guard let row = try ActivationStore(tx).find(id), let expiresAt = row.expiresAt, expiresAt <= now,
          activationFlow.allows(.lapsed, from: row.state)
        else { return 0 }
        _ = try move(row, on: .lapsed, by: .system, in: tx)
        return 1
      }
    }
    return count
  }

  /// Rows that one transaction deletes.
  package static let sweepBatch = 1000
  /// Batches of one pass over one table. Every half minute that is more than a node can take in.
  package static let sweepBatchesMax = 200

  /// Deletes rows that no rule looks at any more, in batches, each a transaction of its own.
  /// - Returns: how many. What is left after `sweepBatchesMax` batches waits for the next pass.
  @discardableResult
  package func sweep(batch: Int = sweepBatch) async throws -> Int {
    let now = world.now()
    return try await sweep(batch) { try SeenStore($0).sweep(before: now, limit: batch) }
      + sweep(batch) { try TemporaryKeyStore($0).sweep(before: now, limit: batch) }
  }

  private func sweep(
    _ batch: Int, _ delete: @escaping @Sendable (any SQLTransaction) throws -> Int
  ) async throws -> Int {
    var count = 0
    for _ in 0..<Self.sweepBatchesMax {
      let deleted = try await database.write { try delete($0) }
      count += deleted
      if deleted < batch { break }
    }
    return count
  }
}
