// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@Suite("Storage: a statement and its values")
struct SQLTests {
  static let hostile = [
    "'; DROP TABLE thing; --", "\" OR 1=1 --", "?", "$1", ":name", "%s", "\\", "''", "a\nb\r\nc", "/* */", "NULL", "",
  ]

  @Test("an interpolated value never becomes part of the statement's text", .storeless, arguments: hostile)
  func neverPasted(value: String) {
    let statement: SQL = "UPDATE thing SET text = \(value) WHERE id = \(7)"
    #expect(statement.text(in: .postgres) == "UPDATE thing SET text = $1 WHERE id = $2")
    #expect(statement.values(in: .postgres) == [.text(value), .integer(7)])
  }

  @Test("a statement without values is its own text", .storeless)
  func literal() {
    let statement: SQL = "SELECT id FROM thing"
    #expect(statement.text(in: .sqlite) == "SELECT id FROM thing")
    #expect(statement.values(in: .postgres).isEmpty)
  }

  @Test("values that stand side by side keep their order", .storeless)
  func neighbours() {
    let statement: SQL = "\(1)\(2)\("three")"
    #expect(statement.text(in: .postgres) == "$1$2$3")
    #expect(statement.values(in: .postgres) == [.integer(1), .integer(2), .text("three")])
  }

  @Test("a part of a statement brings its values along, in their place", .storeless)
  func part() {
    let part: SQL = "colour = \("red") AND size > \(2)"
    let statement: SQL = "SELECT id FROM thing WHERE id > \(1) AND \(part) LIMIT \(3)"
    #expect(
      statement.text(in: .postgres) == "SELECT id FROM thing WHERE id > $1 AND colour = $2 AND size > $3 LIMIT $4")
    #expect(statement.values(in: .postgres) == [.integer(1), .text("red"), .integer(2), .integer(3)])
  }

  @Test("a list is bound value by value, in one of few lengths", .storeless)
  func list() {
    let texts = (0...5).map { count -> String in
      let statement: SQL = "SELECT id FROM thing WHERE id IN \(list: Array(1..<count + 1)) AND amount > \(9)"
      return statement.text(in: .postgres).replacing("SELECT id FROM thing WHERE id IN ", with: "")
    }
    #expect(
      texts == [
        "(NULL) AND amount > $1", "($1) AND amount > $2", "($1, $2) AND amount > $3",
        "($1, $2, $3, $4) AND amount > $5",
        "($1, $2, $3, $4) AND amount > $5", "($1, $2, $3, $4, $5, $6, $7, $8) AND amount > $9",
      ])
    let three: SQL = "SELECT id FROM thing WHERE text IN \(list: ["a", "b", "'); --"])"
    #expect(three.values(in: .sqlite) == [.text("a"), .text("b"), .text("'); --"), .text("'); --")])
  }

  @Test("a row is in a list when its value is, and in an empty one never", arguments: Engine.available)
  func listed(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    try await made.database.write { tx in
      for id in 1...9 { try tx.execute("INSERT INTO thing (id) VALUES (\(id))") }
    }
    for wanted in [[], [3], [1, 9], [2, 4, 6], [1, 2, 3, 4, 5, 99]] {
      let rows = try await made.database.query("SELECT id FROM thing WHERE id IN \(list: wanted) ORDER BY id")
      #expect(try rows.map { try $0.get("id", as: Int.self) } == wanted.filter { $0 < 10 })
    }
  }

  @Test("one statement by itself only reads", arguments: Engine.available)
  func readsOnly(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    for statement: SQL in [
      "INSERT INTO thing (id) VALUES (1) RETURNING id", "DELETE FROM thing", "  UPDATE thing SET id = \(2)", "",
      "WITH gone AS (DELETE FROM thing RETURNING id) SELECT id FROM gone", "\(1)",
    ] {
      await #expect(throws: SQLError.self) { try await made.database.query(statement) }
    }
    #expect(try await made.database.query("\n  SELECT COUNT(*) AS n FROM thing").first?.get("n") == 0)
  }

  @Test("hostile text is stored as it is and harms nothing", arguments: Engine.available)
  func stored(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    for (index, value) in Self.hostile.enumerated() {
      try await made.database.write { _ = try $0.execute("INSERT INTO thing (id, text) VALUES (\(index), \(value))") }
    }
    let found = try await made.database.read { tx in
      try tx.query("SELECT text FROM thing ORDER BY id").map { try $0.get("text", as: String.self) }
    }
    #expect(found == Self.hostile)
  }

  @Test("hostile text finds only itself", arguments: Engine.available)
  func found(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, [thing])
    try await made.database.write { tx in
      for (index, value) in Self.hostile.enumerated() {
        try tx.execute("INSERT INTO thing (id, text) VALUES (\(index), \(value))")
      }
    }
    for value in Self.hostile {
      let rows = try await made.database.read { try $0.query("SELECT id FROM thing WHERE text = \(value)") }
      #expect(rows.count == 1)
    }
  }
}

/// The table of these suites: one column of every stored type.
let thing = Migration(
  "2026-01-01 thing",
  """
  CREATE TABLE thing (
    id BIGINT PRIMARY KEY,
    text TEXT UNIQUE,
    amount BIGINT CHECK (amount >= 0),
    real DOUBLE PRECISION,
    bytes BLOB
  );
  CREATE TABLE part (id BIGINT PRIMARY KEY, thing_id BIGINT NOT NULL REFERENCES thing (id));
  """)
