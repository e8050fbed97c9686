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
    let file = try StagedFile(for: path)
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
