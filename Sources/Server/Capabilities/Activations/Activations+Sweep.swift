// SPDX-License-Identifier: Apache-2.0

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

  /// Deletes rows that no rule looks at any more.
  /// - Returns: how many.
  @discardableResult
  package func sweep(batch: Int = 1000) async throws -> Int {
    // What was seen, and keys of an hour, count by the machine's time, as the devices' requests do.
    let now = world.wall()
    let oldest = world.now() - Self.signedTextRetention
    return try await database.sweep(batch: batch) { try SeenStore($0).sweep(before: now, limit: $1) }
      + database.sweep(batch: batch) { try TemporaryKeyStore($0).sweep(before: now, limit: $1) }
      + database.sweep(batch: batch) { try SignedTextStore.sweep(before: oldest, limit: $1, in: $0) }
  }
}
