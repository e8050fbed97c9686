// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Copies an installation on SQLite into a folder while its servers run: the database as it was at one instant, and the
/// objects that it names. The folder appears whole under its name or not at all.
package struct Backup {
  /// Ids that are looked up at once.
  static let pageMax = 500

  let settings: Settings
  /// Nil where objects are kept in a bucket, which is copied by its own means: then they are not in the backup.
  let blobs: Blobs?
  let world: World

  package init(settings: Settings, blobs: Blobs?, world: World) {
    (self.settings, self.blobs, self.world) = (settings, blobs, world)
  }
  /// Told after each step of the copying of the database.
  var onStep: @Sendable () -> Void = {}
  /// Told the folder that is filled, which gets its own name when it is whole.
  package var onStaged: @Sendable (String) -> Void = { _ in }
  /// Told how far the copying has come.
  package var progress = WorkProgress()

  /// Tell `record` of it afterwards.
  /// - Parameter withKeyring: puts the key ring and the epoch key beside the data that they open.
  package func take(to folder: String, withKeyring: Bool) async throws -> BackupManifest {
    // To copy a file is to open it for writing: another program's would lose its log.
    try settings.requireFile()
    guard !FileManager.default.fileExists(atPath: folder) else {
      throw BackupError("\(folder) is there already: a backup goes into a folder of its own")
    }
    let staged = "\(folder).\(world.uuid()).new"
    onStaged(staged)
    try FileManager.default.createDirectory(
      atPath: staged, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    do {
      let manifest = try await fill(staged, withKeyring: withKeyring)
      try DurableFile.move(staged, to: folder)
      return manifest
    } catch {
      try? FileManager.default.removeItem(atPath: staged)
      throw error
    }
  }

  private func fill(_ folder: String, withKeyring: Bool) async throws -> BackupManifest {
    let database = "\(folder)/\(BackupManifest.databaseName)"
    var (sums, bytes) = (BackupChecksums(), 0)
    let takenAt = world.now()
    progress.begin("database")
    try await SQLite.copy(settings.databasePath, to: database) { [onStep, progress] done, all in
      progress.reach(done, of: all)
      onStep()
    }
    let schema = try await SQLite.appliedMigrations(database, known: Schema.migrations)
    var (keyring, keysFault): (Keyring?, String?)
    do { keyring = try Keyring(at: settings.keyringPath, kms: settings.keyManagement()) } catch {
      keysFault = "\(error)"
    }
    if withKeyring, keysFault == nil { try await checkEpochKey(of: database, applied: schema) }
    let audit = try await Self.auditReport(database, keyring: keyring, world, progress)
    let foreign = try await Self.foreignCode(of: database, applied: schema, in: folder)
    var copied = (count: 0, missing: [String]())
    if let blobs {
      progress.begin("objects")
      copied = try await copyImages(blobs, named: database) { key, data in
        let path = "\(BackupManifest.imageFolder)/\(key.suffix(2))/\(key)"
        try DurableFile.write(data, to: "\(folder)/\(path)")
        sums.add(path, data.sha256Hex)
        bytes += data.count
      }
    }
    if withKeyring {
      var keys = [(settings.keyringPath, BackupManifest.keyringName)]
      if FileManager.default.fileExists(atPath: settings.epochKeyPath) {
        keys.append((settings.epochKeyPath, BackupManifest.epochKeyName))
      }
      for (path, name) in keys {
        guard let key = FileManager.default.contents(atPath: path) else { throw BackupError("\(path) cannot be read") }
        try DurableFile.write(key, to: "\(folder)/\(name)")
        sums.add(name, key.sha256Hex)
        bytes += key.count
      }
    }
    progress.begin("digest of the database")
    try await SQLite.settle(database)
    let (digest, size) = try DurableFile.digest(database)
    try DurableFile.sync(database)
    sums.add(BackupManifest.databaseName, digest)
    try DurableFile.write(Data(sums.text.utf8), to: "\(folder)/\(BackupManifest.sumsName)")
    let manifest = BackupManifest(
      takenAt: takenAt.rfc3339, schema: schema.last ?? "", includesKeyring: withKeyring, files: sums.digests.count,
      bytes: bytes + size, blobs: copied.count, missing: copied.missing, auditChains: audit.chains,
      auditLines: audit.lines, auditFaults: audit.faults, auditKeysFault: keysFault,
      foreignCode: foreign, sums: Data(sums.text.utf8).sha256Hex)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    try DurableFile.write(try encoder.encode(manifest), to: "\(folder)/\(BackupManifest.name)")
    return manifest
  }

  /// - Throws: `EpochKeyError` when the epoch key in place is not the copy's, or is missing: a restore would refuse it.
  private func checkEpochKey(of path: String, applied: [String]) async throws {
    guard applied.contains(SubjectKeyStore.migration.id) else { return }
    let database = try SQLite(path: path)
    defer { try? database.close() }
    let file = EpochKeyFile(settings.epochKeyPath, kms: try settings.keyManagement())
    _ = try await SubjectKeys.open(database, file: file, world: world)
  }

  /// Copies every object that the copied database names. Objects never change and are there before their rows, so it
  /// does not matter that servers go on meanwhile; one that was erased meanwhile is not missed.
  private func copyImages(
    _ blobs: Blobs, named database: String, write: (_ key: String, _ data: Data) throws -> Void
  ) async throws -> (count: Int, missing: [String]) {
    var (count, missing) = (0, [String]())
    for references in App.product.compactMap({ $0.type.blobReferences }) {
      var after = ""
      while true {
        let (position, page) = (
          after, try await Self.reading(database) { [after] in try references.page(after, Self.pageMax, $0) }
        )
        guard let last = page.last, last > position else { break }
        after = last
        for id in page {
          for (index, key) in references.keys(id).enumerated() {
            if let data = try await blobs.get(key) {
              try write(key, data)
              progress.advance()
              count += 1
            } else if index == 0,
              try await !Self.reading(settings.databasePath, { try references.referenced([id], $0) }).isEmpty
            {
              missing.append(id)
            }
          }
        }
      }
    }
    return (count, missing)
  }

  /// Checks the audit log of a file. Its keyed digests are checked where the key ring is at hand. A log from before it was
  /// keyed, as that of the step before an upgrade, is read in a copy that has the columns of today.
  static func auditReport(
    _ path: String, keyring: Keyring?, _ world: World, _ progress: WorkProgress? = nil
  ) async throws -> AuditReport {
    let applied = try await SQLite.appliedMigrations(path, known: Schema.migrations)
    guard applied.contains(AuditStore.keyMigration.id) else {
      let copy = "\(path).audit"
      try await SQLite.copy(path, to: copy)
      defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: copy + end) } }
      let migrated = try SQLite(path: copy)
      do {
        try await migrated.migrate(Schema.migrations)
        try migrated.close()
      } catch {
        try? migrated.close()
        throw error
      }
      return try await auditReport(copy, keyring: keyring, world, progress)
    }
    let database = try SQLite(path: path)
    defer { try? database.close() }
    var vault: Vault?
    if let keyring, try await Vault.hasKeys(in: database) {
      vault = try await Vault.open(database, keyring: keyring, world: world)
    }
    return try await database.read { [vault] in try AuditStore($0).verify(by: vault, progress: progress) }
  }

  /// Reads a file through a store.
  static func reading<Value: Sendable>(
    _ path: String, _ body: @escaping @Sendable (any SQLTransaction) throws -> Value
  ) async throws -> Value {
    let database = try SQLite(path: path)
    defer { try? database.close() }
    return try await database.read(body)
  }
}
