// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Looks for what is left of an erased person in a backup, without changing it.
package struct BackupErasureCheck {
  let settings: Settings
  let world: World

  package init(settings: Settings, world: World) { (self.settings, self.world) = (settings, world) }

  /// - Parameters:
  ///   - keyring: nil takes the one of the backup, or else the one in place.
  ///   - epochKey: the same; the backup's is of an earlier epoch, and opens more.
  package func run(
    _ proof: ErasureProof, on backup: String, keyring: String?, epochKey: String?
  ) async throws -> ErasureCheck.Report {
    func choose(_ given: String?, _ name: String, _ inPlace: String) -> String {
      let own = "\(backup)/\(name)"
      return given ?? (FileManager.default.fileExists(atPath: own) ? own : inPlace)
    }
    let sums = try BackupManifest.read(from: backup).checksums(in: backup)
    func requireUnchanged(_ name: String, at path: String) throws {
      guard try DurableFile.digest(path).sha256 == sums.digests.first(where: { $0.path == name })?.sha256 else {
        throw BackupError("\(name) was changed since the backup was taken")
      }
    }
    // An epoch key of a later epoch in the place of the backup's would open less.
    for name in BackupManifest.keyNames where BackupFile.exists(name, in: backup) {
      try BackupFile.require(name, in: backup)
      // One that was put beside it later is as good as one that is named.
      if sums.digests.contains(where: { $0.path == name }) { try requireUnchanged(name, at: "\(backup)/\(name)") }
    }
    let kms = try settings.keyManagement()
    let ring = try Keyring(at: choose(keyring, BackupManifest.keyringName, settings.keyringPath), kms: kms)
    let file = EpochKeyFile(choose(epochKey, BackupManifest.epochKeyName, settings.epochKeyPath), kms: kms)

    // Read in a copy, which gets the tables of today.
    let folder = "\(settings.dataFolder)/checking-\(world.uuid())"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = "\(folder)/\(BackupManifest.databaseName)"
    try BackupFile.require(BackupManifest.databaseName, in: backup)
    try FileManager.default.copyItem(atPath: "\(backup)/\(BackupManifest.databaseName)", toPath: path)
    // A copy from which the key was taken, to be kept elsewhere, would show nothing.
    try requireUnchanged(BackupManifest.databaseName, at: path)
    let database = try SQLite(path: path)
    defer { try? database.close() }
    try await database.migrate(Schema.migrations)
    let keys = try await SubjectKeys.open(database, file: file, world: world)
    let vault = try await Vault.open(database, keyring: ring, subjectKeys: keys, world: world)
    let check = ErasureCheck(
      database, vault: vault, blobs: .disk("\(backup)/\(BackupManifest.imageFolder)"),
      columns: App.product.flatMap { $0.type.sealedColumns })
    return try await check.run(proof)
  }
}
