// SPDX-License-Identifier: Apache-2.0

import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that is written beside its target and takes its place when it is whole. Let go before that, it vanishes; after
/// a crash it stays, under a name that ends with `suffix`.
package final class StagedFile {
  /// How the names of unfinished files end.
  package static let suffix = ".new"

  private let target: String
  private let path: String
  private var descriptor: Int32

  /// Opens an empty file in the target's folder, which is made when it is not there.
  /// - Parameter mode: of the file, whatever the process's umask.
  package init(for target: String, mode: UInt32 = 0o600) throws {
    self.target = target
    path = "\(target).\(UUID().uuidString)\(Self.suffix)"
    try Self.makeFolder(URL(fileURLWithPath: target).deletingLastPathComponent().path)
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0, mode == 0o600 || fchmod(descriptor, mode_t(mode)) == 0 else { throw POSIXError.current }
  }

  deinit {
    guard descriptor >= 0 else { return }
    close(descriptor)
    unlink(path)
  }

  package func append(_ data: Data) throws {
    try data.withUnsafeBytes { buffer in
      var written = 0
      while written < buffer.count, let base = buffer.baseAddress {
        let count = posixWrite(descriptor, base + written, buffer.count - written)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw POSIXError.current }
        written += count
      }
    }
  }

  /// Makes the content durable under the target's name, in place of what was there.
  package func commit() throws {
    try finish()
    guard rename(path, target) == 0 else {
      defer { unlink(path) }
      throw POSIXError.current
    }
    try DurableFile.syncFolder(of: target)
  }

  /// As `commit`, unless the target is there already: of racing creators exactly one succeeds.
  /// - Returns: false when it was there.
  package func commitAsNew() throws -> Bool {
    try finish()
    defer { unlink(path) }
    guard link(path, target) == 0 else {
      if errno == EEXIST { return false }
      throw POSIXError.current
    }
    try DurableFile.syncFolder(of: target)
    return true
  }

  private func finish() throws {
    precondition(descriptor >= 0, "A staged file is committed once.")
    guard fsync(descriptor) == 0 else { throw POSIXError.current }
    close(descriptor)
    descriptor = -1
  }

  /// Makes a folder, and those that it is in, such that they survive power loss: the entry of each is synced in its
  /// parent.
  /// - Returns: the folders that were not there, the outermost first.
  @discardableResult
  static func makeFolder(_ path: String) throws -> [String] {
    var made: [String] = []
    var folder = URL(fileURLWithPath: path).standardizedFileURL
    while !FileManager.default.fileExists(atPath: folder.path), folder.path != "/" {
      made.insert(folder.path, at: 0)
      folder = folder.deletingLastPathComponent()
    }
    guard !made.isEmpty else { return [] }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    for folder in made { try DurableFile.syncFolder(of: folder) }
    return made
  }
}

extension POSIXError {
  /// What the call before failed with.
  package static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
