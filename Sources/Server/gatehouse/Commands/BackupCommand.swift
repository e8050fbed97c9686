// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Kit

/// Copies an installation while it runs.
struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Copy database and images into a new folder while the servers run.",
    discussion: """
      The key ring is left out unless asked for: with it and the data everything can be read. Back it up apart. On \
      PostgreSQL use pg_dump, for objects on S3 its versions; see docs/rights.md.
      """)

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "A folder that is not there yet.")
  var to: String
  @Flag(help: "Put the key ring and the epoch key beside the data that they open. No erasure reaches such a backup.")
  var withKeyring = false
  @Flag(inversion: .prefixedNo, help: "Copy the images as well.")
  var images = true

  func run() async throws {
    let settings = try await installation.settings()
    try settings.requireEmbedded("pg_dump --format=custom")
    // A bucket, or a folder of the operator's own, has a backup of its own.
    let copiesImages = images && settings.blobsURL == nil
    var backup = Backup(settings: settings, blobs: copiesImages ? .disk(settings.blobFolder) : nil, world: .live)
    backup.onStaged = InterruptedWork.remove
    let manifest = try await TerminalProgress.show("Copying", output) {
      backup.progress = $0
      return try await backup.take(to: to, withKeyring: withKeyring)
    }
    var recordFault: String?
    // A copy that is whole is no failure because its time could not be kept.
    do { try backup.record(manifest) } catch { recordFault = "\(error)" }
    let report = BackupReport(to: to, manifest, copiesImages: copiesImages, recordFault: recordFault)
    guard !output.json else {
      try output.show(report, [])
      return try report.requireSound()
    }
    print(
      """
      \(to): \(manifest.schema), \(manifest.blobs.counted("object", "objects")), \
      \(manifest.auditLines.counted("audit line", "audit lines")), \(manifest.bytes) bytes, \
      \(manifest.includesKeyring ? "with" : "without") the key ring.
      """)
    if !copiesImages { print("The images are not in it\(images ? ": blobs.url names where they are" : "").") }
    for id in manifest.missing { print("✗ image \(id) is nowhere: it was lost before") }
    for fault in manifest.auditFaults { print("✗ audit log: \(fault)") }
    if let fault = manifest.auditKeysFault { print("✗ audit log: its keyed digests were not checked. \(fault)") }
    for name in report.foreignCode { print("✗ database: \(name)") }
    if !report.foreignCode.isEmpty {
      print("  A restore refuses this backup: drop triggers and views of your own, and take another one.")
    }
    if let recordFault {
      print("! The backup is whole, and its time was not kept, so that servers tell an older one: \(recordFault)")
    }
    try report.requireSound()
  }
}

/// Tells of a backup that other means took.
struct RecordBackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record-backup",
    abstract: "Tell that a backup was taken by other means, such as pg_dump, whose age the servers tell as a metric.",
    discussion: "Run it when the copy is whole. `gatehouse backup` keeps its own time.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "The instant that the copy is of, in RFC 3339, as 2026-12-01T02:30:00Z (default: now).")
  var at: String?

  func validate() throws {
    guard at.map({ Instant(rfc3339: $0) != nil }) ?? true else {
      throw ValidationError("--at is an instant in RFC 3339, as 2026-12-01T02:30:00Z")
    }
  }

  func run() async throws {
    let app = try await installation.app()
    let takenAt = at.flatMap { Instant(rfc3339: $0) } ?? app.world.wall()
    try await ToldBackup.record(takenAt: takenAt, by: MachineUser.actor, in: app)
    try output.done("A backup of \(takenAt.rfc3339) is recorded.")
  }
}

/// What `backup` prints as JSON.
private struct BackupReport: Encodable {
  let folder, schema: String
  let objects, auditLines, bytes: Int
  let withKeyring, withImages: Bool
  /// Images that the database names and that are nowhere.
  let missing: [String]
  let auditFaults: [String]
  /// Triggers and views for which a restore refuses the backup.
  let foreignCode: [String]
  /// Why the time of the backup was not kept; the copy is whole all the same.
  let recordFault: String?

  init(to folder: String, _ manifest: BackupManifest, copiesImages: Bool, recordFault: String?) {
    (self.folder, schema) = (folder, "\(manifest.schema)")
    (objects, auditLines, bytes) = (Int(manifest.blobs), Int(manifest.auditLines), Int(manifest.bytes))
    (withKeyring, withImages) = (manifest.includesKeyring, copiesImages)
    missing = manifest.missing
    auditFaults = manifest.auditFaults + [manifest.auditKeysFault].compactMap(\.self)
    foreignCode = manifest.foreignCode ?? []
    self.recordFault = recordFault
  }

  func requireSound() throws {
    guard missing.isEmpty, auditFaults.isEmpty, foreignCode.isEmpty else { throw ExitCode.refused }
  }
}

/// What `restore` prints as JSON.
private struct RestoreReport: Encodable {
  let takenAt: String
  let objects, pendingMigrations, unreadable: Int
  let aside: String?

  init(_ report: Restore.Report) {
    (takenAt, objects) = (report.manifest.takenAt, Int(report.manifest.blobs))
    (pendingMigrations, unreadable, aside) = (report.pendingMigrations, report.unreadable, report.aside)
  }
}

/// Takes a backup back.
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Check a backup in every respect and put it in place.",
    discussion: "Persons who were erased since the backup was taken are there again: erase them again.")

  @OptionGroup var installation: InstallationOptions
  @OptionGroup var output: OutputOptions
  @Option(help: "The folder of the backup.")
  var from: String
  @Option(help: "A key ring file (default: the one of the backup, or else the one in place).")
  var keyring: String?
  @Option(help: "An epoch key file (default: the one in place, or else the one of the backup).")
  var epochKey: String?
  @Option(help: "The folder of a newer backup: its keys of persons open one whose epochs are destroyed.")
  var subjectKeys: String?
  @Flag(help: "Put the installation that is there aside. Stop its processes first.")
  var force = false
  @OptionGroup var confirmation: ConfirmationOptions

  func run() async throws {
    if force { try confirmation.confirm("The backup will take the place of the installation that is there.") }
    let settings = try await installation.settings()
    try settings.requireEmbedded("pg_restore")
    let report = try await TerminalProgress.show("Restoring", output) {
      var restore = Restore(settings: settings, world: .live)
      restore.progress = $0
      (restore.onStaged, restore.onInstalling) = (InterruptedWork.remove, InterruptedWork.goOn)
      return try await restore.run(
        from: from, keyring: keyring, epochKey: epochKey, subjectKeys: subjectKeys, force: force)
    }
    guard !output.json else { return try output.show(RestoreReport(report), []) }
    print(
      """
      Restored the state of \(report.manifest.takenAt): \(report.manifest.blobs.counted("object", "objects")), audit \
      log as it was.
      """)
    if report.pendingMigrations > 0 {
      print("The next start brings the schema \(report.pendingMigrations.counted("step", "steps")) further.")
    }
    if let keys = report.keys {
      print(
        """
        \(keys.taken.counted("key of a person is", "keys of persons are")) of the newer backup. \
        \(keys.erased.counted("person was", "persons were")) erased by then, and their data cannot be opened.
        """)
    }
    if report.unreadable > 0 {
      let persons = report.unreadable.counted("person", "persons")
      print("The data of \(persons) cannot be opened: the keys of their epochs were destroyed.")
    }
    if let aside = report.aside { print("What was there is in \(aside); delete it when you need it no more.") }
    print("Persons who were erased after that instant are there again: erase them again.")
  }
}

extension Settings {
  /// - Throws: `ValidationError` when the data is in a PostgreSQL, whose own tools do this better.
  func requireEmbedded(_ tool: String) throws {
    guard databaseURL == nil else {
      throw CommandFailure.refused(
        "the data is in PostgreSQL: use \(tool), as docs/rights.md says, and keep key ring and images as well")
    }
  }
}
