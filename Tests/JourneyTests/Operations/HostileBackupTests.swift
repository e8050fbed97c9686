// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import GatehouseApp

@Suite("Operations: backups that were made to do harm", .ownFile, .timeLimit(.minutes(2)))
struct HostileBackupTests {
  private static let key = "01a227ee-dbf2-7f38-a29b-011aef3befab"

  /// A backup whose list and manifest an attacker wrote anew, and what was restored of it.
  private struct Attack {
    let source: BackupTestApp
    let folder: String
    let settings: Settings

    init() async throws {
      source = try await BackupTestApp()
      folder = source.folder.file("backup")
      _ = try await source.backup.take(to: folder, withKeyring: true)
      settings = BackupTestApp.settings("restored", in: source.folder)
    }

    /// - Parameter objects: how many more the manifest counts.
    func list(_ more: [(path: String, sha256: String)] = [], objects: Int = 0) throws {
      let url = URL(fileURLWithPath: "\(folder)/\(BackupManifest.sumsName)")
      var sums = BackupChecksums()
      for (path, _) in try BackupChecksums(String(contentsOf: url, encoding: .utf8)).digests {
        sums.add(path, try DurableFile.digest("\(folder)/\(path)").sha256)
      }
      for (path, sha256) in more { sums.add(path, sha256) }
      let text = Data(sums.text.utf8)
      try text.write(to: url)
      var manifest = try BackupManifest.read(from: folder)
      (manifest.sums, manifest.files) = (text.sha256Hex, sums.digests.count)
      manifest.blobs += objects
      try JSONEncoder().encode(manifest).write(to: URL(fileURLWithPath: "\(folder)/\(BackupManifest.name)"))
    }

    func expectRefusal() async throws {
      await #expect(throws: BackupError.self) {
        try await Restore(settings: settings, world: source.clock.world).run(from: folder, keyring: nil, force: false)
      }
      #expect(((try? FileManager.default.contentsOfDirectory(atPath: settings.dataFolder)) ?? []) == [])
    }

    func makeFolder(_ path: String) throws {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(path)", withIntermediateDirectories: true)
    }

    func change(_ statements: SQL...) async throws {
      let path = "\(folder)/\(BackupManifest.databaseName)"
      let database = try SQLite(path: path)
      try await database.write { tx in for statement in statements { try tx.execute(statement) } }
      try database.close()
      try await SQLite.settle(path)
      try list()
    }
  }

  @Test("a link in the place of the database is refused, and the file that it leads to keeps its mode")
  func linkedDatabase() async throws {
    let attack = try await Attack()
    let (place, elsewhere) = ("\(attack.folder)/\(BackupManifest.databaseName)", attack.source.folder.file("elsewhere"))
    try FileManager.default.moveItem(atPath: place, toPath: elsewhere)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: elsewhere)
    try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: elsewhere)
    try attack.list()
    try await attack.expectRefusal()
    let mode = try FileManager.default.attributesOfItem(atPath: elsewhere)[.posixPermissions] as? Int
    #expect(mode == 0o644)
  }

  @Test("a file of the list is one of the backup itself: no link, no folder that is one, no pipe", arguments: 0..<3)
  func elsewhere(_ kind: Int) async throws {
    let attack = try await Attack()
    let outside = attack.source.folder.file("outside")
    try FileManager.default.createDirectory(atPath: outside, withIntermediateDirectories: true)
    try Data().write(to: URL(fileURLWithPath: "\(outside)/\(Self.key)"))
    try attack.makeFolder(kind == 1 ? "blobs" : "blobs/ab")
    let place = "\(attack.folder)/blobs/ab/\(Self.key)"
    switch kind {
    case 0: try FileManager.default.createSymbolicLink(atPath: place, withDestinationPath: "\(outside)/\(Self.key)")
    case 1:
      try FileManager.default.createSymbolicLink(atPath: "\(attack.folder)/blobs/ab", withDestinationPath: outside)
    default: #expect(mkfifo(place, 0o600) == 0)
    }
    try attack.list([("blobs/ab/\(Self.key)", Data().sha256Hex)], objects: 1)
    try await attack.expectRefusal()
  }

  @Test(
    "files that no backup has, objects under another's name and files that are listed twice are refused",
    arguments: [
      "evil", "blobs/\(key)", "blobs/cd/\(key)", "blobs/ab/UPPER-CASE", "keys/other.json", "gatehouse.sqlite",
    ])
  func unknown(_ path: String) async throws {
    let attack = try await Attack()
    let isTwice = path == BackupManifest.databaseName
    try attack.makeFolder("blobs/ab")
    try attack.makeFolder("blobs/cd")
    let digest =
      isTwice ? try DurableFile.digest("\(attack.folder)/\(path)").sha256 : Data().sha256Hex
    if !isTwice { try Data().write(to: URL(fileURLWithPath: "\(attack.folder)/\(path)")) }
    try attack.list([(path, digest)], objects: path.hasPrefix("blobs") ? 1 : 0)
    try await attack.expectRefusal()
  }

  @Test("a trigger, a view or a lack of the program's own triggers is refused; without them the backup is restored")
  func code() async throws {
    let attack = try await Attack()
    let path = "\(attack.folder)/\(BackupManifest.databaseName)"
    let code = try await SQLite.code(path)
    let first = try #require(code.first { $0.text.contains(" ledger_entry_no_update ") })
    try await attack.change("CREATE VIEW everybody AS SELECT scope FROM idempotency")
    try await attack.expectRefusal()
    try await attack.change("DROP VIEW everybody")
    try await attack.change("CREATE TRIGGER evil AFTER INSERT ON idempotency BEGIN DELETE FROM idempotency; END")
    try await attack.expectRefusal()
    try await attack.change("DROP TRIGGER evil")
    try await attack.change("DROP TRIGGER ledger_entry_no_update")
    try await attack.expectRefusal()
    try await attack.change(SQL(stringLiteral: first.text))
    #expect(try await SQLite.code(path) == code)
    _ = try await Restore(settings: attack.settings, world: attack.source.clock.world).run(
      from: attack.folder, keyring: nil, force: false)
    #expect(FileManager.default.fileExists(atPath: attack.settings.databasePath))
  }

  @Test(
    "kinds in the list of what a database holds that SQLite takes and does not write are refused",
    arguments: [
      // It runs a trigger of that kind as any other.
      "UPDATE sqlite_master SET type = 'TRIGGER' WHERE name = 'evil'",
      // An index of SQLite's own, which has no text.
      "UPDATE sqlite_master SET type = 'trigger' WHERE sql IS NULL",
    ])
  func kinds(_ statement: String) async throws {
    let attack = try await Attack()
    let evil: SQL = "CREATE TRIGGER evil AFTER INSERT ON idempotency BEGIN DELETE FROM idempotency; END"
    if statement.contains("'TRIGGER'") { try await attack.change(evil) }
    try await attack.change("PRAGMA writable_schema = ON", SQL(stringLiteral: statement))
    try await attack.expectRefusal()
  }
}
