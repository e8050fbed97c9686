import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files that are either wholly there after a crash or not at all.
package enum DurableFile {
  /// Writes beside the target, syncs, renames over it and syncs the folder. Mode 0600.
  package static func write(_ data: Data, to path: String) throws {
    let temporary = try stage(data, for: path)
    guard rename(temporary, path) == 0 else {
      defer { unlink(temporary) }
      throw posixError()
    }
    try syncFolder(of: path)
  }

  /// As `write`, unless the file is there already: of racing creators exactly one succeeds.
  /// - Returns: false when there was a file.
  package static func create(_ data: Data, at path: String) throws -> Bool {
    let temporary = try stage(data, for: path)
    defer { unlink(temporary) }
    guard link(temporary, path) == 0 else {
      if errno == EEXIST { return false }
      throw posixError()
    }
    try syncFolder(of: path)
    return true
  }

  /// - Returns: the path of a synced file with the content, in the folder of `path`.
  private static func stage(_ data: Data, for path: String) throws -> String {
    try makeFolder(URL(fileURLWithPath: path).deletingLastPathComponent().path)
    let temporary = path + ".\(UUID().uuidString).new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw posixError() }
    do {
      defer { close(descriptor) }
      try data.withUnsafeBytes { buffer in
        var written = 0
        while written < buffer.count, let base = buffer.baseAddress {
          let count = posixWrite(descriptor, base + written, buffer.count - written)
          if count < 0, errno == EINTR { continue }
          guard count > 0 else { throw posixError() }
          written += count
        }
      }
      guard fsync(descriptor) == 0 else { throw posixError() }
    } catch {
      unlink(temporary)
      throw error
    }
    return temporary
  }

  /// Makes a folder that survives power loss: its entry is synced in its parent.
  private static func makeFolder(_ path: String) throws {
    guard !FileManager.default.fileExists(atPath: path) else { return }
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    try syncFolder(of: path)
  }

  static func syncFolder(of path: String) throws {
    let descriptor = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw posixError() }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw posixError() }
  }

  static func posixError() -> any Error { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}

private func posixWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
