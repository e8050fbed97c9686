// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: damage to the audit log is found")
struct AuditTamperTests {
  /// One way to damage chain b, and what the report must say of it.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let statements: [SQL]
    let fault: String

    init(_ name: String, _ statements: SQL..., fault: String) {
      testDescription = name
      self.statements = statements
      self.fault = fault
    }
  }

  static let damages = [
    Damage(
      "a changed fact", #"UPDATE audit_line SET facts = '{"n":"9"}' WHERE chain = 'b' AND sequence = 3"#,
      fault: "line 3"),
    Damage("removed facts", "UPDATE audit_line SET facts = '{}' WHERE chain = 'b' AND sequence = 3", fault: "line 3"),
    Damage(
      "facts that cannot be read", "UPDATE audit_line SET facts = 'x' WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage(
      "facts that cannot be read on a line that had none",
      #"UPDATE audit_line SET facts = '{"decision":1}' WHERE chain = 'b' AND sequence = 1"#, fault: "line 1"),
    Damage(
      "another action", "UPDATE audit_line SET action = 'b.9' WHERE chain = 'b' AND sequence = 5", fault: "line 5"),
    Damage(
      "another actor", "UPDATE audit_line SET actor = 'agent:1' WHERE chain = 'b' AND sequence = 1", fault: "line 1"),
    Damage("another time", "UPDATE audit_line SET at = at + 1 WHERE chain = 'b' AND sequence = 2", fault: "line 2"),
    Damage(
      "another digest", "UPDATE audit_line SET digest = previous WHERE chain = 'b' AND sequence = 2", fault: "line 2"),
    Damage(
      "another predecessor", "UPDATE audit_line SET previous = digest WHERE chain = 'b' AND sequence = 4",
      fault: "line 4"),
    Damage(
      "a line removed from the middle", "DELETE FROM audit_line WHERE chain = 'b' AND sequence = 3",
      fault: "line 3 is missing"),
    Damage(
      "the first line removed", "DELETE FROM audit_line WHERE chain = 'b' AND sequence = 1", fault: "line 1 is missing"),
    Damage(
      "a line removed and the rest moved up", "DELETE FROM audit_line WHERE chain = 'b' AND sequence = 3",
      "UPDATE audit_line SET sequence = 3 WHERE chain = 'b' AND sequence = 4",
      "UPDATE audit_line SET sequence = 4 WHERE chain = 'b' AND sequence = 5", fault: "line 3"),
    Damage("the tail removed", "DELETE FROM audit_line WHERE chain = 'b' AND sequence > 3", fault: "ends at line 3"),
    Damage("every line removed", "DELETE FROM audit_line WHERE chain = 'b'", fault: "ends at line 0"),
    Damage("the head removed", "DELETE FROM audit_head WHERE chain = 'b'", fault: "without a head"),
    Damage("the head set back", "UPDATE audit_head SET sequence = 4 WHERE chain = 'b'", fault: "head says 4"),
    Damage("another digest in the head", "UPDATE audit_head SET digest = 'x' WHERE chain = 'b'", fault: "head says 5"),
    Damage(
      "two lines swapped", "UPDATE audit_line SET sequence = 99 WHERE chain = 'b' AND sequence = 2",
      "UPDATE audit_line SET sequence = 2 WHERE chain = 'b' AND sequence = 3",
      "UPDATE audit_line SET sequence = 3 WHERE chain = 'b' AND sequence = 99", fault: "line 2"),
    Damage(
      "a line copied from another chain", "DELETE FROM audit_line WHERE chain = 'b' AND sequence = 2",
      "UPDATE audit_line SET chain = 'b' WHERE chain = 'a' AND sequence = 2", fault: "line 2"),
    Damage(
      "a line put at the end",
      """
      INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, digest)
      SELECT chain, 6, at, actor, action, facts, digest, digest FROM audit_line WHERE chain = 'b' AND sequence = 5
      """, fault: "line 6"),
    Damage(
      "facts cut out without an erasure",
      "UPDATE audit_line SET facts = '', salt = NULL WHERE chain = 'b' AND sequence = 3",
      fault: "line 3 was cut without an erasure"),
    Damage(
      "facts cut out, but not what guards them", "UPDATE audit_line SET facts = '' WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage("another salt", "UPDATE audit_line SET salt = 'x' WHERE chain = 'b' AND sequence = 3", fault: "line 3"),
    Damage("no salt", "UPDATE audit_line SET salt = NULL WHERE chain = 'b' AND sequence = 3", fault: "line 3"),
    Damage(
      "another content digest", "UPDATE audit_line SET content = digest WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage("a chain renamed", "UPDATE audit_head SET chain = 'bb' WHERE chain = 'b'", fault: "bb"),
  ]

  @Test("damage is reported at the chain and line where it is", arguments: Engine.available, damages)
  func found(engine: Engine, damage: Damage) async throws {
    let log = try await AuditLog(engine)
    try await log.damage(damage.statements)
    let report = try await log.verify()
    #expect(report.faults.contains { $0.hasPrefix("b") && $0.contains(damage.fault) }, "\(report.faults)")
  }

  /// What SQLite alone keeps, whose columns hold anything.
  static let otherKinds: [Damage] = [
    Damage(
      "a time with a fraction", "UPDATE audit_line SET at = at + 0.5 WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage(
      "a time that is text", "UPDATE audit_line SET at = at || 'x' WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage(
      "facts that are bytes", "UPDATE audit_line SET facts = CAST(facts AS BLOB) WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage(
      "an actor that is bytes", "UPDATE audit_line SET actor = CAST(actor AS BLOB) WHERE chain = 'b' AND sequence = 3",
      fault: "line 3"),
    Damage("a line between two lines", insert("2.5"), fault: "line 3"),
    Damage(
      "a head that is between two lines", "UPDATE audit_head SET sequence = 4.5 WHERE chain = 'b'",
      fault: "its head cannot be read"),
  ]

  private static func insert(_ sequence: String) -> SQL {
    SQL(
      stringLiteral: """
        INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, digest)
        SELECT chain, \(sequence), at, actor, action, facts, previous, digest FROM audit_line
        WHERE chain = 'b' AND sequence = 2
        """)
  }

  @Test("a value of another kind is damage at its place, and the other chains are checked", arguments: otherKinds)
  func kinds(damage: Damage) async throws {
    let log = try await AuditLog(.sqlite)
    try await log.damage(damage.statements + ["UPDATE audit_line SET actor = 'x' WHERE chain = 'c' AND sequence = 5"])
    let faults = try await log.verify().faults
    #expect(faults.count == 2 && faults[0].hasPrefix("b: \(damage.fault)") && faults[1] == "c: line 5 was changed")
  }

  @Test("an erasure that is forged with the least number there is does not end the check")
  func leastErasure() async throws {
    let log = try await AuditLog(.sqlite)
    try await log.damage([
      "PRAGMA ignore_check_constraints = ON", Self.insert("-9223372036854775807 - 1"),
      "UPDATE audit_line SET action = 'subject.erased' WHERE sequence < 0",
    ])
    #expect(try await log.verify().faults == ["16 lines, 15 of them in chains"])
  }

  @Test("a chain whose name holds what a terminal obeys, a NUL or bytes is told by what can be seen")
  func names() async throws {
    for (name, shown) in [
      ("'b' || char(27) || '[2K'", #"b\u{1B}[2K"#), ("'b' || char(8238)", #"b\u{202E}"#),
      ("'b' || char(0) || 'x'", #"b\0x"#),
    ] {
      let log = try await AuditLog(.sqlite)
      for table in ["line", "head"] {
        try await log.damage([SQL(stringLiteral: "UPDATE audit_\(table) SET chain = \(name) WHERE chain = 'b'")])
      }
      try await log.damage(["UPDATE audit_line SET actor = 'x' WHERE chain = 'c' AND sequence = 5"])
      let faults = try await log.verify().faults
      #expect(faults.count == 2 && faults[0].hasPrefix("\(shown): ") && faults[1] == "c: line 5 was changed")
    }
  }

  @Test("pages of names that are no text do not keep the walk from its end")
  func manyNames() async throws {
    // A byte that is no UTF-8 is read as a character that sorts before it: what is behind such a page is not walked.
    for (name, isPassed) in [
      ("CAST(x'62FF' || n AS TEXT)", false), ("'b' || char(0) || n", true), ("CAST('b' || n AS BLOB)", true),
    ] {
      let log = try await AuditLog(.sqlite)
      try await log.damage([
        SQL(
          stringLiteral: """
            WITH RECURSIVE number(n) AS (SELECT 1000 UNION ALL SELECT n + 1 FROM number WHERE n < 1450)
            INSERT INTO audit_head (chain, sequence, digest) SELECT \(name), 0, 'x' FROM number
            """),
        "UPDATE audit_line SET actor = 'x' WHERE sequence = 5",
      ])
      let faults = try await log.verify().faults
      #expect(faults.first == "a: line 5 was changed" && faults.last?.hasPrefix("454 heads, ") == true)
      #expect(faults.contains("c: line 5 was changed") == isPassed, "\(name)")
    }
  }

  @Test("lines in a chain without a name are found, although that chain has a head", arguments: Engine.available)
  func nameless(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    try await log.damage([
      """
      INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, digest, salt, content, key_version)
      SELECT '', 1, at, actor, action, facts, previous, digest, salt, content, key_version FROM audit_line
      WHERE chain = 'b' AND sequence = 1
      """,
      "INSERT INTO audit_head (chain, sequence, digest) SELECT '', 1, digest FROM audit_line WHERE chain = ''",
    ])
    #expect(try await log.verify().faults == ["4 heads, 3 of them with the name of a chain"])
  }

  @Test("a line before the first one is found")
  func beforeTheFirst() async throws {
    for sequence in ["0", "-7"] {
      let log = try await AuditLog(.sqlite)
      try await log.damage(["PRAGMA ignore_check_constraints = ON", Self.insert(sequence)])
      #expect(try await log.verify().faults == ["b: line \(sequence) stands before line 1"])
    }
  }

  @Test("a well-made line that the head does not know is found", arguments: Engine.available)
  func forgedTail(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    let last = try #require(try await log.lines("b").last)
    let head = try #require(try await log.made.database.read { try AuditStore($0).head(of: "b") })
    let forged = AuditLine(
      chain: "b", sequence: 6, at: last.at, actor: "system", action: "b.6", facts: [:], previous: head.digest)
    try await log.damage([
      """
      INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, digest)
      VALUES ('b', 6, \(forged.at), 'system', 'b.6', '{}', \(forged.previous), \(forged.digest))
      """
    ])
    #expect(try await log.verify().faults == ["b: ends at line 6, head says 5"])
  }

  @Test("damage in one chain does not hide damage in another", arguments: Engine.available)
  func several(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    try await log.damage(["DELETE FROM audit_line WHERE sequence = 2", "DELETE FROM audit_head WHERE chain = 'c'"])
    let report = try await log.verify()
    #expect(report.faults.count == 3)
    #expect(Set(report.faults.compactMap(\.first)) == ["a", "b", "c"])
  }
}
