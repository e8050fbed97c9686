// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Takes a backup back. Everything is checked beside the place where it goes, and nothing that was there is destroyed.
///
/// 1. The list of files is the one of the manifest, every file the one of the list.
/// 2. The database is sound (`integrity_check`, `foreign_key_check`), of a schema that this program knows, its audit log
///    is what the manifest says, and the key ring opens it.
/// 3. What was in the way is put aside; objects, key ring and database take their places, the database last: without it
///    there is no installation. When one of them cannot, everything goes back to where it was.
package struct Restore {
  let settings: Settings
  let world: World

  /// Told how far the checking and the copying have come.
  package var progress = WorkProgress()

  /// Told the folder of the copy, before anything is in it.
  package var onStaged: @Sendable (String) -> Void = { _ in }
  /// Told before the copy is moved into its place, which takes a moment and must not end between two moves.
  package var onInstalling: @Sendable () -> Void = {}

  package init(settings: Settings, world: World) { (self.settings, self.world) = (settings, world) }

  package struct Report {
    package let manifest: BackupManifest
    /// Steps of the schema that the next start applies.
    package let pendingMigrations: Int
    /// Persons whose data cannot be opened, for the epoch key is of a later epoch.
    package let unreadable: Int
    /// What a newer backup's keys of persons did; nil when none was named.
    package let keys: SubjectKeyTransfer.Report?
    /// Where what was in the way is now; nil when nothing was.
    package let aside: String?
  }

  /// - Parameters:
  ///   - keyring: a key ring file; nil takes the one of the backup, or else the one that is in place.
  ///   - epochKey: an epoch key file; nil takes the one that is in place, or else the one of the backup.
  ///   - subjectKeys: the folder of a newer backup, whose keys of persons open this one; nil takes this one's own.
  ///   - force: puts an installation that is there aside. None of its processes may run.
  package func run(
    from folder: String, keyring: String?, epochKey: String? = nil, subjectKeys: String? = nil, force: Bool
  ) async throws -> Report {
    let manifest = try BackupManifest.read(from: folder)
    guard manifest.blobs == 0 || settings.blobsURL == nil else {
      throw BackupError("the backup holds images, and blobs.url names another place for them: unset it for the restore")
    }
    let sums = try Self.verified(manifest, in: folder, progress)
    let occupied = self.occupied
    guard force || occupied.isEmpty else {
      throw BackupError(
        "\(settings.dataFolder) holds an installation: stop its processes and say --force to put it aside")
    }
    let ring = try self.ring(of: manifest, in: folder, given: keyring)
    let staged = "\(settings.dataFolder)/restoring-\(world.uuid())"
    onStaged(staged)
    try FileManager.default.createDirectory(
      atPath: staged, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    defer { try? FileManager.default.removeItem(atPath: staged) }
    try DurableFile.write(ring, to: "\(staged)/\(BackupManifest.keyringName)")
    try copy(sums, from: folder, to: staged)
    let pending = try await check(staged, against: manifest)
    var keys: SubjectKeyTransfer.Report?
    if let subjectKeys { keys = try await takeKeys(of: subjectKeys, newerThan: manifest, into: staged) }
    let (epochKey, unreadable) = try await self.epochKey(in: folder, given: epochKey, for: staged)
    onInstalling()
    let aside = try install(staged, over: occupied, ring: ring, epochKey: epochKey)
    return Report(manifest: manifest, pendingMigrations: pending, unreadable: unreadable, keys: keys, aside: aside)
  }

  static func verified(
    _ manifest: BackupManifest, in folder: String, _ progress: WorkProgress? = nil
  ) throws -> BackupChecksums {
    let sums = try manifest.checksums(in: folder)
    // An epoch key is also read where the list does not have it.
    for path in BackupManifest.keyNames where BackupFile.exists(path, in: folder) {
      try BackupFile.require(path, in: folder)
    }
    progress?.begin("files to check", of: sums.digests.count)
    for (path, sha256) in sums.digests {
      try BackupFile.require(path, in: folder)
      guard try DurableFile.digest("\(folder)/\(path)").sha256 == sha256 else {
        throw BackupError("\(path) was changed")
      }
      progress?.advance()
    }
    return sums
  }

  /// What of an installation is there.
  private var occupied: [String] {
    // The log first: it must never lie beside another database.
    let files = ["-wal", "-shm", ""].map { settings.databasePath + $0 }
      .filter { FileManager.default.fileExists(atPath: $0) }
    let objects = (try? FileManager.default.contentsOfDirectory(atPath: settings.blobFolder)) ?? []
    return files + (objects.isEmpty ? [] : [settings.blobFolder])
  }

  private func ring(of manifest: BackupManifest, in folder: String, given: String?) throws -> Data {
    let path = given ?? (manifest.includesKeyring ? "\(folder)/\(BackupManifest.keyringName)" : settings.keyringPath)
    guard let ring = FileManager.default.contents(atPath: path) else {
      throw BackupError("there is no key ring at \(path): the backup holds none, name yours with --keyring")
    }
    return ring
  }

  /// Chooses the epoch key: the given one, or the first of the one in place and the backup's that is of this database.
  /// The one in place goes first, because the backup's may open what was destroyed since.
  /// - Returns: nil where there are no keys of persons; and how many of them were wrapped before that key's epoch.
  private func epochKey(in folder: String, given: String?, for staged: String) async throws -> (Data?, unreadable: Int)
  {
    let path = "\(staged)/\(BackupManifest.databaseName)"
    let steps = try await SQLite.appliedMigrations(path, known: Schema.migrations)
    guard steps.contains(SubjectKeyStore.migration.id) else { return (nil, 0) }
    let database = try SQLite(path: path)
    defer { try? database.close() }
    let kms = try settings.keyManagement()
    let paths = given.map { [$0] } ?? [settings.epochKeyPath, "\(folder)/\(BackupManifest.epochKeyName)"]
    var failure: any Error = EpochKeyError.missing(path: settings.epochKeyPath)
    for path in paths {
      do {
        guard let keys = try await SubjectKeys.open(database, file: EpochKeyFile(path, kms: kms), world: world) else {
          continue
        }
        let unreadable = try await database.read { try SubjectKeyStore($0).count(before: keys.earliestEpoch) }
        return (FileManager.default.contents(atPath: path), unreadable)
      } catch let error as EpochKeyError { failure = error }
    }
    guard try await database.read({ try SubjectKeyStore($0).haveBegun() }) else { return (nil, 0) }
    throw BackupError("\(failure) Name it with --epoch-key.")
  }

  /// Those between a folder and a file in it. The first is not made anew: a signal that ends the command removes it.
  private func makeFolders(of path: String, in folder: String) throws {
    var place = folder
    for part in path.split(separator: "/").dropLast() {
      place += "/\(part)"
      guard !FileManager.default.fileExists(atPath: place) else { continue }
      try FileManager.default.createDirectory(
        atPath: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    }
  }

  /// A copy is compared again with the list, for disks err.
  private func copy(_ sums: BackupChecksums, from folder: String, to staged: String) throws {
    let files = sums.digests.filter { !BackupManifest.keyNames.contains($0.path) }
    progress.begin("files to copy", of: files.count)
    for (path, sha256) in files {
      let target = "\(staged)/\(path)"
      try makeFolders(of: path, in: staged)
      try FileManager.default.copyItem(atPath: "\(folder)/\(path)", toPath: target)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: target)
      try DurableFile.sync(target)
      guard try DurableFile.digest(target).sha256 == sha256 else { throw BackupError("\(path) was changed") }
      progress.advance()
    }
  }

  /// - Returns: how many steps of the schema are still to come.
  private func check(_ staged: String, against manifest: BackupManifest) async throws -> Int {
    let path = "\(staged)/\(BackupManifest.databaseName)"
    let faults = try await SQLite.faults(path)
    guard faults.isEmpty else { throw BackupError("the database is damaged: \(faults.joined(separator: "; "))") }
    let applied: [String]
    do { applied = try await SQLite.appliedMigrations(path, known: Schema.migrations) } catch SQLError.schema(
      let reason)
    {
      throw BackupError("the backup is not for this program: \(reason)")
    }
    let foreign = try await Backup.foreignCode(of: path, applied: applied, in: staged)
    guard foreign.isEmpty else {
      throw BackupError(
        "the database has other triggers or views than this program makes: \(foreign.joined(separator: ", "))")
    }
    guard
      let ring = try? Keyring(at: "\(staged)/\(BackupManifest.keyringName)", kms: settings.keyManagement())
    else {
      throw BackupError("this key ring does not open the backup")
    }
    let audit = try await audit(of: path, keyring: ring, checksKeys: manifest.auditKeysFault == nil)
    guard audit.faults == manifest.auditFaults, audit.lines == manifest.auditLines, audit.chains == manifest.auditChains
    else { throw BackupError("the audit log is not the one of the manifest: \(audit.faults.joined(separator: "; "))") }
    try await SQLite.settle(path)
    return Schema.migrations.count - applied.count
  }

  /// - Throws: `BackupError` when the key ring does not open the database.
  /// - Parameter checksKeys: also the keyed digests; not when the backup was taken without the key ring.
  func audit(of path: String, keyring: Keyring, checksKeys: Bool = true) async throws -> AuditReport {
    let database = try SQLite(path: path)
    defer { try? database.close() }
    do { _ = try await Vault.open(database, keyring: keyring, world: world) } catch {
      throw BackupError("this key ring does not open the backup")
    }
    return try await Backup.auditReport(path, keyring: checksKeys ? keyring : nil, world, progress)
  }

  private func install(_ staged: String, over occupied: [String], ring: Data, epochKey: Data?) throws -> String? {
    let aside = "\(settings.dataFolder)/replaced-\(world.now().milliseconds)"
    var replaced = occupied
    var moves = ReversibleMoves()
    let oldRing = FileManager.default.contents(atPath: settings.keyringPath)
    let oldEpochKey = FileManager.default.contents(atPath: settings.epochKeyPath)
    func name(_ path: String) -> String { "\(aside)/\(URL(fileURLWithPath: path).lastPathComponent)" }
    let isRingReplaced = oldRing != nil && oldRing != ring
    let isEpochKeyReplaced = oldEpochKey != nil && epochKey != nil && oldEpochKey != epochKey
    if !replaced.isEmpty || isRingReplaced || isEpochKeyReplaced {
      try FileManager.default.createDirectory(
        atPath: aside, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    do {
      // The ring may lie on another disk, where nothing can be moved from; it is copied before anything is touched.
      if let oldRing, isRingReplaced { try DurableFile.write(oldRing, to: name(settings.keyringPath)) }
      if let oldEpochKey, isEpochKeyReplaced { try DurableFile.write(oldEpochKey, to: name(settings.epochKeyPath)) }
      for path in replaced { try moves.move(path, to: name(path)) }
      if isRingReplaced { replaced.append(settings.keyringPath) }
      if isEpochKeyReplaced { replaced.append(settings.epochKeyPath) }
      let objects = "\(staged)/\(BackupManifest.imageFolder)"
      if FileManager.default.fileExists(atPath: objects) { try moves.move(objects, to: settings.blobFolder) }
      try moves.write(ring, to: settings.keyringPath)
      if let epochKey { try moves.write(epochKey, to: settings.epochKeyPath) }
      try moves.move("\(staged)/\(BackupManifest.databaseName)", to: settings.databasePath)
    } catch {
      // A server that was started meanwhile has made new files where the former ones are to go back to.
      guard (try? moves.undo()) != nil, occupied.allSatisfy({ !FileManager.default.fileExists(atPath: name($0)) })
      else {
        throw BackupError(
          "the restore failed half-way and could not be taken back: what was there is in \(aside), move it back by hand"
        )
      }
      try? FileManager.default.removeItem(atPath: aside)
      throw error
    }
    return replaced.isEmpty ? nil : aside
  }
}
