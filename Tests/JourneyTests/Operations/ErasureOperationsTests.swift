import Foundation
import Kit
import Storage
import Testing
import TestSupport

@testable import RubixFlow
@testable import GatehouseApp

@Suite("Operations: keys of persons, and what an erasure leaves in copies")
struct ErasureOperationsTests {
  @Test("an epoch key that is not of the data is refused, and so is a missing one; one in place is not set back")
  func epochKeys() async throws {
    let (source, other) = (try await BackupTestApp(), try await BackupTestApp(seed: 2))
    let customer = try await source.customer(1)
    let target = source.folder.file("backup")
    _ = try await source.backup.take(to: target, withKeyring: true)
    let settings = BackupTestApp.settings("restored", in: source.folder)
    let restore = Restore(settings: settings, world: source.clock.world)
    for key in [other.settings.epochKeyPath, source.folder.file("nowhere.json")] {
      await #expect(throws: BackupError.self) {
        try await restore.run(from: target, keyring: nil, epochKey: key, force: false)
      }
    }
    #expect(!FileManager.default.fileExists(atPath: settings.databasePath))

    // Meanwhile the installation has gone on by so many epochs that the backup's are destroyed.
    let file = EpochKeyFile(settings.epochKeyPath)
    let later = try EpochKeyFile(source.settings.epochKeyPath).read().key(of: 9)
    try FileManager.default.createDirectory(
      atPath: "\(settings.dataFolder)/keys", withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: source.settings.epochKeyPath, toPath: file.path)
    try file.replace(by: later)
    let report = try await restore.run(from: target, keyring: nil, force: false)
    #expect(report.unreadable == 1)
    #expect(try file.read() == later)
    let restored = try await BackupTestApp.open(settings, source.clock)
    await #expect(throws: VaultError.erased) { try await BackupTestApp.contents(of: restored) }
    // Erased once more, as after any restore, what is left of the customer goes as well.
    let outcome = try await restored.customerErasure.erase(
      customer, of: .default, for: .ended, by: "operator", despiteDuty: true)
    #expect(outcome == .erased(images: 1, related: []))
    #expect(try await BackupTestApp.contents(of: restored).isEmpty)
  }
}
