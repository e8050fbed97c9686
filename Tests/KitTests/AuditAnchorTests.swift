// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: checkpoints of the audit log")
struct AuditAnchorTests {
  /// What the log itself cannot show, and what the report must say of it.
  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let fault: String
    let isShownAlone: Bool
    let act: @Sendable (AnchoredLog) async throws -> Void

    init(
      _ name: String, fault: String, isShownAlone: Bool = false,
      _ act: @escaping @Sendable (AnchoredLog) async throws -> Void
    ) {
      (testDescription, self.fault, self.isShownAlone, self.act) = (name, fault, isShownAlone, act)
    }
  }

  static let damages = [
    Damage("a deleted chain", fault: "a chain of 5 lines that checkpoint 1 holds is gone") {
      try await $0.log.damage([
        "DELETE FROM audit_line WHERE chain = 'b'", "DELETE FROM audit_head WHERE chain = 'b'",
      ])
    },
    Damage("a truncated tail, with the head set back", fault: "b: line 5, which checkpoint 1 holds, is gone") {
      try await $0.setBack("b", to: 3)
    },
    Damage(
      "a tail that a holder of the keys wrote anew", fault: "b: line 5 is not the one that checkpoint 1 holds"
    ) {
      try await $0.setBack("b", to: 4)
      try await $0.log.append("b.5", to: "b", facts: ["n": "other"])
    },
    Damage("a chain that a holder of the keys wrote anew", fault: "or its first line was changed") {
      try await $0.log.damage([
        "DELETE FROM audit_line WHERE chain = 'b'", "DELETE FROM audit_head WHERE chain = 'b'",
      ])
      for number in 1...5 { try await $0.log.append("b.\(number)", to: "b") }
    },
    Damage("a past line that a holder of the keys added", fault: "b: line 6 is older than the last checkpoint") {
      let world = $0.log.clock.world
      let past = World(now: { world.now() - .days(1) }, random: world.random)
      let audit = Audit(world: past, vault: $0.log.vault)
      try await $0.log.made.database.write { try audit.append("b.6", to: "b", by: "system", in: $0) }
    },
    Damage("a chain that was kept from its anchor", fault: "d: line 1 is older than the last checkpoint") {
      try await $0.keepFromAnchor("d")
    },
    Damage(
      "a chain that was kept from its anchor, and is gone since",
      fault: "checkpoint 2 counts 17 lines of 5 chains, and the checkpoints hold 16 of 4"
    ) {
      try await $0.keepFromAnchor("d")
      try await $0.log.damage([
        "DELETE FROM audit_line WHERE chain = 'd'", "DELETE FROM audit_head WHERE chain = 'd'",
      ])
    },
    Damage(
      "a chain said to be anchored for ever", fault: "a: head says that line 1152921504606846976 is anchored",
      isShownAlone: true
    ) { try await $0.log.damage(["UPDATE audit_head SET anchored = 1152921504606846976 WHERE chain = 'a'"]) },
    Damage(
      "a chain that was cut back before a rule deleted it", fault: "it was deleted by rule when it had other lines"
    ) { log in
      try await log.setBack("b", to: 1)
      _ = try await log.log.made.database.write { try log.log.audit.drop(["b"], in: $0) }
    },
    Damage("no checkpoint for hours", fault: "there is no checkpoint since ") { $0.log.clock.advance(by: .hours(3)) },
    Damage("another time of a checkpoint", fault: "checkpoint 1 has another time in the database") {
      try await $0.log.damage(["UPDATE audit_checkpoint SET at = at + 60000"])
    },
    Damage("a checkpoint of the future", fault: "the last checkpoint is of the future") {
      let world = $0.log.clock.world
      var ahead = AuditCheckpoints(
        database: $0.log.made.database, vault: $0.log.vault,
        world: World(now: { world.now() + .days(1) }, random: world.random), anchor: $0.checkpoints.anchor)
      ahead.headsMax = 100
      try await ahead.run()
    },
    Damage("a deletion that a forged line explains", fault: "audit: line 2 has no key", isShownAlone: true) { log in
      let first = try await log.log.made.database.read { tx in
        try tx.first("SELECT digest FROM audit_line WHERE chain = 'b' AND sequence = 1")?.get("digest", as: String.self)
      }
      try await log.log.damage([
        "DELETE FROM audit_line WHERE chain = 'b'", "DELETE FROM audit_head WHERE chain = 'b'",
      ])
      try await log.log.forgeDrop(of: try #require(first))
    },
    Damage("a checkpoint that was removed", fault: "the anchors lack checkpoint 2") {
      $0.log.clock.advance(by: .hours(1))
      try await $0.checkpoints.run()
      $0.log.clock.advance(by: .hours(1))
      try await $0.checkpoints.run()
      try FileManager.default.removeItem(atPath: $0.path(2))
    },
    Damage("the last checkpoint removed", fault: "the anchors end at checkpoint 1, the database took 2 there") {
      $0.log.clock.advance(by: .hours(1))
      try await $0.checkpoints.run()
      try FileManager.default.removeItem(atPath: $0.path(2))
    },
    Damage("the last checkpoint removed with its row", fault: "b: its head says that more is anchored than") {
      try await $0.log.append("b.6", to: "b")
      $0.log.clock.advance(by: .hours(1))
      try await $0.checkpoints.run()
      try FileManager.default.removeItem(atPath: $0.path(2))
      try await $0.log.damage(["DELETE FROM audit_checkpoint WHERE number = 2"])
    },
    Damage("a changed checkpoint", fault: "checkpoint 1 has a wrong signature") {
      var document = try Data(contentsOf: URL(fileURLWithPath: $0.path(1)))
      let range = try #require(document.range(of: Data(#""sequence":5"#.utf8)))
      document.replaceSubrange(range, with: Data(#""sequence":3"#.utf8))
      try $0.overwrite(1, with: document)
    },
    Damage("a checkpoint that is no such thing", fault: "checkpoint 1 cannot be read") {
      try $0.overwrite(1, with: Data("{}".utf8))
    },
    Damage("a checkpoint with the last number that there is", fault: "the anchors lack checkpoint 2, 3, 4") {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: $0.path(.max)))
    },
    Damage("a database that was set back", fault: "it was set back") {
      try await $0.log.damage(["DELETE FROM audit_checkpoint"])
    },
  ]

  @Test("what the log itself cannot show is found by its checkpoints", arguments: Engine.available, damages)
  func found(engine: Engine, damage: Damage) async throws {
    let log = try await AnchoredLog(engine)
    #expect(try await log.verify().isSound)
    try await damage.act(log)
    #expect(try await log.log.verify().isSound != damage.isShownAlone)
    let report = try await log.verify()

    #expect(report.faults.contains { $0.contains(damage.fault) }, "\(report.faults)")
  }

  @Test(
    "a value of another kind, or a name that is no text, keeps the checkpoints from nothing",
    arguments: [
      "UPDATE audit_line SET at = 'x' WHERE chain = 'audit' AND sequence = 1",
      "UPDATE audit_head SET anchored = 4.5 WHERE chain = 'c'",
      "UPDATE audit_line SET digest = x'00' WHERE chain = 'c' AND sequence = 5",
      "UPDATE audit_head SET chain = CAST('c' AS BLOB) WHERE chain = 'c'",
      "UPDATE audit_head SET chain = CAST(x'63FF' AS TEXT) WHERE chain = 'c'",
      "UPDATE audit_head SET chain = 'c' || char(0) WHERE chain = 'c'",
    ])
  func kinds(change: String) async throws {
    let log = try await AnchoredLog(.sqlite)
    try await log.log.damage([SQL(stringLiteral: change)])
    #expect(try await !log.log.verify().isSound)
    try await log.setBack("b", to: 3)
    let faults = try await log.verify().faults
    #expect(faults.contains { $0.contains("b: line 5, which checkpoint 1 holds, is gone") }, "\(faults)")
  }

  /// SQLite keeps any value in any column. What the rows say is compared as far as it can be read.
  @Test(
    "a value of another kind in the row of a checkpoint is told, and the others are compared",
    arguments: [
      ("at = 'x'", "checkpoint 1 cannot be read (at: "), ("digest = x'00'", "checkpoint 1 cannot be read (digest: "),
      ("proof = x'00'", "its last checkpoint cannot be read (proof: "),
      ("anchored_at = 'x'", "its last checkpoint cannot be read (anchored_at: "),
      ("document = 'x', anchored_at = NULL", "its last checkpoint cannot be read (document: "),
      ("number = 'x'", "checkpoint 1 is not the one that this database made"),
      ("number = 1.5", "its last checkpoint cannot be read (number: "),
    ])
  func checkpointKinds(change: String, fault: String) async throws {
    let log = try await AnchoredLog(.sqlite)
    try await log.log.damage([SQL(stringLiteral: "UPDATE audit_checkpoint SET \(change)")])
    try await log.setBack("b", to: 3)
    let faults = try await log.verify().faults
    #expect(faults.contains { $0.contains(fault) }, "\(faults)")
    #expect(faults.contains { $0.contains("b: line 5, which checkpoint 1 holds, is gone") }, "\(faults)")
  }

  @Test("a log and its checkpoints that were made anew under another key ring are found", arguments: Engine.available)
  func rekeyed(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    let other = try await AuditLog(engine, isMarked: true, seed: 2)
    let verifier = AuditVerifier(
      database: other.made.database, vault: other.vault, world: other.clock.world, anchor: log.checkpoints.anchor)
    let report = try await verifier.run()
    #expect(
      report.faults.contains { $0.hasPrefix("checkpoint 1 is signed with a key that this installation does not have") })
  }

  @Test(
    "what rules allow is no fault: growth, erasure, deletion after its time, another key", arguments: Engine.available)
  func allowed(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    try await log.log.append("b.6", to: "b")
    _ = try await log.log.cut("b")
    try await log.log.vault.rotate(in: log.log.made.database)
    log.log.clock.advance(by: .hours(1))
    #expect(try await log.checkpoints.run() == 2)
    log.log.clock.advance(by: .days(1))
    let (audit, now) = (log.log.audit, log.log.clock.now)
    let pruned = try await log.log.made.database.write { try audit.prune(erasedBefore: now, limit: 10, in: $0) }
    #expect(try await log.log.made.database.write { try audit.drop(["c", "none"], in: $0) } == 1)
    #expect(pruned == 1)
    #expect(try await log.checkpoints.run() == 3)
    let report = try await log.verify()
    #expect(report.isSound && report.checkpoints == 3 && report.anchoredAt == now.rfc3339, "\(report.faults)")
  }

  @Test("a checkpoint names no chain, and holds what grew", arguments: Engine.available)
  func content(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    let document = try Data(contentsOf: URL(fileURLWithPath: log.path(1)))
    let first = try AuditCheckpoint(document, by: log.log.vault)
    #expect(first.heads.count == 4 && first.previous == nil && first.number == 1)
    #expect(first.heads.allSatisfy { $0.chain.count == 64 })
    try await log.log.append("b.6", to: "b")
    #expect(try await log.checkpoints.run() == 1, "an hour is not over")
    log.log.clock.advance(by: .hours(1))
    #expect(try await log.checkpoints.run() == 2)
    let second = try AuditCheckpoint(Data(contentsOf: URL(fileURLWithPath: log.path(2))), by: log.log.vault)
    #expect(second.heads.map(\.sequence) == [6] && second.previous == document.sha256Hex)
    let mode = try FileManager.default.attributesOfItem(atPath: log.path(2))[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o400)
  }

  @Test("a file with another name is no checkpoint, whatever number is in it", arguments: Engine.available)
  func strays(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    for name in ["1", "+00000000001", "-00000000001", "000000000000", "0000000000001", "000000000002.tmp", ""] {
      try Data("{}".utf8).write(to: URL(fileURLWithPath: log.folder.file("anchors/audit-checkpoint-\(name)")))
    }
    #expect(try await log.checkpoints.anchor.numbers() == [1])
    let report = try await log.verify()
    #expect(report.isSound && report.checkpoints == 1, "\(report.faults)")
    log.log.clock.advance(by: .hours(1))
    #expect(try await log.checkpoints.run() == 2)
  }

  @Test("more heads than one checkpoint holds go into several", arguments: Engine.available)
  func several(engine: Engine) async throws {
    let log = try await AnchoredLog(engine, headsMax: 2)
    #expect(try await log.checkpoints.run() == 3)
    #expect(try await log.verify().isSound)
  }

  @Test("what its anchor did not take waits, and is taken there later", arguments: Engine.available)
  func waiting(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    log.log.clock.advance(by: .hours(1))
    await #expect(throws: BlobError.unavailable) { try await log.unwritable.run() }
    #expect(try await log.verify().isSound)
    #expect(try await log.checkpoints.age() == .hours(1))
    #expect(try await log.checkpoints.run() == 2)
    #expect(try await log.verify().checkpoints == 2)
  }

  @Test(
    "what the database says of a checkpoint's time puts off no other one", arguments: Engine.available,
    ["at = 4102444800000", "at = at + 3000000"])
  func putOff(engine: Engine, change: String) async throws {
    let log = try await AnchoredLog(engine)
    try await log.log.damage([SQL(stringLiteral: "UPDATE audit_checkpoint SET \(change)")])
    await #expect(throws: AuditAnchorError.changed(1)) { try await log.checkpoints.age() }
    log.log.clock.advance(by: .hours(1))
    #expect(try await log.checkpoints.run() == 2)
    #expect(try await log.checkpoints.age() == .zero)
    #expect(try await log.checkpoints.run() == 2)
  }

  @Test("a chain whose head says that it is anchored for ever is anchored all the same", arguments: Engine.available)
  func anchoredForEver(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    try await log.log.damage(["UPDATE audit_head SET anchored = 1152921504606846976"])
    try await log.log.append("b.6", to: "b")
    log.log.clock.advance(by: .hours(1))
    #expect(try await log.checkpoints.run() == 2)
    #expect(try await log.verify().isSound)
    try await log.setBack("b", to: 5)
    #expect(try await log.verify().faults.contains { $0.contains("line 6, which checkpoint 2 holds, is gone") })
  }

  @Test("who checked the first checkpoints need not read them again", arguments: Engine.available)
  func since(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    for number in 2...3 {
      try await log.log.append("b.\(number)", to: "b")
      log.log.clock.advance(by: .hours(1))
      #expect(try await log.checkpoints.run() == number)
    }
    let (anchor, world) = (log.checkpoints.anchor, log.log.clock.world)
    let verifier = AuditVerifier(
      database: log.log.made.database, vault: log.log.vault, world: world,
      anchor: AuditAnchor(
        put: anchor.put,
        get: { number in
          #expect(number > 1)
          return try await anchor.get(number)
        }, numbers: anchor.numbers))
    let report = try await verifier.run(since: 2)
    #expect(report.isSound && report.checkpoints == 2, "\(report.faults)")
    try await log.setBack("b", to: 6)
    #expect(
      try await verifier.run(since: 2).faults.contains { $0.contains("line 7, which checkpoint 3 holds, is gone") })
  }

  @Test("checkpoints that were checked and are gone are told, and gaps behind them", arguments: Engine.available)
  func sinceMoreThanThereIs(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    // The next one is still to come.
    #expect(try await log.verify(since: 2).isSound)
    // Database and place as they were before the second: neither of them knows of it.
    #expect(try await log.verify(since: 3).faults == ["checkpoint 2 was checked, and the anchors end at checkpoint 1"])
    for number in 2...4 {
      log.log.clock.advance(by: .hours(1))
      #expect(try await log.checkpoints.run() == number)
    }
    for (number, missing) in [(3, "3"), (2, "2, 3")] {
      try FileManager.default.removeItem(atPath: log.path(number))
      #expect(try await log.verify(since: 3).faults == ["the anchors lack checkpoint \(missing)"])
    }
    #expect(try await log.verify(since: 5).isSound, "the last of those before is there")
  }

  @Test("nodes that come at once make one checkpoint", arguments: Engine.available)
  func nodes(engine: Engine) async throws {
    let log = try await AnchoredLog(engine)
    log.log.clock.advance(by: .hours(1))
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<4 { group.addTask { _ = try? await log.checkpoints.run() } }
    }
    #expect(try await log.checkpoints.run() == 2)
    #expect(try await log.verify().isSound)
  }
}
