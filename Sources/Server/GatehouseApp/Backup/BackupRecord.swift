// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// When the last sound backup of an installation on SQLite was taken: a file of the data folder, which
/// `gatehouse backup` writes and the servers of the machine tell as a metric. A restore brings none along, so that a
/// restored installation is without one until its own first backup.
package struct BackupRecord: Codable, Sendable, Equatable {
  static let name = "last-backup.json"

  /// The instant that the backup is of, RFC 3339.
  let takenAt: String

  var instant: Instant? { Instant(rfc3339: takenAt) }

  /// - Returns: nil where none was taken.
  /// - Throws: the system's error where the file cannot be read; a `DecodingError` where it is not such a record.
  static func read(of settings: Settings) throws -> BackupRecord? {
    let path = "\(settings.dataFolder)/\(name)"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try JSONDecoder().decode(Self.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// Every user may read the file: it holds a time and nothing else, and root may have taken the backup, as whom no
  /// server runs.
  func write(to settings: Settings) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: "\(settings.dataFolder)/\(Self.name)", mode: 0o644)
  }
}

extension Backup {
  /// Keeps when a sound backup was taken. The copy is whole before this, whatever becomes of the record.
  /// - Throws: the system's error.
  package func record(_ manifest: BackupManifest) throws {
    if manifest.isSound { try BackupRecord(takenAt: manifest.takenAt).write(to: settings) }
  }
}

extension BackupManifest {
  /// Whether nothing that the copy names is missing, and its audit log and schema are as they should be.
  var isSound: Bool {
    missing.isEmpty && auditFaults.isEmpty && auditKeysFault == nil && (foreignCode ?? []).isEmpty
  }
}

/// Backups that other means took, such as `pg_dump` or a snapshot of a disk, as an operator told of them. They are
/// lines of the audit log, which every node reads; on SQLite the record of `gatehouse backup` is written as well.
package enum ToldBackup {
  static let (chain, action, fact) = ("backups", "backup.recorded", "taken_at")
  /// By how much the clock of the machine that took the copy may be ahead.
  static let skewMax = Duration.minutes(5)

  /// - Parameter takenAt: the instant that the copy is of.
  /// - Throws: `Problem` validation for an instant that is to come.
  package static func record(takenAt: Instant, by actor: String, in app: App) async throws {
    guard takenAt <= app.world.wall() + skewMax else {
      throw Problem.validation([.init("/at", "range", "A backup is of an instant that is over.")])
    }
    try await app.database.write(retrying: .outdated) { [audit = app.core.audit] tx in
      try audit.append(action, to: chain, by: actor, facts: [fact: takenAt.rfc3339], in: tx)
    }
    if app.database is SQLite { try BackupRecord(takenAt: takenAt.rfc3339).write(to: app.settings) }
  }

  /// The instant of the last one that was told; nil where none was.
  static func last(in database: any SQLDatabase) async throws -> Instant? {
    let line = try await database.read { try AuditStore($0).latest(1, of: chain).last }
    return line?.facts[fact].flatMap { Instant(rfc3339: $0) }
  }
}

extension App {
  /// When the last backup was taken, as far as it is known; nil before the first one.
  func lastBackup() async throws -> Instant? {
    if database is SQLite { return try BackupRecord.read(of: settings)?.instant }
    return try await ToldBackup.last(in: database)
  }
}
