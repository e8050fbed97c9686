// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// A store in which somebody else is faster: what they do is done between what a caller reads and the first transaction
/// in which the caller writes, or between two such transactions.
package final class OvertakenDatabase: SQLDatabase {
  private let base: any SQLDatabase
  private let meanwhile: @Sendable () async throws -> Void
  /// Writes of the caller before what is done meanwhile.
  private let left: Mutex<Int>

  /// - Parameters:
  ///   - number: of the caller's write, from 1, before which it is done.
  ///   - meanwhile: is done once; what it throws, that write throws.
  package init(
    _ base: any SQLDatabase, beforeWrite number: Int = 1, meanwhile: @escaping @Sendable () async throws -> Void
  ) {
    (self.base, self.meanwhile) = (base, meanwhile)
    left = Mutex(number)
  }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await base.read(body) }

  package func query(_ statement: SQL) async throws -> [SQLRow] { try await base.query(statement) }
  package var queryIsTrip: Bool { base.queryIsTrip }

  package func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let isOvertaken = left.withLock { left in
      left -= 1
      return left == 0
    }
    if isOvertaken { try await meanwhile() }
    return try await base.write(isolation, body)
  }

  package func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await base.migrate(migrations, onLeft: onLeft)
  }

  package func signals(_ name: String) -> AsyncStream<Void> { base.signals(name) }
  package func close() throws { try base.close() }
}
