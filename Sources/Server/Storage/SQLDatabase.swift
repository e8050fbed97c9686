/// A SQL engine. Two conformers: SQLite for one machine, PostgreSQL for many.
package protocol SQLDatabase: Sendable {
  /// Reads one consistent snapshot.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Runs one durable transaction: when this returns, it survives a crash; when it throws, nothing happened.
  func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Applies the migrations that are not applied yet, in order; all of them or none.
  /// - Throws: `SQLError.schema` when an applied migration is unknown or was edited since.
  func migrate(_ migrations: [Migration]) async throws

  func close() throws
}

/// One open transaction. Synchronous on purpose: no `await`, hence no network call, can slip between two statements.
package protocol SQLTransaction: AnyObject {
  func query(_ statement: SQL) throws -> [SQLRow]

  /// - Returns: rows changed.
  @discardableResult func execute(_ statement: SQL) throws -> Int

  /// Runs once the transaction is durable; not at all when it rolls back. For wake-up calls only: a crash loses it.
  func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension SQLTransaction {
  /// The first row of an answer that has at most one.
  package func first(_ statement: SQL) throws -> SQLRow? { try query(statement).first }
}
