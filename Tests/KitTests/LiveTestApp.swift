// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import TestSupport

@testable import Kit

/// Live events over a real store.
struct LiveTestApp {
  let made: TestDatabase
  let clock = TestWorld()
  let pollInterval: Duration

  init(_ engine: Engine, pollInterval: Duration = .milliseconds(100)) async throws {
    made = try await TestDatabase.make(engine, [LiveEventStore.migration, LiveEventStore.forgettingMigration])
    self.pollInterval = pollInterval
  }

  var database: any SQLDatabase { made.database }
  var events: LiveEvents { node(database) }

  /// Live events as another node has them.
  func node(_ database: any SQLDatabase) -> LiveEvents {
    LiveEvents(database: database, world: clock.world, pollInterval: pollInterval)
  }

  /// One transaction an event, whose payload is its kind.
  @discardableResult
  func publish(_ kinds: String..., to topic: String) async throws -> [Int64] {
    var sequences: [Int64] = []
    for kind in kinds {
      sequences.append(
        try await database.write { [events] in try events.publish(kind, payload: Data(kind.utf8), to: topic, in: $0) })
    }
    return sequences
  }

  /// How many rows there are of topics, and of events.
  func rows() async throws -> [Int] {
    try await database.read { tx in
      [
        try tx.first("SELECT COUNT(*) AS n FROM live_topic")?.get("n") ?? -1,
        try tx.first("SELECT COUNT(*) AS n FROM live_event")?.get("n") ?? -1,
      ]
    }
  }

  /// The next events after a position, as many as asked for; fewer when what came after it is gone.
  func read(_ topic: String, after position: Int64?, count: Int) async throws -> [LiveEvent] {
    var found: [LiveEvent] = []
    for try await case .event(let event) in events.subscribe(topic, after: position) {
      found.append(event)
      if found.count == count { break }
    }
    return found
  }
}

/// A store of which every question is a trip; counts the transactions that only read.
struct DistantDatabase: SQLDatabase {
  let base: any SQLDatabase
  let reads = Counter()

  init(_ base: any SQLDatabase) { self.base = base }

  func read<Value: Sendable>(
    _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    _ = reads.next()
    return try await base.read(body)
  }

  func query(_ statement: SQL) async throws -> [SQLRow] { try await base.query(statement) }
  var queryIsTrip: Bool { true }

  func write<Value: Sendable>(
    _ isolation: SQLIsolation, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value { try await base.write(isolation, body) }

  func migrate(_ migrations: [Migration], onLeft: @escaping @Sendable (Int) -> Void) async throws {
    try await base.migrate(migrations, onLeft: onLeft)
  }

  func signals(_ name: String) -> AsyncStream<Void> { base.signals(name) }
  func close() throws { try base.close() }
}
