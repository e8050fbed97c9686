// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that are either wholly there after a crash or not at all.
package enum DurableFile {
  /// Writes beside the target, syncs, renames over it and syncs the folder.
  package static func write(_ data: Data, to path: String, mode: UInt32 = 0o600) throws {
    let file = try StagedFile(for: path, mode: mode)
    try file.append(data)
    try file.commit()
  }

  /// As `write`, unless the file is there already: of racing creators exactly one succeeds.
  /// - Returns: false when there was a file.
  package static func create(_ data: Data, at path: String) throws -> Bool {
    let file = try StagedFile(for: path)
    try file.append(data)
    return try file.commitAsNew()
  }

  /// Keeps other programs that ask for the same out of the folder of a file meanwhile.
  static func locked<Value>(folderOf path: String, _ body: () throws -> Value) throws -> Value {
    let descriptor = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw posixError() }
    // The lock goes with the descriptor, also when the program dies.
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX) == 0 else { throw posixError() }
    return try body()
  }

  /// Makes the entry of a file or folder in its folder durable.
  static func syncFolder(of path: String) throws {
    let descriptor = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw posixError() }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw posixError() }
  }

  /// What the call before failed with.
  static func posixError() -> any Error { POSIXError.current }
}

extension DurableFile {
  /// Bytes that are read at once.
  private static let chunkMax = 1 << 20

  /// Puts a file or a folder under another name on the same disk, whole or not at all, also after power loss. What has
  /// that name already is replaced when it is a file or an empty folder.
  package static func move(_ source: String, to target: String) throws {
    guard rename(source, target) == 0 else { throw posixError() }
    try syncFolder(of: target)
    try syncFolder(of: source)
  }

  /// Waits until a file that other code wrote is on disk.
  package static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw posixError() }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw posixError() }
    try syncFolder(of: path)
  }

  /// Whether what is at a path could be read as a file by no user: a folder, or a link that leads to nothing.
  static func isNoFile(_ path: String) -> Bool {
    var status = stat()
    if stat(path, &status) == 0 { return status.st_mode & S_IFMT == S_IFDIR }
    return errno != EACCES && lstat(path, &status) == 0
  }

  /// SHA-256 of a file of any size, in lower-case hexadecimal digits, and its length in bytes.
  package static func digest(_ path: String) throws -> (sha256: String, bytes: Int) {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    var (hash, bytes) = (SHA256(), 0)
    while let chunk = try file.read(upToCount: chunkMax), !chunk.isEmpty {
      hash.update(data: chunk)
      bytes += chunk.count
    }
    return (hash.finalize().hex, bytes)
  }
}
