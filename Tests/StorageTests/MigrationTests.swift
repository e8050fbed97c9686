// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization
import Testing
import TestSupport

@Suite("Storage: migrations")
struct MigrationTests {
  private static let first = Migration("2026-01-01 one", "CREATE TABLE one (id BIGINT PRIMARY KEY)")
  private static let second = Migration(
    "2026-01-02 two", "CREATE TABLE two (id BIGINT PRIMARY KEY); INSERT INTO one (id) VALUES (1);")

  @Test("each is applied once, however often the program starts", arguments: Engine.available)
  func once(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.first])
    try await made.database.migrate([Self.first, Self.second])
    try await made.database.migrate([Self.first, Self.second])
    #expect(try await count("one", made.database) == 1)
  }

  @Test("a waiting caller hears how many are left, and nothing where nothing is to do", arguments: Engine.available)
  func left(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.first])
    let third = Migration("2026-01-03 three", "CREATE TABLE three (id BIGINT);")
    let told = Mutex<[Int]>([])
    for _ in 0..<2 {
      try await made.database.migrate([Self.first, Self.second, third]) { left in told.withLock { $0.append(left) } }
    }
    #expect(told.withLock { $0 } == [2, 1, 0])
  }

  @Test("an edited one is refused by its name", arguments: Engine.available)
  func edited(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.first])
    let edited = Migration(Self.first.id, Self.first.statements + " ")
    let error = await #expect(throws: SQLError.self) { try await made.database.migrate([edited, Self.second]) }
    #expect(error == .schema("migration was edited: 2026-01-01 one"))
    await #expect(throws: SQLError.self) { try await count("two", made.database) }
  }

  @Test("a database from a newer program is refused", arguments: Engine.available)
  func newer(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.first, Self.second])
    let error = await #expect(throws: SQLError.self) { try await made.database.migrate([Self.first]) }
    #expect(error == .schema("the database is newer than this program: 2026-01-02 two"))
  }

  @Test("when one of several fails in an empty store, none was applied", arguments: Engine.available)
  func allOrNone(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    let broken = Migration("2026-01-03 broken", "CREATE TABLE three (id BIGINT); INSERT INTO nowhere VALUES (1);")
    await #expect(throws: SQLError.self) { try await made.database.migrate([Self.first, Self.second, broken]) }
    await #expect(throws: SQLError.self) { try await count("one", made.database) }
    try await made.database.migrate([Self.first, Self.second])
    #expect(try await count("one", made.database) == 1)
  }

  @Test(
    "a step that fails leaves nothing of itself, and those before it can be gone on from", arguments: Engine.available)
  func broken(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [Self.first])
    let broken = Migration("2026-01-03 broken", "CREATE TABLE three (id BIGINT); INSERT INTO nowhere VALUES (1);")
    let mended = Migration("2026-01-03 broken", "CREATE TABLE three (id BIGINT);")
    await #expect(throws: SQLError.self) { try await made.database.migrate([Self.first, Self.second, broken]) }
    await #expect(throws: SQLError.self) { try await made.database.read { try $0.query("SELECT id FROM three") } }
    // Where others go on meanwhile, each step is a commit of its own.
    let second = try? await count("two", made.database)
    #expect((second != nil) == (engine == .postgres))
    try await made.database.migrate([Self.first, Self.second, mended])
    #expect(try await made.database.read { try $0.query("SELECT id FROM three") }.isEmpty)
  }

  @Test("two programs that start at once apply each migration once", arguments: Engine.available)
  func racing(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    let other = try made.reopened()
    async let one: Void = made.database.migrate([Self.first, Self.second])
    async let two: Void = other.migrate([Self.first, Self.second])
    _ = try await (one, two)
    #expect(try await count("one", made.database) == 1)
    try other.close()
  }

  @Test("a fingerprint depends on every character of the statements")
  func fingerprint() {
    let texts = ["", " ", "A", "a", "ab", "ba", "ab ", "ä"]
    #expect(Set(texts.map { Migration("x", $0).fingerprint }).count == texts.count)
    // The published vectors of FNV-1a with 64 bits.
    #expect(Migration("x", "").fingerprint == "cbf29ce484222325")
    #expect(Migration("x", "a").fingerprint == "af63dc4c8601ec8c")
    #expect(Migration("x", "foobar").fingerprint == "85944171f73967e8")
  }

  private func count(_ table: String, _ database: any SQLDatabase) async throws -> Int {
    try await database.read { tx in
      try tx.first(table == "one" ? "SELECT COUNT(*) AS n FROM one" : "SELECT COUNT(*) AS n FROM two")?.get("n") ?? 0
    }
  }
}
