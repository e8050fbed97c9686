// SPDX-License-Identifier: Apache-2.0

import Storage

/// One statement that many calls ask, each for a key of its own. Where the store is another program, those who ask at
/// once share a trip; in this process the statement costs less than waiting for others.
package struct SharedQuery<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  /// - Returns: what the rows say of each key; a key that is not there has no value.
  package typealias Reading = @Sendable ([SQLRow], Set<Key>) throws -> [Key: Value]

  private let database: any SQLDatabase
  private let statement: @Sendable (Set<Key>) -> SQL
  private let reading: Reading
  private let trips: RequestCoalescer<Key, Value>?

  package init(
    in database: any SQLDatabase, _ statement: @escaping @Sendable (Set<Key>) -> SQL, reading: @escaping Reading
  ) {
    (self.database, self.statement, self.reading) = (database, statement, reading)
    trips =
      database.queryIsTrip
      ? RequestCoalescer { try reading(try await database.query(statement($0)), $0) } : nil
  }

  /// Calls `answer` with the value of a key, or with nil when the key has no value, as
  /// `SQLDatabase.query(_:answering:)` does.
  package func find<Answer>(_ key: Key, answering answer: (Value?) async throws -> Answer) async throws -> Answer {
    if let trips { return try await answer(try await trips.answer(to: key)) }
    return try await database.query(statement([key])) { try await answer(try reading($0, [key])[key]) }
  }
}
