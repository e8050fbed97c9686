// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// A store in which somebody else is faster: what they do is done between what a caller reads and the first transaction
/// in which the caller writes.
package final class OvertakenDatabase: SQLDatabase {
  private let base: any SQLDatabase
  private let meanwhile: Mutex<(@Sendable () async throws -> Void)?>

  /// - Parameter meanwhile: is done once; what it throws, the caller's first write throws.
  package init(_ base: any SQLDatabase, meanwhile: @escaping @Sendable () async throws -> Void) {
    self.base = base
    self.meanwhile = Mutex(meanwhile)
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await base.read(body) }

  package func query(_ statement: SQL) async throws -> [SQLRow] { try await base.query(statement) }
  package var queryIsTrip: Bool { base.queryIsTrip }

  package func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let first = meanwhile.withLock { action in
      defer { action = nil }
      return action
    }
    try await first?()
    return try await base.write(isolation, body)
  }

  package func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await base.migrate(migrations, onLeft: onLeft)
  }

  package func signals(_ name: String) -> AsyncStream<Void> { base.signals(name) }
  package func close() throws { try base.close() }
}
