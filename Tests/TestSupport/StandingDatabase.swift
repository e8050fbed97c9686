// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// A store whose first transaction that writes stands still when it sees what it will see: what others commit meanwhile
/// it does not see, where the engine lets them.
package final class StandingDatabase: SQLDatabase {
  private let base: any SQLDatabase
  private let look: SQL
  private let stand: @Sendable () -> Void
  private let stood = Atomic(false)

  /// - Parameters:
  ///   - look: a statement that begins the transaction's snapshot.
  ///   - stand: returns when the transaction may go on. It blocks the thread of the transaction, and is called once.
  package init(_ base: any SQLDatabase, after look: SQL, standing stand: @escaping @Sendable () -> Void) {
    (self.base, self.look, self.stand) = (base, look, stand)
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await base.read(body) }

  package func query(_ statement: SQL) async throws -> [SQLRow] { try await base.query(statement) }
  package var queryIsTrip: Bool { base.queryIsTrip }

  package func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    try await base.write(isolation) { [self] tx in
      if !stood.exchange(true, ordering: .relaxed) {
        _ = try tx.query(look)
        stand()
      }
      return try body(tx)
    }
  }

  package func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await base.migrate(migrations, onLeft: onLeft)
  }

  package func signals(_ name: String) -> AsyncStream<Void> { base.signals(name) }
  package func close() throws { try base.close() }
}
