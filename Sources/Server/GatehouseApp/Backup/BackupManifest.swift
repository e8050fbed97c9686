// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// What a backup says of itself: `manifest.json`. Every other file is listed in `SHA256SUMS`, in the form that
/// `sha256sum --check` reads; the manifest holds that list's digest.
package struct BackupManifest: Codable, Equatable {
  static let format = "gatehouse-backup/1"
  static let name = "manifest.json"
  static let sumsName = "SHA256SUMS"
  static let databaseName = "gatehouse.sqlite"
  static let keyringName = "keys/keyring.json"
  static let epochKeyName = "keys/epoch-key.json"
  static let imageFolder = "blobs"
  static let keyNames = [keyringName, epochKeyName]

  var format = Self.format
  /// RFC 3339, UTC: the instant that the database shows.
  package var takenAt: String
  /// The last step of the schema.
  package var schema: String
  package var includesKeyring: Bool
  var files: Int
  package var bytes: Int
  /// Objects beside the database.
  package var blobs: Int
  /// Pictures whose row was in the database and whose object was nowhere: they were lost before.
  package var missing: [String]
  var auditChains: Int
  package var auditLines: Int
  /// What `gatehouse audit verify` said of the copy; empty when the log was unbroken.
  package var auditFaults: [String]
  /// Why the keyed digests of the log were not checked: the key ring could not be opened. Nil when they were.
  package var auditKeysFault: String?
  /// Triggers and views of the database for which a restoration refuses it; nil in a backup of an older program.
  package var foreignCode: [String]?
  /// SHA-256 of `SHA256SUMS`.
  var sums: String

  static func read(from folder: String) throws -> BackupManifest {
    guard BackupFile.exists(name, in: folder) else {
      throw BackupError("there is no backup at \(folder): it has no \(name)", isMissing: true)
    }
    try BackupFile.require(name, in: folder)
    let data = FileManager.default.contents(atPath: "\(folder)/\(name)") ?? Data()
    guard let manifest = try? JSONDecoder().decode(BackupManifest.self, from: data), manifest.format == format else {
      throw BackupError("\(folder)/\(name) is not the manifest of a backup that this program knows")
    }
    return manifest
  }

  /// The list of the backup's files.
  /// - Throws: `BackupError` when it is not the one that was written, or counts other files than the manifest.
  func checksums(in folder: String) throws -> BackupChecksums {
    try BackupFile.require(Self.sumsName, in: folder)
    guard let text = FileManager.default.contents(atPath: "\(folder)/\(Self.sumsName)"), text.sha256Hex == sums
    else { throw BackupError("\(Self.sumsName) is missing or was changed") }
    let listed = try BackupChecksums(String(decoding: text, as: UTF8.self))
    try listed.requireFiles(of: self)
    return listed
  }
}

/// The files of a backup with their digests, one `digest␠␠path` a line.
struct BackupChecksums: Equatable {
  private(set) var digests: [(path: String, sha256: String)] = []

  static func == (one: BackupChecksums, other: BackupChecksums) -> Bool { one.text == other.text }

  mutating func add(_ path: String, _ sha256: String) { digests.append((path, sha256)) }

  var text: String { digests.map { "\($0.sha256)  \($0.path)\n" }.joined() }

  init() {}

  private static let digestBytes = Set("0123456789abcdef".utf8)
  private static let pathBytes = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._/-".utf8)

  /// - Throws: `BackupError` for a line in another form, or a path that leads out of the backup.
  init(_ text: String) throws {
    for line in text.split(separator: "\n") {
      let digest = line.prefix(64)
      let path = String(line.dropFirst(66))
      guard digest.utf8.count == 64, digest.utf8.allSatisfy(Self.digestBytes.contains),
        line.dropFirst(64).prefix(2) == "  ", (1...200).contains(path.utf8.count),
        path.utf8.allSatisfy(Self.pathBytes.contains)
      else { throw BackupError("\(BackupManifest.sumsName) has a line in another form") }
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else {
        throw BackupError("\(BackupManifest.sumsName) names a file outside of the backup")
      }
      add(path, String(digest))
    }
  }
}

/// Why a backup cannot be made or taken back. For the operator; names files, no customer.
package struct BackupError: Error, CustomStringConvertible, Equatable {
  package let description: String
  /// Whether what was named is not there.
  package let isMissing: Bool

  init(_ description: String, isMissing: Bool = false) {
    (self.description, self.isMissing) = (description, isMissing)
  }
}
