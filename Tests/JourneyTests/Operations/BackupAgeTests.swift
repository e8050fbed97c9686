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
    #expect(try BackupRecord.read(of: source.settings) == BackupRecord(takenAt: manifest.takenAt))
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
