// SPDX-License-Identifier: Apache-2.0

import Storage
import TestSupport
import Testing

@Suite("Storage: rows in one parameter")
struct SQLRowsTests {
  private static let made = Migration(
    "2026-01-01 line", "CREATE TABLE line (n BIGINT PRIMARY KEY, text TEXT, number BIGINT);")

  @Test("any text and any integer arrives as it was, NULL too", arguments: Engine.available)
  func roundTrip(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, [Self.made])
    var randomness = SeededGenerator(seed: 3)
    let odd: [Unicode.Scalar] = [
      "\"", "\\", "\u{1}", "\u{1f}", "\n", "\u{7f}", "é", "\u{2028}", "日", "😀", "/", "'", "{", "a",
    ]
    let lines: [(text: String?, number: Int64?)] = (0..<500).map { _ in
      let length = Int.random(in: 0..<12, using: &randomness)
      let text = String(
        String.UnicodeScalarView((0..<length).map { _ in odd.randomElement(using: &randomness) ?? "a" }))
      return (
        Int.random(in: 0..<10, using: &randomness) == 0 ? nil : text,
        Int.random(in: 0..<10, using: &randomness) == 0 ? nil : Int64.random(in: .min ... .max, using: &randomness)
      )
    }
    var rows = SQLRows(.integer("n"), .text("text"), .integer("number"))
    for (index, line) in lines.enumerated() { rows.append(index, line.text, line.number) }
    let sent = rows
    let changed = try await test.database.write {
      try $0.execute(.insert(sent, into: "line"))
    }
    #expect(changed == lines.count && sent.count == lines.count)
    let found = try await test.database.read { try $0.query("SELECT text, number FROM line ORDER BY n") }
    for (row, line) in zip(found, lines) {
      #expect(try row.get("text", as: String?.self) == line.text)
      #expect(try row.get("number", as: Int64?.self) == line.number)
    }
  }

  @Test("no rows are no rows, and they join", arguments: Engine.available)
  func joined(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, [Self.made])
    let none = SQLRows(.integer("n"))
    #expect(try await test.database.read { try $0.query("SELECT r.n FROM \(none) AS r") }.isEmpty)
    var (made, more) = (SQLRows(.integer("n"), .text("text")), SQLRows(.integer("n"), .integer("number")))
    for number in 0..<10 {
      made.append(number, "\(number)")
      if number.isMultiple(of: 2) { more.append(number, number * 10) }
    }
    let (first, second) = (made, more)
    let changed = try await test.database.write { tx in
      try tx.execute(.insert(first, into: "line"))
      #expect(try tx.execute(.insert(none, into: "line")) == 0)
      return try tx.execute(.update("line", to: second))
    }
    #expect(changed == 5)
    #expect(try await test.database.read { try $0.first("SELECT number FROM line WHERE n = 4")?.get("number") } == 40)
  }

  @Test(
    "a question of all rows and of each have one answer, and a fault in either is told", arguments: Engine.available)
  func each(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, [Self.made])
    var (lines, keys) = (SQLRows(.integer("n"), .text("text")), SQLRows(.integer("n"), .text("text")))
    for number in 0..<20 { lines.append(number, number.isMultiple(of: 3) ? nil : "\(number)") }
    for number in stride(from: 30, through: 0, by: -2) { keys.append(number, "\(number)") }
    let (sent, asked, none) = (lines, keys, SQLRows(.integer("n"), .text("text")))
    try await test.database.write { _ = try $0.execute(.insert(sent, into: "line")) }
    func found(_ rows: SQLRows) async throws -> [Int] {
      let together: SQL = "SELECT l.n FROM line AS l JOIN \(rows) AS r ON r.n = l.n AND r.text = l.text"
      let each = together.orOfEach(rows, "SELECT n FROM line WHERE n = ?1 AND text = ?2")
      return try await test.database.read { try $0.query(each).map { try $0.get("n") } }.sorted()
    }
    #expect(try await found(asked) == (0..<20).filter { $0.isMultiple(of: 2) && !$0.isMultiple(of: 3) })
    #expect(try await found(none).isEmpty)
    await #expect(throws: SQLError.self) {
      try await test.database.read { tx in
        let faulty: SQL = "SELECT n / 0 FROM \(asked) AS r, ABS(-9223372036854775808) AS a"
        _ = try tx.query(
          faulty.orOfEach(asked, "SELECT ABS(-9223372036854775807 - 1) FROM line WHERE n = ?1 OR text = ?2"))
      }
    }
  }

  @Test("values around the rows are those of the statement", arguments: Engine.available)
  func around(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, [Self.made])
    var rows = SQLRows(.integer("n"), .text("text"))
    for number in 0..<10 { rows.append(number, "\(number)") }
    let (sent, before, after) = (rows, "before ", 6)
    let changed = try await test.database.write {
      try $0.execute(
        """
        INSERT INTO line (n, text, number) SELECT r.n, \(before) || r.text, \(7) FROM \(sent) AS r WHERE r.n >= \(after)
        """)
    }
    let found = try await test.database.read { try $0.query("SELECT text, number FROM line ORDER BY n") }
    #expect(changed == 4 && found.count == 4)
    #expect(try found.first?.get("text") == "before 6" && found.first?.get("number") == 7)
  }

  @Test("a row that is refused takes back the others of its statement", arguments: Engine.available)
  func refused(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, [Self.made])
    var rows = SQLRows(.integer("n"), .text("text"))
    for number in [1, 2, 2, 3] { rows.append(number, "a") }
    let sent = rows
    let refusal = try? await test.database.write { tx in
      #expect(throws: SQLError.self) {
        try tx.execute(.insert(sent, into: "line"))
      }
      // Nothing comes after a refusal, and nothing of before it stays.
      #expect(throws: SQLError.self) { try tx.execute("INSERT INTO line (n, text) VALUES (9, 'a')") }
      return true
    }
    #expect(refusal == nil)
    #expect(try await test.database.read { try $0.query("SELECT n FROM line") }.isEmpty)
  }

  @Test("a text with a NUL is refused as anywhere", arguments: Engine.available)
  func nul(engine: Engine) async throws {
    let test = try await TestDatabase.make(engine, [Self.made])
    var rows = SQLRows(.integer("n"), .text("text"))
    rows.append(1, "a\0b")
    let sent = rows
    await #expect(throws: SQLError.textHoldsNUL) {
      try await test.database.write {
        _ = try $0.execute(.insert(sent, into: "line"))
      }
    }
  }

  @Test("rows of an append-only table are added and nothing else", arguments: Engine.available)
  func appendOnly(engine: Engine) async throws {
    let test = try await TestDatabase.make(
      engine, [Migration(Self.made.id, Self.made.statements, appendOnly: ["line"])])
    try await test.database.write { _ = try $0.execute("INSERT INTO line (n, text) VALUES (1, 'a')") }
    for statement: SQL in ["UPDATE line SET text = 'b'", "DELETE FROM line"] {
      await #expect(throws: SQLError.self) { try await test.database.write { _ = try $0.execute(statement) } }
    }
    #expect(try await test.database.read { try $0.first("SELECT text FROM line")?.get("text") } == "a")
    #expect(Migration("2026-01-01 a", "x").fingerprint != Migration("2026-01-01 a", "x", appendOnly: ["y"]).fingerprint)
  }
}
