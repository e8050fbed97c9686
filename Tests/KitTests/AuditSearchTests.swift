// SPDX-License-Identifier: Apache-2.0

import Storage
import TestSupport
import Testing

@testable import Kit

@Suite("Kit: a search of the audit log")
struct AuditSearchTests {
  /// What is looked for, and the actions of the lines that are found, the newest first.
  struct Search: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var chain: String?
    let found: [String]
    let query: @Sendable (_ start: Instant) -> AuditQuery

    init(
      _ name: String, in chain: String? = nil, finds found: [String],
      _ change: @escaping @Sendable (inout AuditQuery, _ start: Instant) -> Void
    ) {
      (testDescription, self.chain, self.found) = (name, chain, found)
      query = { start in
        var query = AuditQuery()
        change(&query, start)
        return query
      }
    }
  }

  static let searches = [
    Search("an actor", finds: ["b.6", "a.6"]) { query, _ in query.actor = "agent:7" },
    Search("an actor's action", finds: ["a.6"]) { query, _ in (query.actor, query.action) = ("agent:7", "a.6") },
    Search("an action", finds: ["c.2"]) { query, _ in query.action = "c.2" },
    Search("an action of the server", finds: ["c.2"]) { query, _ in (query.actor, query.action) = ("system", "c.2") },
    Search("a chain", in: "b", finds: ["b.6", "b.5", "b.4", "b.3", "b.2", "b.1"]) { _, _ in },
    Search("what one did in a chain", in: "b", finds: ["b.6"]) { query, _ in query.actor = "agent:7" },
    Search("a time, whose end is not in it", finds: ["c.5", "b.5"]) { query, start in
      (query.since, query.before) = (start + .seconds(13), start + .seconds(15))
    },
    Search("a time in a chain", in: "c", finds: ["c.5"]) { query, start in query.since = start + .seconds(13) },
    Search("an action that never was", finds: []) { query, _ in query.action = "d.1" },
    Search("a chain that is not there", in: "d", finds: []) { _, _ in },
  ]

  @Test("what is typed for an actor is kept as a code or not at all, and ends no thread that looks at it")
  func typed() {
    func kept(_ actor: String) -> String? {
      var query = AuditQuery()
      query.actor = actor
      return query.facts["actor"]
    }
    for code in ["system", "agent:01a2-b3", "chat.read", "operator:ann.lee", "client:a:b", "a..b"] {
      #expect(kept(code) == code)
    }
    for text in ["", "Ann", "a:", "a.", "a::b", "a:b c", "é"] { #expect(kept(text) == "unreadable") }
    // Each pair more took 2.6 times as long: 16 of them 5 s, and 60 no end.
    #expect(kept("a" + String(repeating: ".a", count: 60) + "!") == "unreadable")
    #expect(kept("a" + String(repeating: ":a", count: 60) + "!") == "unreadable")
  }

  /// Fifteen lines of the server, a second apart from the start on, and two of one agent at one instant.
  private static func log(_ engine: Engine) async throws -> (log: AuditLog, start: Instant) {
    let start = TestWorld(seed: 1).now
    let log = try await AuditLog(engine)
    try await log.made.database.write { [audit = log.audit] tx in
      for chain in ["a", "b"] { try audit.append("\(chain).6", to: chain, by: "agent:7", in: tx) }
    }
    return (log, start)
  }

  @Test("each search finds its lines, whole and in parts of any size", arguments: Engine.available)
  func found(engine: Engine) async throws {
    let (log, start) = try await Self.log(engine)
    for search in Self.searches {
      for (limit, scanMax) in [(50, 2000), (1, 1), (2, 3)] {
        var (query, found, parts) = (search.query(start), [String](), 0)
        while parts < 40 {
          let part = try await log.made.database.read { [query, vault = log.vault] tx in
            try AuditSearchStore(tx, vault: vault).scan(query, in: search.chain, limit: limit, examining: scanMax)
          }
          #expect(part.lines.count <= limit)
          found += part.lines.map(\.line.action)
          parts += 1
          // As an address carries it to the next page.
          guard let next = part.next else { break }
          query.after = AuditCursor(text: next.text)
          #expect(query.after == next)
        }
        #expect(found == search.found && parts < 40, "\(search) by \(limit)")
      }
    }
  }

  @Test("each search is a range of an index, in its order: nothing is sorted", .enabled(if: Engine.current == .sqlite))
  func plans() async throws {
    let (log, start) = try await Self.log(.sqlite)
    let indexes = [
      "an actor": "audit_line_actor", "an action": "audit_line_action",
      "a time, whose end is not in it": "audit_line_time",
    ]
    for search in Self.searches {
      let statement = AuditSearchStore.statement(search.query(start), in: search.chain, after: .top, limit: 50)
      let text = statement.text(in: .sqlite).replacing("?", with: "'x'").replacing("LIMIT 'x'", with: "LIMIT 5")
      let plan = try await log.made.database.read { tx in
        try tx.query(SQL(stringLiteral: "EXPLAIN QUERY PLAN \(text)")).map { try $0.get("detail", as: String.self) }
      }.joined(separator: "\n")
      #expect(plan.contains("SEARCH") && !plan.contains("B-TREE"), "\(search): \(plan)")
      if let index = indexes[search.testDescription] { #expect(plan.contains(index), "\(search): \(plan)") }
    }
  }

  /// What was done to chain b, how its lines stand from the newest on, and what is said of the whole.
  static let damages: [(SQL?, String, AuditChainState)] = [
    (nil, "chained anchored anchored anchored anchored anchored", .whole(lines: 6, anchored: 5)),
    (
      #"UPDATE audit_line SET facts = '{"n":"9"}' WHERE chain = 'b' AND sequence = 3"#,
      "chained anchored anchored broken anchored anchored", .broken("line 3 was changed")
    ),
    (
      "DELETE FROM audit_line WHERE chain = 'b' AND sequence = 3", "chained anchored broken anchored anchored",
      .broken("line 3 is missing")
    ),
    (
      "UPDATE audit_line SET digest = previous WHERE chain = 'b' AND sequence = 2",
      "chained anchored anchored broken broken anchored", .broken("line 2 was changed")
    ),
    (
      "UPDATE audit_head SET sequence = 4 WHERE chain = 'b'", "broken broken anchored anchored anchored anchored",
      .broken("ends at line 6, head says 4")
    ),
  ]

  @Test("a line says whether it is as it was written, and whether a checkpoint holds it", arguments: Engine.available)
  func assurances(engine: Engine) async throws {
    for (damage, assurances, chain) in Self.damages {
      let anchored = try await AnchoredLog(engine)
      let log = anchored.log
      try await log.append("b.6", to: "b")
      if let damage { try await log.damage([damage]) }
      let (lines, whole) = try await log.made.database.read { [vault = log.vault] tx in
        let store = AuditSearchStore(tx, vault: vault)
        let found = try store.scan(AuditQuery(), in: "b", limit: 50, examining: 2000)
        return (try store.findings(found.lines), try store.state(of: "b", linesMax: 100))
      }
      #expect(lines.map(\.assurance.rawValue).joined(separator: " ") == assurances)
      #expect(whole == chain)
    }
  }

  @Test("what was typed is in the audit of the look only where it is a code", .storeless)
  func facts() {
    var query = AuditQuery()
    #expect(query.facts == ["chain": "any", "why": "overview"])
    query.action = "agent.signed_in"
    #expect(query.facts == ["chain": "any", "why": "list", "action": "agent.signed_in"])
    (query.chains, query.actor, query.action) = (["b"], "Aya Alsabah", "agent.signed_in")
    query.since = Instant(milliseconds: 0)
    #expect(
      query.facts == [
        "chain": "one", "why": "search", "actor": "unreadable", "action": "agent.signed_in",
        "since": "1970-01-01T00:00:00Z",
      ])
  }
}
