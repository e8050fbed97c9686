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

  /// Deletes up to `limit` rows of each kind that no rule looks at any more.
  @discardableResult
  package func sweep(limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    let now = world.now()
    return try SeenStore(tx).sweep(before: now, limit: limit) + TemporaryKeyStore(tx).sweep(before: now, limit: limit)
  }
}
