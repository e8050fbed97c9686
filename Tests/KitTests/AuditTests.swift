// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the audit chain")
struct AuditTests {
  @Test("an untouched log verifies, with every chain and line counted", arguments: Engine.available)
  func intact(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    #expect(try await log.verify() == AuditLog.intact)
    #expect(try await log.lines("b").map(\.action) == ["b.1", "b.2", "b.3", "b.4", "b.5"])
  }

  @Test("an empty log verifies", arguments: Engine.available)
  func empty(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, AuditStore.migrations)
    #expect(try await made.database.read { try AuditStore($0).verify(by: nil) } == AuditReport())
  }

  @Test("a chain longer than a page verifies", arguments: Engine.available)
  func long(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine, AuditLog.migrations)
    let world = TestWorld().world
    let vault = try await TestVault.open(made.database, world)
    let audit = Audit(world: world, vault: vault)
    try await made.database.write { tx in
      for index in 1...1000 { try audit.append("a.\(index)", to: "long", by: "system", in: tx) }
    }
    let report = try await made.database.read { try AuditStore($0).verify(by: vault) }
    #expect(report.lines == 1000 && report.faults.isEmpty)
  }

  @Test("a line's digest covers every member of it", .storeless)
  func covered() {
    let base = AuditLine(
      chain: "c", sequence: 1, at: Instant(milliseconds: 5), actor: "system", action: "a.b", facts: ["k": "v"],
      previous: AuditLine.genesis)
    func with(
      chain: String = "c", sequence: Int = 1, at: Int64 = 5, actor: String = "system", action: String = "a.b",
      facts: [String: String] = ["k": "v"], previous: String = AuditLine.genesis
    ) -> String {
      AuditLine(
        chain: chain, sequence: sequence, at: Instant(milliseconds: at), actor: actor, action: action, facts: facts,
        previous: previous
      ).digest
    }
    #expect(with() == base.digest)
    let changed = [
      with(chain: "d"), with(sequence: 2), with(at: 6), with(actor: "systen"), with(action: "a.c"),
      with(facts: ["k": "w"]), with(facts: ["l": "v"]), with(facts: [:]), with(facts: ["k": "v", "l": ""]),
      with(previous: String(repeating: "1", count: 64)),
      // Members that would read alike when merely put end to end.
      with(actor: "systema", action: ".b"), with(facts: ["kv": ""]), with(facts: ["": "kv"]),
    ]
    #expect(Set(changed + [base.digest]).count == changed.count + 1)
  }

  @Test("an append that is rolled back leaves no line and no gap", arguments: Engine.available)
  func rolledBack(engine: Engine) async throws {
    struct ChangedMind: Error {}
    let log = try await AuditLog(engine)
    try? await log.made.database.write { [audit = log.audit] tx in
      try audit.append("undone", to: "b", by: "system", in: tx)
      throw ChangedMind()
    }
    try await log.append("b.6", to: "b")
    #expect(try await log.lines("b").map(\.sequence) == [1, 2, 3, 4, 5, 6])
    #expect(try await log.verify().faults.isEmpty)
  }

  @Test("appends that race make one chain without gap or fork", arguments: Engine.available)
  func racing(engine: Engine) async throws {
    let log = try await AuditLog(engine)
    let other = try log.made.reopened()
    let audit = log.audit
    try await withThrowingTaskGroup(of: Void.self) { group in
      for index in 0..<40 {
        group.addTask {
          try await (index.isMultiple(of: 2) ? log.made.database : other).write {
            try audit.append("race.\(index)", to: "race", by: "system", in: $0)
          }
        }
      }
      try await group.waitForAll()
    }
    let lines = try await log.lines("race")
    #expect(lines.map(\.sequence) == Array(1...40))
    #expect(Set(lines.map(\.action)).count == 40)
    #expect(try await log.verify().faults.isEmpty)
    try other.close()
  }
}

/// A log of three chains that tests then damage.
struct AuditLog {
  static let intact: AuditReport = {
    var report = AuditReport()
    report.chains = 3
    report.lines = 15
    return report
  }()

  static let migrations = AuditStore.migrations + [DataKeyStore.migration]

  let made: TestDatabase
  let clock: TestWorld
  let keyring: Keyring
  let vault: Vault
  var audit: Audit { Audit(world: clock.world, vault: vault) }

  /// - Parameters:
  ///   - isMarked: whether the log is marked as keyed from its beginning, as that of an installation is; it has a chain
  ///     more then.
  ///   - seed: two logs of one seed have the same keys.
  init(_ engine: Engine, isMarked: Bool = false, seed: UInt64 = 1) async throws {
    clock = TestWorld(seed: seed)
    made = try await TestDatabase.make(engine, Self.migrations)
    keyring = Keyring(world: clock.world)
    vault = try await Vault.open(made.database, keyring: keyring, world: clock.world)
    if isMarked { try await made.database.write { [audit] in try audit.begin(in: $0) } }
    for index in 1...5 {
      for chain in ["a", "b", "c"] {
        try await append("\(chain).\(index)", to: chain, facts: index == 1 ? [:] : ["n": "\(index)", "ü": "\u{1F3E6}"])
        clock.advance(by: .seconds(1))
      }
    }
  }

  func append(_ action: String, to chain: String, facts: [String: String] = [:]) async throws {
    try await made.database.write { [audit] in try audit.append(action, to: chain, by: "system", facts: facts, in: $0) }
  }

  func damage(_ statements: [SQL]) async throws {
    try await made.database.write { tx in for statement in statements { try tx.execute(statement) } }
  }

  func verify() async throws -> AuditReport {
    try await made.database.read { [vault] in try AuditStore($0).verify(by: vault) }
  }

  func lines(_ chain: String) async throws -> [AuditLine] {
    try await made.database.read { try AuditStore($0).lines(of: chain) }
  }
}
