// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("Operations: a first start that was killed", .ownFile)
struct EndedStartTests {
  /// What a first start has committed before it begins the keys of persons.
  private static func dataKeys(_ settings: Settings, _ clock: TestWorld) async throws -> SQLite {
    try settings.makeDataFolder()
    let database = try SQLite(path: settings.databasePath)
    try await database.migrate(Schema.migrations)
    let ring = try Keyring(path: settings.keyringPath, world: clock.world)
    _ = try await Vault.open(database, keyring: ring, world: clock.world)
    return database
  }

  @Test("between its data keys and the keys of persons: the next one begins these", arguments: [false, true])
  func betweenKeys(hasEpochKey: Bool) async throws {
    let (folder, clock) = (try TestFolder(), TestWorld())
    let settings = BackupTestApp.settings("data", in: folder)
    try await Self.dataKeys(settings, clock).close()
    if hasEpochKey { _ = try EpochKeyFile(settings.epochKeyPath).readOrMake(world: clock.world) }
    let app = try await BackupTestApp.open(settings, clock)
    #expect(try await app.database.read { try SubjectKeyStore($0).haveBegun() })
    #expect(FileManager.default.fileExists(atPath: settings.epochKeyPath))
  }

  @Test("a key ring that is not the data's begins no keys of persons there")
  func otherRing() async throws {
    let (folder, clock) = (try TestFolder(), TestWorld())
    let settings = BackupTestApp.settings("data", in: folder)
    let database = try await Self.dataKeys(settings, clock)
    try FileManager.default.removeItem(atPath: settings.keyringPath)
    _ = try Keyring(path: settings.keyringPath, world: TestWorld(seed: 2).world)
    await #expect(throws: KeyringError.self) { _ = try await BackupTestApp.open(settings, clock) }
    #expect(try await !database.read { try SubjectKeyStore($0).haveBegun() })
    #expect(!FileManager.default.fileExists(atPath: settings.epochKeyPath))
    try database.close()
  }

  @Test("an installation of before with lines in its log begins them by hand")
  func older() async throws {
    let (folder, clock) = (try TestFolder(), TestWorld())
    let settings = BackupTestApp.settings("data", in: folder)
    let database = try await Self.dataKeys(settings, clock)
    try await database.write { tx in
      try tx.execute(
        "INSERT INTO audit_head (chain, sequence, digest) VALUES ('a', 1, \(String(repeating: "0", count: 64)))")
    }
    try database.close()
    let app = try await BackupTestApp.open(settings, clock)
    #expect(try await !app.database.read { try SubjectKeyStore($0).haveBegun() })
    #expect(!FileManager.default.fileExists(atPath: settings.epochKeyPath))
    let told = await settings.diagnose(file: nil, environment: [:]).findings.first { $0.name == "keys of persons" }
    #expect(told?.severity == .warning && told?.value.contains("keys subjects") == true)
  }
}
