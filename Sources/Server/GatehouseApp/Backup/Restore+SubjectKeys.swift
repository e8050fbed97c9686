// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension Restore {
  /// Gives the staged database the keys of persons of a newer backup.
  /// - Parameter folder: of the newer backup. Nothing in it changes.
  /// - Throws: `BackupError` for a backup that is damaged, not newer, or not of this installation.
  func takeKeys(
    of folder: String, newerThan manifest: BackupManifest, into staged: String
  ) async throws -> SubjectKeyTransfer.Report {
    let newer = try BackupManifest.read(from: folder)
    _ = try Self.verified(newer, in: folder)
    // RFC 3339 in UTC with as many digits each: the order of the texts is the order of the instants.
    guard newer.takenAt > manifest.takenAt else {
      throw BackupError("the keys of persons have to be of a newer backup: \(folder) is of \(newer.takenAt)")
    }
    let (target, source) = ("\(staged)/\(BackupManifest.databaseName)", "\(staged)/newer.sqlite")
    try FileManager.default.copyItem(atPath: "\(folder)/\(BackupManifest.databaseName)", toPath: source)
    for path in [target, source] {
      let steps: [String]
      do { steps = try await SQLite.appliedMigrations(path, known: Schema.migrations) } catch SQLError.schema(
        let reason)
      {
        throw BackupError("the backup is not for this program: \(reason)")
      }
      guard steps.contains(SubjectKeyStore.migration.id) else {
        throw BackupError("one of the two backups is from before keys of persons: leave --subject-keys out")
      }
    }
    let report = try await transfer(from: source, ring: newerRing(in: folder, staged), to: target, staged)
    try await SQLite.settle(target)
    guard let report else { throw BackupError("\(folder) is of another installation") }
    return report
  }

  private func transfer(
    from source: String, ring: Keyring, to target: String, _ staged: String
  ) async throws -> SubjectKeyTransfer.Report? {
    let newer = try SQLite(path: source)
    defer { try? newer.close() }
    let database = try SQLite(path: target)
    defer { try? database.close() }
    let own = try Keyring(at: "\(staged)/\(BackupManifest.keyringName)", kms: settings.keyManagement())
    guard let newerVault = try? await Vault.open(newer, keyring: ring, world: world) else {
      throw BackupError("the key ring does not open the newer backup")
    }
    return try await SubjectKeyTransfer(
      from: newer, by: newerVault, to: database, by: Vault.open(database, keyring: own, world: world)
    ).run()
  }

  /// The ring only gains keys: the newer backup's own or the one in place opens at least what the older one's does.
  private func newerRing(in folder: String, _ staged: String) throws -> Keyring {
    let paths = ["\(folder)/\(BackupManifest.keyringName)", settings.keyringPath]
    let path = paths.first { FileManager.default.fileExists(atPath: $0) } ?? "\(staged)/\(BackupManifest.keyringName)"
    return try Keyring(at: path, kms: settings.keyManagement())
  }
}
