// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: the age of the last backup", .ownFile)
struct BackupAgeTests {
  private static let metric = "gatehouse_backup_last_success_timestamp_seconds"

  @Test("servers tell when the last sound backup was taken; one with a fault does not count, and a restore brings none")
  func age() async throws {
    let source = try await BackupTestApp()
    _ = try await source.customer(1)
    #expect(await !source.app.metrics().text().contains(Self.metric))
    let first = source.folder.file("first")
    let manifest = try await source.backup.take(to: first, withKeyring: true)
    let taken = try #require(Instant(rfc3339: manifest.takenAt))
    #expect(manifest.isSound)
    try source.backup.record(manifest)
    #expect(await source.app.metrics().text().contains("\(Self.metric) \(taken.seconds)\n"))

    let restored = BackupTestApp.settings("restored", in: source.folder)
    _ = try await Restore(settings: restored, world: source.clock.world).run(from: first, keyring: nil, force: false)
    #expect(try BackupRecord.read(of: restored) == nil)

    // Pictures that are nowhere: the copy is there, and is no sound one.
    try FileManager.default.removeItem(atPath: source.settings.blobFolder)
    let later = Backup(
      settings: source.settings, blobs: .disk(source.settings.blobFolder), world: TestWorld(seed: 9).world)
    let faulty = try await later.take(to: source.folder.file("second"), withKeyring: false)
    #expect(!faulty.isSound && faulty.missing.count == 1)
    try later.record(faulty)
    #expect(try BackupRecord.read(of: source.settings) == BackupRecord(takenAt: manifest.takenAt))
  }

  @Test("servers, which run as another user than root, may read the record of a backup that root took")
  func readable() async throws {
    let source = try await BackupTestApp()
    try source.backup.record(try await source.backup.take(to: source.folder.file("first"), withKeyring: false))
    let path = "\(source.settings.dataFolder)/\(BackupRecord.name)"
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
    #expect(mode?.intValue == 0o644)
  }

  @Test("a backup that other means took is told, kept in the audit log, and is of no instant to come")
  func told() async throws {
    let source = try await BackupTestApp()
    #expect(try await ToldBackup.last(in: source.app.database) == nil)
    let taken = source.clock.now - .hours(3)
    try await ToldBackup.record(takenAt: taken, by: "operator:root", in: source.app)
    #expect(try await ToldBackup.last(in: source.app.database)?.seconds == taken.seconds)
    #expect(await source.app.metrics().text().contains("\(Self.metric) \(taken.seconds)\n"))
    let lines = try await source.app.database.read { try AuditStore($0).lines(of: ToldBackup.chain) }
    #expect(lines.map(\.action) == ["backup.recorded"] && lines.map(\.actor) == ["operator:root"])
    let ahead = source.clock.now + .minutes(6)
    let refusal = await #expect(throws: Problem.self) {
      try await ToldBackup.record(takenAt: ahead, by: "operator:root", in: source.app)
    }
    #expect(refusal?.category == .unprocessable)
    #expect(try await source.app.database.read { try AuditStore($0).length(of: ToldBackup.chain) } == 1)
  }

  @Test("a file that is not a record of a backup leaves the other metrics, and the page tells which part is missing")
  func unreadable() async throws {
    let source = try await BackupTestApp()
    try Data("{".utf8).write(to: URL(fileURLWithPath: "\(source.settings.dataFolder)/\(BackupRecord.name)"))
    let page = await source.app.metrics().text()
    #expect(!page.contains(Self.metric))
    #expect(page.contains("gatehouse_metrics_source_up{source=\"backup\"} 0"))
  }
}
