// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file of a backup. Who brings the backup made its folder: a link in it would have a restore read, and change, what
/// lies elsewhere, and a pipe or a device is read without an end.
enum BackupFile {
  /// Whether there is something at a path, whatever it is.
  static func exists(_ path: String, in folder: String) -> Bool { kind(of: "\(folder)/\(path)") != nil }

  /// - Throws: `BackupError` unless it is a file in folders of the backup itself.
  static func require(_ path: String, in folder: String) throws {
    var place = folder
    let parts = path.split(separator: "/")
    for (index, part) in parts.enumerated() {
      place += "/\(part)"
      guard let kind = kind(of: place) else { throw BackupError("\(path) is missing") }
      guard kind == (index == parts.count - 1 ? S_IFREG : S_IFDIR) else {
        throw BackupError("\(path) is no file of the backup itself, but a link, a pipe or a device")
      }
    }
  }

  /// Of what is there itself, and not of what a link leads to.
  private static func kind(of path: String) -> mode_t? {
    var status = stat()
    return lstat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}

extension BackupChecksums {
  /// - Throws: `BackupError` for a list with other files than a backup has, and one that names a file twice.
  func requireFiles(of manifest: BackupManifest) throws {
    let paths = Set(digests.map(\.path))
    let objects = paths.filter(Self.isObject)
    guard paths.count == digests.count, paths.count == manifest.files, paths.contains(BackupManifest.databaseName),
      objects.count == manifest.blobs, manifest.includesKeyring == paths.contains(BackupManifest.keyringName)
    else { throw BackupError("the manifest counts other files than \(BackupManifest.sumsName) lists") }
    let others = paths.subtracting(objects).subtracting([BackupManifest.databaseName]).subtracting(
      BackupManifest.keyNames)
    if let path = others.min() { throw BackupError("\(BackupManifest.sumsName) lists \(path), which no backup has") }
  }

  /// Where an object of a name lies; no other path leads to that name.
  private static func isObject(_ path: String) -> Bool {
    let parts = path.split(separator: "/")
    return parts.count == 3 && parts[0] == BackupManifest.imageFolder && BlobKey.isValid(String(parts[2]))
      && parts[1] == parts[2].suffix(2)
  }
}
