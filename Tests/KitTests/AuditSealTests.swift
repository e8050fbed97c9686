// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the audit log from before it was keyed")
struct AuditSealTests {
  @Test("old chains verify as they were, wait for a seal, and are bound by it", arguments: Engine.available)
  func upgrade(engine: Engine) async throws {
    let log = try await AuditLog.old(engine)
    var report = try await log.verify()
    #expect(report.faults == [] && report.unsealed == 2 && !report.isSound)
    #expect(try await log.audit.seal(log.made.database) == 2)
    report = try await log.verify()
    #expect(report.faults == [] && report.isSound)
    #expect(
      try await log.lines("old").map(\.action) == ["old.1", "old.2", "old.3", "audit.sealed"])
    // Life goes on behind the seal, and an erasure cuts what is before it.
    try await log.append("old.5", to: "old")
    let name = try await log.cut("old")
    report = try await log.verify()
    #expect(report.isSound && report.cut == 5)
    #expect(try await log.lines(name).last?.action == "subject.erased")
  }

  @Test("a node of the release before may write until the log is sealed", arguments: Engine.available)
  func mixed(engine: Engine) async throws {
    let log = try await AuditLog.old(engine)
    try await log.append("new.4", to: "old")
    try await log.appendUnkeyed("late.5", to: "old")
    try await log.append("new.6", to: "old")
    #expect(try await log.verify().faults == [])
    _ = try await log.audit.seal(log.made.database)
    #expect(try await log.verify().isSound)
    try await log.appendUnkeyed("late.8", to: "old")
    #expect(try await log.verify().faults == ["old: line 8 has no key, and no seal covers it"])
  }

  @Test(
    "what a seal covers cannot be changed, also after an erasure", arguments: Engine.available,
    [
      "UPDATE audit_line SET actor = 'agent:1' WHERE action = 'old.2'",
      "UPDATE audit_line SET at = at + 1 WHERE action = 'old.2'",
      "UPDATE audit_line SET action = 'old.9' WHERE action = 'old.2'",
      "UPDATE audit_line SET content = NULL WHERE action = 'second.2'",
      "UPDATE audit_line SET content = NULL, actor = 'agent:1' WHERE action = 'second.2'",
    ])
  func covered(engine: Engine, statement: String) async throws {
    let log = try await AuditLog.old(engine)
    _ = try await log.audit.seal(log.made.database)
    _ = try await (log.cut("old"), log.cut("second"))
    #expect(try await log.verify().isSound)
    try await log.damage([SQL(stringLiteral: statement)])
    #expect(try await log.verify().faults.count == 1)
  }

  @Test(
    "a log is sealed once, goes on where it was interrupted, and a new one needs no seal", arguments: Engine.available)
  func once(engine: Engine) async throws {
    let log = try await AuditLog.old(engine)
    #expect(try await !log.made.database.read(log.audit.isSealed))
    // An old log is not taken for a new one.
    try await log.made.database.write { try log.audit.begin(in: $0) }
    #expect(try await !log.made.database.read(log.audit.isSealed))
    #expect(try await log.audit.seal(log.made.database) == 2)
    await #expect(throws: Problem.self) { try await log.audit.seal(log.made.database) }
    // The chain of the log was lost before its line was written.
    try await log.damage([
      "DELETE FROM audit_line WHERE chain = 'audit'", "DELETE FROM audit_head WHERE chain = 'audit'",
    ])
    #expect(try await log.audit.seal(log.made.database) == 0)
    #expect(try await log.verify().isSound)
    let new = try await AuditLog(engine, isMarked: true)
    await #expect(throws: Problem.self) { try await new.audit.seal(new.made.database) }
  }
}

extension AuditSealTests {
  @Test("no checkpoint is made until the log is sealed", arguments: Engine.available)
  func unsealed(engine: Engine) async throws {
    let log = try await AuditLog.old(engine)
    let folder = try TestFolder()
    let checkpoints = AuditCheckpoints(
      database: log.made.database, vault: log.vault, world: log.clock.world, anchor: .folder(folder.file("anchors")))
    #expect(try await checkpoints.run() == 0)
    await #expect(throws: AuditAnchorError.unsealed) { try await checkpoints.run(isDue: true) }
    // A program of the release before, which leaves no line about it.
    try await log.damage([
      "DELETE FROM audit_line WHERE chain = 'second'", "DELETE FROM audit_head WHERE chain = 'second'",
    ])
    _ = try await log.audit.seal(log.made.database)
    #expect(try await checkpoints.run() == 1)
    let verifier = AuditVerifier(
      database: log.made.database, vault: log.vault, world: log.clock.world, anchor: checkpoints.anchor)
    #expect(try await verifier.run().isSound)
  }

  @Test(
    "a seal cannot be taken back by those who write the database: key ring and anchor know it",
    arguments: Engine.available, [true, false])
  func takenBack(engine: Engine, isAnchored: Bool) async throws {
    let log = try await AuditLog(engine, isMarked: true)
    let folder = try TestFolder()
    let anchor = AuditAnchor.folder(folder.file("anchors"))
    var ring = log.keyring
    if isAnchored {
      try await AuditCheckpoints(
        database: log.made.database, vault: log.vault, world: log.clock.world, anchor: anchor
      ).run()
    } else {
      #expect(ring.markAuditSealed() && !ring.markAuditSealed())
    }
    // As a copy of the ring in another process has it.
    ring = try JSONDecoder().decode(Keyring.self, from: JSONEncoder().encode(ring))
    let vault = try await Vault.open(log.made.database, keyring: ring, world: log.clock.world)
    let verifier = AuditVerifier(
      database: log.made.database, vault: vault, world: log.clock.world, anchor: isAnchored ? anchor : nil)
    #expect(try await verifier.run().isSound)

    try await log.forge("b", of: try await log.lines("b").map { ("agent:1", $0) })
    try await log.damage([
      "DELETE FROM audit_line WHERE chain = 'audit'", "DELETE FROM audit_head WHERE chain = 'audit'",
    ])
    let faults = try await verifier.run().faults
    #expect(faults.contains("audit: the seal of the log is gone"))
    #expect(faults.contains("b: line 1 has no key, and no seal covers it"), "\(faults)")
    let audit = Audit(world: log.clock.world, vault: vault)
    await #expect(throws: Problem.self) {
      try await audit.seal(log.made.database, anchor: isAnchored ? anchor : nil)
    }
    let open = try await log.made.database.read(audit.unsealed)
    #expect(open.chains == 1 && open.lines == 5 && open.last.map { $0 > (open.first ?? $0) } == true)
    // A backup from before the seal looks the same, and the operator has to say that it is one.
    #expect(try await audit.seal(log.made.database, anchor: anchor, isRestored: true) == 1)
    #expect(try await log.made.database.read(audit.unsealed).lines == 0)
  }
}

extension AuditLog {
  /// A log with a chain of each of the two formats from before it was keyed.
  static func old(_ engine: Engine) async throws -> AuditLog {
    let log = try await AuditLog(engine)
    try await log.damage(["DELETE FROM audit_line", "DELETE FROM audit_head"])
    try await log.appendFirstFormat(count: 3, to: "old")
    for number in 1...3 { try await log.appendUnkeyed("second.\(number)", to: "second") }
    return log
  }

  /// A line as the second release wrote it.
  func appendUnkeyed(_ action: String, to chain: String) async throws {
    try await made.database.write { [clock] tx in
      let store = AuditStore(tx)
      let last = try store.head(of: chain)
      let line = AuditLine(
        chain: chain, sequence: (last?.sequence ?? 0) + 1, at: clock.now, actor: "system", action: action,
        facts: ["n": "1"], previous: last?.digest ?? AuditLine.genesis, salt: clock.world.random(16).hex)
      try store.setHead(of: chain, sequence: line.sequence, digest: line.digest, previous: last)
      try store.insert(line, content: line.content, digest: line.digest)
    }
  }
}
