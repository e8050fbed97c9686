// SPDX-License-Identifier: Apache-2.0

/// Rows that nothing looks at any more, deleted in steps: no transaction is long, and others write between them.
extension SQLDatabase {
  /// Rows of one transaction.
  package static var sweepBatch: Int { 1000 }
  /// Transactions of one sweep. Every half minute that is more than a node can take in.
  package static var sweepBatchesMax: Int { 200 }

  /// Deletes until nothing is left, in transactions of their own; what is left after `sweepBatchesMax` of them waits
  /// for the next sweep.
  /// - Parameter delete: deletes at most so many rows, and says how many it deleted.
  /// - Returns: how many were deleted.
  @discardableResult
  package func sweep(
    batch: Int = Self.sweepBatch, isolation: SQLIsolation = .snapshot,
    _ delete: @escaping @Sendable (any SQLTransaction, Int) throws -> Int
  ) async throws -> Int {
    var count = 0
    for _ in 0..<Self.sweepBatchesMax {
      let deleted = try await write(isolation) { try delete($0, batch) }
      count += deleted
      if deleted < batch { break }
    }
    return count
  }
}
