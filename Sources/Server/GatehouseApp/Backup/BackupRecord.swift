// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

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

  func write(to settings: Settings) throws {
    try DurableFile.write(try JSONEncoder().encode(self), to: "\(settings.dataFolder)/\(Self.name)")
  }
}

extension BackupManifest {
  /// Whether nothing that the copy names is missing, and its audit log and schema are as they should be.
  var isSound: Bool {
    missing.isEmpty && auditFaults.isEmpty && auditKeysFault == nil && (foreignCode ?? []).isEmpty
  }
}
