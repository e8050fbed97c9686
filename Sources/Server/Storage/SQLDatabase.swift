// SPDX-License-Identifier: Apache-2.0

/// A SQL engine. Two conformers: SQLite for one machine, PostgreSQL for many. Every answer tells of durable changes
/// only: a read may wait for the disk while others write.
package protocol SQLDatabase: Sendable {
  /// Reads one consistent snapshot. An engine may run `body` again when the connection was lost before it ended.
  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Looks up rows by their keys with one statement, which is a snapshot by itself: the cheapest way to read. What
  /// walks through a table belongs into `read`. An engine may run it again when the connection was lost.
  /// - Throws: `SQLError.engine` for anything but a SELECT.
  func query(_ statement: SQL) async throws -> [SQLRow]

  /// The same with a few statements that see one snapshot.
  func look<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Whether `query` is a trip to another program, so that those who ask at once had better go together.
  var queryIsTrip: Bool { get }

  /// Runs one durable transaction: when this returns, it survives a crash; when it throws, nothing happened, except
  /// for `SQLError.uncertain`. An engine may run `body` several times before one run commits, so a body has no effect
  /// but its statements, signals and actions after commit.
  func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value

  /// Applies the migrations that are not applied yet, in order: all of them or none where no other program runs,
  /// each by itself where others do. Programs that start at once wait for one another.
  /// - Parameter onLeft: is called with how many are left, before each that is applied and after the last; not when
  ///   all are applied already.
  /// - Throws: `SQLError.schema` when an applied migration is unknown or was edited since.
  func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws

  /// Yields after each burst of signals of that name: on PostgreSQL from every node, on SQLite from this process.
  /// Signals coalesce and may be lost with a node or a connection: they say *look now*, and polling is the net.
  func signals(_ name: String) -> AsyncStream<Void>

  /// Ends the threads of the engine and waits for them, for a few seconds at most. What comes after it is refused.
  func close() throws

  /// The same as `query` for a caller who goes on by what they see before they answer: `answer` has the rows at once,
  /// and what it returns or throws is returned once the rows are durable. So a call that looks several times waits for
  /// the disk once. `answer` tells nothing to others by these rows alone.
  func query<Answer>(
    _ statement: SQL, answering answer: ([SQLRow]) async throws -> Answer
  ) async throws -> Answer
}

extension SQLDatabase {
  package func migrate(_ migrations: [Migration]) async throws { try await migrate(migrations) { _ in } }

  package func query<Answer>(
    _ statement: SQL, answering answer: ([SQLRow]) async throws -> Answer
  ) async throws -> Answer { try await answer(try await query(statement)) }

  package func look<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await read(body) }

  package func write<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await write(.snapshot, body) }
}

/// What a transaction may assume of the others.
package enum SQLIsolation: Sendable {
  /// Every statement sees the moment at which the transaction began, and of two that change the same row one runs
  /// again. What is decided from rows that are only read needs a constraint or a version to guard it: SQLite would
  /// let nothing in between, PostgreSQL's REPEATABLE READ does.
  case snapshot
  /// As if it ran alone: for what is decided from rows that are not there. Costs more runs under load.
  case serializable
  /// Each statement sees what is committed when it starts: for taking rows off a queue with `forUpdateSkipLocked`.
  case readCommitted
}

/// One open transaction. Synchronous on purpose: no `await`, hence no network call, can slip between two statements.
/// A statement that is refused voids all of it: those after it are refused too, and nothing is committed.
package protocol SQLTransaction: AnyObject {
  func query(_ statement: SQL) throws -> [SQLRow]

  /// - Returns: rows changed.
  @discardableResult func execute(_ statement: SQL) throws -> Int

  /// What the task that asked for this transaction was part of; see `WorkOrigin`.
  var origin: String? { get }

  /// Wakes those who wait for `name` with `SQLDatabase.signals`, once the transaction is durable.
  func signal(_ name: String)

  /// Runs once the transaction is durable; not at all when it rolls back. For wake-up calls only: a crash loses it.
  func afterCommit(_ action: @escaping @Sendable () -> Void)
}

extension SQLTransaction {
  /// The first row of an answer that has at most one.
  package func first(_ statement: SQL) throws -> SQLRow? { try query(statement).first }
}
