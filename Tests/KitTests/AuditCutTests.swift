// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the audit chain without its subject")
struct AuditCutTests {
  @Test(
    "a chain whose subject was cut out goes on under another name, without facts, and verifies",
    arguments: Engine.available)
  func cut(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    let name = try await log.cut("b")
    try await log.append("b.6", to: name, facts: ["n": "6"])
    let lines = try await log.lines(name)
    #expect(lines.map(\.action) == ["b.1", "b.2", "b.3", "b.4", "b.5", "subject.erased", "b.6"])
    #expect(lines.map(\.facts) == Array(repeating: [:], count: 5) + [["reason": "asked"], ["n": "6"]])
    #expect(try await log.lines("b").isEmpty)
    let report = try await log.verify()
    #expect(report.faults == [] && report.chains == 3 && report.lines == 17 && report.cut == 5)
  }

  @Test(
    "neither the old name nor a fact is left in any row, nor what would let either be guessed",
    arguments: Engine.available)
  func nothingLeft(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    _ = try await log.cut("b")
    let left = try await log.made.database.read { tx in
      try tx.query(
        """
        SELECT sequence FROM audit_line
        WHERE chain = 'b' OR (action LIKE 'b.%' AND (facts <> '' OR salt IS NOT NULL))
        """
      ).count + tx.query("SELECT chain FROM audit_head WHERE chain = 'b'").count
    }
    #expect(left == 0)
  }

  @Test("lines from before content digests are cut as well, and the chain still verifies", arguments: Engine.available)
  func firstFormat(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    try await log.damage(["DELETE FROM audit_line WHERE chain = 'b'", "DELETE FROM audit_head WHERE chain = 'b'"])
    try await log.appendFirstFormat(count: 3, to: "b")
    try await log.append("b.4", to: "b", facts: ["n": "4"])
    #expect(try await log.verify().faults == [])
    let name = try await log.cut("b")
    let report = try await log.verify()
    #expect(report.faults == [] && report.cut == 4)
    #expect(try await log.lines(name).map(\.action) == ["old.1", "old.2", "old.3", "b.4", "subject.erased"])
  }

  @Test(
    "what is left of a cut line still cannot be changed",
    arguments: Engine.available,
    [
      "UPDATE audit_line SET action = 'b.9' WHERE action = 'b.3'",
      "UPDATE audit_line SET actor = 'agent:1' WHERE action = 'b.3'",
      "UPDATE audit_line SET at = at + 1 WHERE action = 'b.3'",
      "UPDATE audit_line SET content = digest WHERE action = 'b.3'",
      "UPDATE audit_line SET facts = '{}' WHERE action = 'b.3'",
      "DELETE FROM audit_line WHERE action = 'b.3'",
      "UPDATE audit_line SET facts = '{\"reason\":\"other\"}' WHERE action = 'subject.erased'",
      "UPDATE audit_line SET action = 'b.6' WHERE action = 'subject.erased'",
    ])
  func tamper(engine: Engine, statement: String) async throws {
    let log = try await AuditLog(engine)
    _ = try await log.cut("b")
    try await log.damage([SQL(stringLiteral: statement)])
    #expect(try await log.verify().faults.count == 1)
  }

  @Test("only the chains of the erased go after their time, as a whole", arguments: Engine.available)
  func prune(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    _ = try await log.cut("b")
    let horizon = log.clock.now
    log.clock.advance(by: .seconds(1))
    let later = try await log.cut("c")
    let pruned = try await log.made.database.write { tx in
      try (0..<2).map { _ in try log.audit.prune(erasedBefore: horizon, limit: 10, in: tx) }
    }
    #expect(pruned == [1, 0])
    let report = try await log.verify()
    // The log's own chain says which one went.
    #expect(report.faults == [] && report.chains == 3)
    #expect(try await log.lines(Audit.ownChain).map(\.action) == ["audit.dropped"])
    #expect(try await log.lines(later).count == 6)
    #expect(try await log.lines("a").count == 5)
  }
}

extension AuditLog {
  func cut(_ chain: String) async throws -> String {
    try await made.database.write { [audit] in
      try audit.cutSubject(of: chain, reason: "asked", by: "operator", in: $0)
    }
  }

  /// Lines as the first release wrote them.
  func appendFirstFormat(count: Int, to chain: String) async throws {
    try await made.database.write { [clock] tx in
      let store = AuditStore(tx)
      for number in 1...count {
        let last = try store.head(of: chain)
        let line = AuditLine(
          chain: chain, sequence: number, at: clock.now, actor: "system", action: "old.\(number)",
          facts: ["k": "v"], previous: last?.digest ?? AuditLine.genesis)
        try store.insert(line, content: line.content, digest: line.digest)
        try store.setHead(of: chain, sequence: number, digest: line.digest, previous: last)
      }
    }
  }
}
