// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite(
  "Storage: signals between nodes", .enabled(if: Engine.current == .postgres, "PostgreSQL was not offered"),
  .timeLimit(.minutes(1)))
struct PostgresSignalsTests {
  @Test("a signal reaches those who wait on another node, once what it speaks of is there")
  func signals() async throws {
    let made = try await TestDatabase.make(.postgres, [thing])
    let other = try made.reopened()
    let name = "test \(UUID().uuidString)"
    var heard = other.signals(name).makeAsyncIterator()
    // A new listener is notified once: signals before it may have been missed.
    await heard.next()
    try await made.database.write { tx in
      try tx.execute("INSERT INTO thing (id, text) VALUES (1, 'said')")
      tx.signal(name)
    }
    await heard.next()
    #expect(try await other.read { try $0.first("SELECT text FROM thing")?.get("text") } == "said")
    try other.close()
    #expect(await heard.next() == nil)
  }

  @Test("who waits is rung when the listening connection was lost and stands again")
  func listenerCut() async throws {
    let made = try await TestDatabase.make(.postgres, [thing])
    var heard = made.database.signals("cut").makeAsyncIterator()
    await heard.next()
    let killer = try made.reopened()
    // The listener shows itself by its name among the server's connections.
    let killed = try await killer.write(.readCommitted) { tx in
      try tx.query(
        """
        SELECT pg_terminate_backend(pid) AS done FROM pg_stat_activity
        WHERE application_name LIKE '%signals' AND application_name LIKE current_schema() || '%'
        """
      ).count
    }
    #expect(killed == 1)
    await heard.next()
    try killer.close()
  }

  @Test("a node tells the others over one connection, however often: none is lost between two connections")
  func oneConnection() async throws {
    let made = try await TestDatabase.make(.postgres)
    let other = try made.reopened()
    var heard = other.signals("word").makeAsyncIterator()
    await heard.next()
    var seen: [[Int]] = []
    for _ in 0..<20 {
      try await made.database.write { $0.signal("word") }
      await heard.next()
      seen.append(try await Self.signalConnections(other))
    }
    #expect(seen[0].count == 2)
    #expect(seen.allSatisfy { $0 == seen[0] }, "\(seen)")
    try other.close()
  }

  /// Process ids of the server for the connections of this test that carry signals.
  private static func signalConnections(_ database: any SQLDatabase) async throws -> [Int] {
    try await database.read { tx in
      try tx.query(
        """
        SELECT pid FROM pg_stat_activity
        WHERE application_name LIKE '%signals' AND application_name LIKE current_schema() || '%' ORDER BY pid
        """
      ).map { try $0.get("pid") }
    }
  }
}
