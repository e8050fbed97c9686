// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

/// What an attacker does who can write the database and has no key.
@Suite("Kit: the audit log is keyed")
struct AuditKeyTests {
  @Test("a chain that is written anew without the key is found, however well it is linked", arguments: Engine.available)
  func rewritten(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    try await log.forge("b", of: try await log.lines("b").map { ($0.actor == "system" ? "agent:1" : $0.actor, $0) })
    #expect(try await log.verify().faults == ["b: line 1 has no key, and no seal covers it"])
  }

  @Test("a line that is changed together with every digest after it is found", arguments: Engine.available)
  func changed(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    // With the version of the key left in place, so that the lines do not look old.
    try await log.forge("b", of: try await log.lines("b").map { ("agent:1", $0) }, keepingVersion: true)
    #expect(try await log.verify().faults == ["b: line 1 was changed"])
  }

  @Test(
    "what an erasure leaves is not taken for an old line that nothing covers", arguments: Engine.available,
    ["action = 'b.9'", "actor = 'agent:1'", "at = at + 1"])
  func cutLine(engine: Engine, change: String) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    let name = try await log.cut("b")
    try await log.damage([
      "UPDATE audit_line SET content = NULL, key_version = NULL WHERE action = 'b.3'",
      SQL(stringLiteral: "UPDATE audit_line SET \(change) WHERE action = 'b.3'"),
    ])
    #expect(try await log.verify().faults == ["\(name): line 3 has no key, and no seal covers it"])
    try await log.damage(["UPDATE audit_line SET key_version = 'x' WHERE content IS NULL"])
    #expect(try await log.verify().faults == ["\(name): line 3 was changed"])
  }

  @Test("a cut line verifies by the digest of what it said", arguments: Engine.available)
  func cutContent(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    let before = try await log.contents("b")
    let name = try await log.cut("b")
    #expect(try await log.contents(name).prefix(5) == before[...])
    #expect(try await log.verify().faults == [])
  }

  @Test("lines of every version of the key verify after it was turned over", arguments: Engine.available)
  func rotated(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    let first = try #require(try await log.lines("b").last?.keyVersion)
    try await log.vault.rotate(in: log.made.database)
    log.clock.advance(by: Vault.activationDelay)
    try await log.append("b.6", to: "b")
    let second = try #require(try await log.lines("b").last?.keyVersion)
    #expect(first != second)
    #expect(try await log.verify().faults == [])
    // Another process, which learned both from the database.
    let vault = try await Vault.open(log.made.database, keyring: log.keyring, world: log.clock.world)
    #expect(try await log.made.database.read { try AuditStore($0).verify(by: vault).faults } == [])
    try await log.damage([SQL("UPDATE audit_line SET key_version = \(second) WHERE chain = 'b' AND sequence = 2")])
    #expect(try await log.verify().faults == ["b: line 2 was changed"])
  }

  @Test("a line under a key that this installation does not have is found", arguments: Engine.available)
  func foreignKey(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    try await log.damage(["UPDATE audit_line SET key_version = 'other' WHERE chain = 'b' AND sequence = 2"])
    #expect(
      try await log.verify().faults == ["b: line 2 has a key that this installation does not have: other"])
  }

  @Test("a forged erasure does not make the server delete a chain", arguments: Engine.available)
  func forgedErasure(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    let now = log.clock.now
    func prune() async throws -> Int {
      try await log.made.database.write { [audit = log.audit] in try audit.prune(erasedBefore: now, limit: 9, in: $0) }
    }
    try await log.damage(["UPDATE audit_line SET action = 'subject.erased' WHERE action = 'b.3'"])
    #expect(try await prune() == 0)
    try await log.damage(["UPDATE audit_line SET key_version = NULL WHERE action = 'subject.erased'"])
    #expect(try await prune() == 0)
    #expect(try await log.lines("b").count == 5)
  }

  @Test("the server deletes no chain that was changed, or that speaks against it", arguments: Engine.available)
  func drop(engine: Engine) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    func drop(_ chain: String, unless action: String = "") async throws -> Int {
      try await log.made.database.write { [audit = log.audit] in
        try audit.drop([chain], unless: { $0.action == action }, in: $0)
      }
    }
    #expect(try await drop("a", unless: "a.2") == 0)
    for change in [
      "UPDATE audit_line SET action = 'x' WHERE chain = 'b' AND sequence = 2",
      "DELETE FROM audit_line WHERE chain = 'c' AND sequence = 5",
    ] { try await log.damage([SQL(stringLiteral: change)]) }
    #expect(try await drop("b") == 0)
    #expect(try await drop("c") == 0)
    #expect(try await log.lines("b").count == 5)
    let last = try await log.made.database.read { try AuditStore($0).head(of: "a")?.digest }
    #expect(try await drop("a") == 1)
    #expect(try await log.lines("a") == [])
    let told = try await log.lines(Audit.ownChain).last?.facts["chains"]?.split(separator: "/").map(String.init)
    #expect(told?.dropFirst() == ["5", try #require(last)])
  }

  @Test("when something happened last is told by authentic lines alone", arguments: Engine.available)
  func lastLine(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    let times = try await log.lines("b").map(\.at)
    func last(_ prefix: String) async throws -> Instant? {
      try await log.made.database.read { [audit = log.audit] in try audit.last(prefix, of: "b", in: $0) }
    }
    #expect(try await last("b.") == times[4])
    #expect(try await last("b.2") == times[1])
    #expect(try await last("c.") == nil)
    try await log.damage(["UPDATE audit_line SET at = at + 1 WHERE chain = 'b' AND sequence = 5"])
    #expect(try await last("b.") == times[3])
  }

  @Test("keys for lines, checkpoints and sealed data differ", arguments: Engine.available)
  func derived(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    let line = try log.vault.derivedKey(for: "audit line")
    #expect(try log.vault.derivedKey(for: "audit line", version: line.version).key == line.key)
    #expect(try log.vault.derivedKey(for: "audit checkpoint").key != line.key)
    #expect(throws: VaultError.noKey) { try log.vault.derivedKey(for: "audit line", version: "other") }
  }

  @Test("a keyed line costs little more than one without a key", arguments: Engine.available)
  func cost(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    let clock = ContinuousClock()
    var (keyed, unkeyed) = (Duration.zero, Duration.zero)
    // In turns, so that what else the machine does falls on both.
    for _ in 1...10 {
      keyed += try await clock.measure {
        try await log.made.database.write { tx in
          for index in 1...100 {
            try log.audit.append("k.\(index)", to: "keyed", by: "system", facts: ["n": "1"], in: tx)
          }
        }
      }
      unkeyed += try await clock.measure {
        try await log.made.database.write { [clock = log.clock] tx in
          let store = AuditStore(tx)
          for index in 1...100 {
            let last = try store.head(of: "unkeyed")
            let line = AuditLine(
              chain: "unkeyed", sequence: (last?.sequence ?? 0) + 1, at: clock.now, actor: "system",
              action: "k.\(index)", facts: ["n": "1"], previous: last?.digest ?? AuditLine.genesis,
              salt: clock.world.random(16).hex)
            try store.setHead(of: line.chain, sequence: line.sequence, digest: line.digest, previous: last)
            try store.insert(line, content: line.content, digest: line.digest)
          }
        }
      }
    }
    let ratio = keyed / unkeyed
    print("audit append on \(engine): keyed \(keyed / 1000), unkeyed \(unkeyed / 1000), ratio \(ratio)")
    #expect(ratio < 3, "a keyed digest is some microseconds of a statement")
  }
}

extension AuditLog {
  func contents(_ chain: String) async throws -> [String?] {
    try await made.database.read { tx in
      try AuditStore(tx).storedLines(of: chain, after: 0, limit: 100).map(\.content)
    }
  }

  /// Writes a chain anew as everybody can who has no key: every digest fits, and so does the head.
  func forge(
    _ chain: String, of lines: [(actor: String, line: AuditLine)], keepingVersion: Bool = false
  ) async throws {
    try await made.database.write { tx in
      try tx.execute("DELETE FROM audit_line WHERE chain = \(chain)")
      try tx.execute("DELETE FROM audit_head WHERE chain = \(chain)")
      let store = AuditStore(tx)
      for (actor, line) in lines {
        let last = try store.head(of: chain)
        var forged = AuditLine(
          chain: chain, sequence: line.sequence, at: line.at, actor: actor, action: line.action, facts: line.facts,
          previous: last?.digest ?? AuditLine.genesis, salt: line.salt)
        let digest = forged.digest
        if keepingVersion { forged.keyVersion = line.keyVersion }
        try store.setHead(of: chain, sequence: line.sequence, digest: digest, previous: last)
        try store.insert(forged, content: forged.content, digest: digest)
      }
    }
  }
}
