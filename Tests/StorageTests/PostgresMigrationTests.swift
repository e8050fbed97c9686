// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import Storage
import Testing
import TestSupport

@Suite(
  "Storage: steps of the schema beside programs of before",
  .enabled(if: Engine.current == .postgres, "PostgreSQL was not offered"), .timeLimit(.minutes(1)))
struct PostgresMigrationTests {
  private static let counter = Migration(
    "2026-01-01 counter",
    "CREATE TABLE counter (id BIGINT PRIMARY KEY, n BIGINT NOT NULL); INSERT INTO counter VALUES (1, 0);")

  @Test("a step that makes rows unique is made again when a program of before writes between its statements")
  func racedMigration() async throws {
    let made = try await TestDatabase.make(.postgres, [Self.counter])
    let (held, holds) = AsyncStream.makeStream(of: Void.self)
    let release = DispatchSemaphore(value: 0)
    // It does not see the row that is on its way, and then waits for it.
    async let former: Void = made.database.write { tx in
      try tx.execute("INSERT INTO counter VALUES (2, 0)")
      holds.yield()
      _ = release.wait(timeout: .now() + 30)
    }
    for await _ in held { break }
    let step = Migration(
      "2999-01-01 unique", "DELETE FROM counter WHERE id > 1; CREATE UNIQUE INDEX counter_n ON counter (n);")
    let upgrading = try made.reopened()
    async let upgrade: Void = upgrading.migrate([Self.counter, step])
    let reader = try made.reopened()
    // Other tests wait for locks beside this one.
    func waits() async throws -> Bool {
      try await reader.read { tx in
        try tx.first(
          """
          SELECT pid FROM pg_locks WHERE NOT granted AND mode = 'ShareLock' AND relation = 'counter'::regclass
            AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          """) != nil
      }
    }
    try await waitUntil("the step waits for the row", waits)
    release.signal()
    _ = try await (former, upgrade)
    #expect(try await reader.read { try $0.query("SELECT id FROM counter") }.count == 1)
    // Rows that the step itself leaves alike are not a race: it is given up, and says why.
    let wrong = Migration("2999-01-02 wrong", "CREATE UNIQUE INDEX counter_id ON counter ((id * 0));")
    try await reader.write { _ = try $0.execute("INSERT INTO counter VALUES (3, 1)") }
    do {
      try await upgrading.migrate([Self.counter, step, wrong])
      Issue.record("made over rows that are alike")
    } catch SQLError.notUnique {}
    for database in [upgrading, reader] { try database.close() }
  }
}
