// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite(
  "Storage: a command of PostgreSQL ends cleanly",
  .enabled(if: Engine.current == .postgres, "PostgreSQL was not offered"), .timeLimit(.minutes(1)))
struct PostgresCloseTests {
  @Test("what was signalled just before the close is told to the others, and the thread has ended when it returns")
  func signals() async throws {
    let settings = PostgresSettings(url: try #require(Engine.postgresURL), connectionsMax: 1)
    let name = "close \(UUID().uuidString)"
    let other = PostgresSignals(settings, application: "test close other")
    var heard = other.signals(name).makeAsyncIterator()
    // A new listener is notified once.
    await heard.next()
    for _ in 0..<10 {
      // As a short command does: one commit, and the end.
      let mine = PostgresSignals(settings, application: "test close mine")
      mine.send([name])
      #expect(!mine.hasEnded)
      mine.close(patience: .seconds(20))
      #expect(mine.hasEnded)
      await heard.next()
    }
    other.close(patience: .seconds(20))
    #expect(other.hasEnded)
  }

  @Test("a pool that is closed has ended its connections")
  func pool() async throws {
    let made = try await TestDatabase.make(.postgres)
    let other = try made.reopened()
    try await other.write { _ in }
    try other.close()
    await #expect(throws: SQLError.engine("the database was closed")) { try await other.write { _ in } }
  }

  @Test("a store that was never used, or is closed twice, does not wait")
  func idle() throws {
    let settings = PostgresSettings(url: "postgres://127.0.0.1:1/none", connectionsMax: 1)
    let start = ContinuousClock.now
    let database = Postgres(settings)
    try database.close()
    try database.close()
    #expect(start.duration(to: .now) < .seconds(1))
  }
}
