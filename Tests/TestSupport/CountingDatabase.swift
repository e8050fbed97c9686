// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// A store that counts what it is asked, for tests of how work grows with what there is to do.
package struct CountingDatabase: SQLDatabase {
  private let base: any SQLDatabase
  private let counts = Counts()

  fileprivate final class Counts: Sendable {
    let statements = Mutex(0)
    let writes = Mutex(0)
  }

  package init(_ base: any SQLDatabase) { self.base = base }

  /// Statements of all transactions, also of those that were run again.
  package var statements: Int { counts.statements.withLock { $0 } }
  /// Transactions that write.
  package var writes: Int { counts.writes.withLock { $0 } }

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await base.read { [counts] in try body(CountedTransaction($0, counts)) } }

  package func query(_ statement: SQL) async throws -> [SQLRow] {
    counts.statements.withLock { $0 += 1 }
    return try await base.query(statement)
  }

  package var queryIsTrip: Bool { base.queryIsTrip }

  package func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    counts.writes.withLock { $0 += 1 }
    return try await base.write(isolation) { [counts] in try body(CountedTransaction($0, counts)) }
  }

  package func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await base.migrate(migrations, onLeft: onLeft)
  }

  package func signals(_ name: String) -> AsyncStream<Void> { base.signals(name) }
  package func close() throws { try base.close() }
}

private final class CountedTransaction: SQLTransaction {
  private let base: any SQLTransaction
  private let counts: CountingDatabase.Counts

  init(_ base: any SQLTransaction, _ counts: CountingDatabase.Counts) { (self.base, self.counts) = (base, counts) }

  func query(_ statement: SQL) throws -> [SQLRow] {
    counts.statements.withLock { $0 += 1 }
    return try base.query(statement)
  }

  func execute(_ statement: SQL) throws -> Int {
    counts.statements.withLock { $0 += 1 }
    return try base.execute(statement)
  }

  var origin: String? { base.origin }
  func signal(_ name: String) { base.signal(name) }
  func afterCommit(_ action: @escaping @Sendable () -> Void) { base.afterCommit(action) }
}
