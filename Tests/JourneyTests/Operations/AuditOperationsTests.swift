// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import Identity
import RubixFlow
import Storage
import Testing
import TestSupport

@testable import GatehouseApp
@testable import Kit
@testable import gatehouse

@Suite("Operations: the audit log", .ownFile)
struct AuditOperationsTests {
  @Test("a new installation's log is keyed from its beginning, and a start changes nothing of it")
  func begun() async throws {
    let made = try await BackupTestApp()
    let app = made.app
    #expect(try await app.database.read(app.core.audit.isSealed))
    let again = try await BackupTestApp.open(made.settings, made.clock)
    let report = try await again.database.read { try AuditStore($0).verify(by: again.vault) }
    #expect(report.isSound && report.chains == 1 && report.lines == 1)
    await #expect(throws: Problem.self) { try await app.core.audit.seal(app.database) }
    // Also when the database has lost its seal.
    #expect(try Keyring(at: made.settings.keyringPath).isAuditSealed)
    try await app.database.write { tx in
      for table in ["audit_line", "audit_head"] {
        try tx.execute(SQL(stringLiteral: "UPDATE \(table) SET chain = 'other'"))
      }
    }
    await #expect(throws: Problem.self) { try await app.core.audit.seal(app.database) }
  }

  @Test("a start tells a key ring from before of the seal of its log")
  func oldRing() async throws {
    let made = try await BackupTestApp()
    let path = made.settings.keyringPath
    let file = try #require(FileManager.default.contents(atPath: path))
    let text = String(decoding: file, as: UTF8.self).replacing(#/"auditSealed":true,|,"auditSealed":true/#, with: "")
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    #expect(try !Keyring(at: path).isAuditSealed)
    _ = try await BackupTestApp.open(made.settings, made.clock)
    #expect(try Keyring(at: path).isAuditSealed)
  }

  @Test("an installation's checkpoints come by a job, and their age shows")
  func checkpoints() async throws {
    let clock = TestWorld()
    let folder = try TestFolder()
    var settings = BackupTestApp.settings("data", in: folder)
    #expect(try await BackupTestApp.open(settings, clock).auditCheckpoints == nil)
    settings.operations.auditAnchors = folder.file("anchors")
    settings.operations.anchorAgeMax = .hours(3)
    let app = try await BackupTestApp.open(settings, clock)
    try await app.storedModules.flatMap(\.jobs).filter { $0.name == "audit-checkpoints" }.runOnce()
    let anchor = try #require(try settings.auditAnchor(world: clock.world)?.anchor)
    #expect(try await anchor.numbers() == [1])
    let verifier = AuditVerifier(database: app.database, vault: app.vault, world: clock.world, anchor: anchor)
    #expect(try await verifier.run().isSound)
    clock.advance(by: .hours(2))
    let check = try #require(await app.readiness.report().checks.first { $0.name == "anchor" })
    #expect(check.status == .ok && check.age == 7200)
    #expect(await app.metrics().text().contains("gatehouse_audit_anchor_age_seconds 7200"))
    clock.advance(by: .hours(2))
    #expect(await app.readiness.report().status == .failing)
    // Without a limit the age only shows.
    settings.operations.anchorAgeMax = nil
    let patient = try await BackupTestApp.open(settings, clock)
    #expect(await patient.readiness.report().checks.first { $0.name == "anchor" }?.status == .ok)
    // A time that the database was given by hand does not pass for one of a checkpoint.
    let (forged, now) = (clock.now + .days(30_000), clock.now)
    for at in [forged, now] {
      _ = try await app.database.write { try $0.execute("UPDATE audit_checkpoint SET at = \(at)") }
      #expect(await patient.readiness.report().checks.first { $0.name == "anchor" }?.status == .failing)
    }
  }

  @Test(
    "a row beside the log that cannot be read is named, and the log is checked as far as it goes without it",
    arguments: [
      ("UPDATE data_key SET active_from = 'x'", "data_key cannot be read (active_from: "),
      ("UPDATE data_key SET wrapped = 'x'", "data_key cannot be read (wrapped: "),
      ("UPDATE data_key SET wrapped = x'00'", "data_key has a key that the key ring does not open"),
      ("UPDATE data_key SET wrapped = zeroblob(60)", "data_key has a key that the key ring does not open"),
      ("INSERT INTO sandbox_clock (id, ahead) VALUES (1, 'x')", "sandbox_clock cannot be read (ahead: "),
    ])
  func otherTables(change: String, fault: String) async throws {
    let made = try await BackupTestApp()
    try await made.app.database.write { tx in
      try tx.execute("DELETE FROM sandbox_clock")
      try tx.execute(SQL(stringLiteral: change))
      try tx.execute("UPDATE audit_head SET sequence = 9")
    }
    let report = try await AuditCommand.Verify.parse(["--data", made.settings.dataFolder]).report(made.settings, nil)
    #expect(report.faults.contains("audit: ends at line 1, head says 9"), "\(report.faults)")
    #expect(report.faults.contains { $0.hasPrefix(fault) }, "\(report.faults)")
    // Where a place is named, it is not missed.
    for isAnchored in [true, false] {
      let lines = AuditCommand.Verify.lines(report, isAnchored: isAnchored, isNamed: false, isSigned: false)
      #expect(lines.contains { $0.contains("names no place for them") } != isAnchored, "\(lines)")
    }
  }

  @Test("a backup from before the log was keyed is checked as it was")
  func oldBackup() async throws {
    let folder = try TestFolder()
    let clock = TestWorld()
    let source = BackupTestApp.settings("old", in: folder)
    try source.makeDataFolder()
    let (path, ring) = (source.databasePath, try Keyring(path: source.keyringPath, world: clock.world))
    let later = [AuditStore.keyMigration.id, AuditStore.proofMigration.id]
    let steps = Schema.migrations.filter { !later.contains($0.id) }
    let database = try SQLite(path: path)
    try await database.migrate(steps)
    _ = try await Vault.open(database, keyring: ring, world: clock.world)
    let line = AuditLine(
      chain: "a", sequence: 1, at: clock.now, actor: "system", action: "a.1", facts: [:], previous: AuditLine.genesis)
    let digest = line.digest
    try await database.write { tx in
      try tx.execute(
        """
        INSERT INTO audit_line (chain, sequence, at, actor, action, facts, previous, digest)
        VALUES ('a', 1, \(line.at), 'system', 'a.1', '{}', \(line.previous), \(digest))
        """)
      try tx.execute("INSERT INTO audit_head (chain, sequence, digest) VALUES ('a', 1, \(digest))")
    }
    try database.close()
    let restore = Restore(settings: BackupTestApp.settings("restored", in: folder), world: clock.world)
    let report = try await restore.audit(of: path, keyring: ring)
    #expect(report.faults == [] && report.lines == 1 && report.unsealed == 1)
    // To take a backup is the first step of an upgrade, with the new program at hand.
    let manifest = try await Backup(settings: source, blobs: nil, world: clock.world).take(
      to: folder.file("backup"), withKeyring: true)
    #expect(manifest.auditLines == 1 && manifest.auditFaults == [] && manifest.auditKeysFault == nil)
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    #expect(!files.contains { $0.contains(".audit") })
    await #expect(throws: Problem.self) {
      try await AuditCommand.Verify.parse(["--data", source.dataFolder]).run()
    }
  }

  @Test("a backup says that the key ring could not be opened, and is restored as it is")
  func unchecked() async throws {
    let source = try await BackupTestApp()
    let (ring, away) = (source.settings.keyringPath, source.folder.file("away.json"))
    try await source.app.database.write { tx in
      _ = try tx.execute("UPDATE audit_line SET actor = 'other' WHERE chain = 'audit'")
    }
    try FileManager.default.moveItem(atPath: ring, toPath: away)
    let target = source.folder.file("backup")
    let manifest = try await source.backup.take(to: target, withKeyring: false)
    #expect(manifest.auditFaults == [] && manifest.auditKeysFault == "\(KeyringError.missing(path: ring))")
    let settings = BackupTestApp.settings("restored", in: source.folder)
    let report = try await Restore(settings: settings, world: source.clock.world).run(
      from: target, keyring: away, epochKey: source.settings.epochKeyPath, force: false)
    #expect(report.manifest == manifest)
  }

  @Test("a command is given by this machine's user, or by an active member of the tenant with the permission")
  func actor() async throws {
    let (clock, folder) = (TestWorld(), try TestFolder())
    var settings = BackupTestApp.settings("data", in: folder)
    var other = Tenant.default
    other.id = "other"
    settings.tenantsFile = folder.file("tenants.json")
    try JSONEncoder().encode([Tenant.default, other]).write(to: URL(fileURLWithPath: folder.file("tenants.json")))
    let app = try await BackupTestApp.open(settings, clock)
    let member = try await app.staff.add(
      NewStaffMember(
        tenant: "default", email: "aya@bank.example", name: "Aya", gender: .female, languages: ["en"],
        permissions: [.eraseCustomers], password: "utopia lies westward 9"), by: "operator")
    func actor(
      _ agent: String?, _ permission: StaffPermission = .eraseCustomers, of tenant: String? = "default"
    ) async throws -> String {
      try await OperatorOptions.parse(agent.map { ["--agent", $0] } ?? []).actor(in: app, may: permission, of: tenant)
    }
    #expect(try await actor(nil).wholeMatch(of: /operator:[A-Za-z0-9._-]+/) != nil)
    for name in [member.email.uppercased(), member.id.rawValue] {
      for tenant in ["default", nil, "finaptic-7"] {
        #expect(try await actor(name, of: tenant) == member.actor)
      }
    }
    func isRefused(
      _ agent: String, _ permission: StaffPermission = .eraseCustomers, of tenant: String? = "default"
    ) async -> Bool {
      do { _ = try await actor(agent, permission, of: tenant) } catch {
        return (error as? Problem)?.code == "forbidden"
      }
      return false
    }
    #expect(await isRefused("Mickey Mouse"))
    #expect(await isRefused(member.email, .blockUsers))
    #expect(await isRefused(member.email, of: "other"))
    try await app.database.write { [staff = app.staff] in
      try staff.setActive(false, of: member.id, by: "operator", in: $0)
    }
    #expect(await isRefused(member.email))
  }
}
