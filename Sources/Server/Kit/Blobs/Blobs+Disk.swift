// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Blobs {
  /// One file an object below `folder`, spread over sub-folders, each written whole or not at all.
  package static func disk(_ folder: String) -> Blobs {
    let disk = BlobFolder(path: folder)
    return Blobs(
      put: disk.put, get: disk.get, delete: disk.delete, putStream: disk.putStream, getStream: disk.getStream,
      list: disk.list, sweepUnfinished: disk.sweepUnfinished, check: disk.check)
  }
}

/// Objects as files: `folder/ab/…ab`, the sub-folder being the end of the key, which is its random part.
private struct BlobFolder: Sendable {
  /// What has to be free on the disk for it to count as usable.
  static let freeBytesMin = 64 * 1024 * 1024
  private static let pieceBytes = 256 * 1024
  private static let threads = DispatchQueue(label: "gatehouse.blobs", attributes: .concurrent)

  let path: String

  /// Waits for the disk on a thread of its own: on the threads of the tasks, of which there are as many as processors,
  /// two that wait would keep everybody else from going on.
  @Sendable func put(_ key: String, _ bytes: Data) async throws {
    let target = try file(key)
    try await withCheckedThrowingContinuation { (written: CheckedContinuation<Void, any Error>) in
      Self.threads.async {
        written.resume(with: Result { try Self.writing { try DurableFile.write(bytes, to: target) } })
      }
    }
  }

  @Sendable func get(_ key: String) throws -> Data? {
    guard let file = try BlobFile(path: file(key)) else { return nil }
    var bytes = Data()
    while let piece = try file.read(upTo: Self.pieceBytes) {
      guard bytes.count + piece.count <= Blobs.wholeMax else { throw BlobError.tooLarge(bytesMax: Blobs.wholeMax) }
      bytes.append(piece)
    }
    return bytes
  }

  @Sendable func delete(_ key: String) throws {
    guard unlink(try file(key)) != 0, errno != ENOENT else { return }
    throw POSIXError.current
  }

  @Sendable func putStream(_ key: String, _ bytes: BlobBytes, _ bytesMax: Int) async throws {
    let target = try file(key)
    let staged = try Self.writing { try StagedFile(for: target) }
    var count = 0
    for try await piece in bytes {
      count += piece.count
      guard count <= bytesMax else { throw BlobError.tooLarge(bytesMax: bytesMax) }
      try Self.writing { try staged.append(piece) }
    }
    try Self.writing { try staged.commit() }
  }

  /// A disk without room is told as a bucket that takes nothing: callers may come again.
  private static func writing<Value>(_ write: () throws -> Value) throws -> Value {
    do { return try write() } catch { throw BlobError(noRoom: error) ?? error }
  }

  /// The open file keeps its content when it is replaced or deleted meanwhile.
  @Sendable func getStream(_ key: String) throws -> BlobBytes? {
    guard let file = try BlobFile(path: file(key)) else { return nil }
    return BlobBytes { .init { try file.read(upTo: Self.pieceBytes) } }
  }

  @Sendable func list(_ after: BlobPage.Cursor?, _ limit: Int) throws -> BlobPage {
    precondition((1...Blobs.pageMax).contains(limit), "A page has between one and \(Blobs.pageMax) objects.")
    let cursor = after?.rawValue ?? ""
    var objects: [BlobPage.Object] = []
    for folder in try names(in: path) where folder.utf8.count == 2 && folder >= cursor.prefix(2) {
      for key in try names(in: "\(path)/\(folder)") where BlobKey.isValid(key) && key.hasSuffix(folder) {
        guard "\(folder)/\(key)" > cursor, let object = try object(key, at: "\(path)/\(folder)/\(key)") else {
          continue
        }
        objects.append(object)
        if objects.count == limit { return BlobPage(objects: objects, next: .init("\(folder)/\(key)")) }
      }
    }
    return BlobPage(objects: objects, next: nil)
  }

  @Sendable func sweepUnfinished(before: Instant) throws -> Int {
    var count = 0
    for folder in try names(in: path) where folder.utf8.count == 2 {
      for name in try names(in: "\(path)/\(folder)") where name.hasSuffix(StagedFile.suffix) {
        guard let found = try object(name, at: "\(path)/\(folder)/\(name)"), found.modifiedAt < before else { continue }
        if unlink("\(path)/\(folder)/\(name)") == 0 { count += 1 }
      }
    }
    return count
  }

  @Sendable func check() throws {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    guard access(path, R_OK | W_OK | X_OK) == 0 else { throw POSIXError.current }
    let free = try FileManager.default.attributesOfFileSystem(forPath: path)[.systemFreeSize] as? NSNumber
    guard let free, free.intValue >= Self.freeBytesMin else { throw BlobError.unavailable }
  }

  private func file(_ key: String) throws -> String {
    // Anything else could walk out of the folder.
    try BlobKey.check(key)
    return "\(path)/\(key.suffix(2))/\(key)"
  }

  /// Ascending; none when the folder is not there.
  private func names(in folder: String) throws -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder).sorted() } catch let error as CocoaError
      where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile
    { return [] }
  }

  /// Nil when the file is gone by now.
  private func object(_ key: String, at path: String) throws -> BlobPage.Object? {
    var facts = stat()
    guard lstat(path, &facts) == 0 else {
      if errno == ENOENT { return nil }
      throw POSIXError.current
    }
    #if canImport(Glibc)
      let time = facts.st_mtim
    #else
      let time = facts.st_mtimespec
    #endif
    return BlobPage.Object(
      key: key, byteCount: Int(facts.st_size),
      modifiedAt: Instant(milliseconds: Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000))
  }
}

/// A file that is open for reading from its start; closed with the value.
private final class BlobFile: Sendable {
  private let descriptor: Int32

  /// - Returns: nil when there is no such file.
  init?(path: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 {
      if errno == ENOENT { return nil }
      throw POSIXError.current
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// - Returns: nil at the end.
  func read(upTo count: Int) throws -> Data? {
    var bytes = Data(count: count)
    while true {
      let got = bytes.withUnsafeMutableBytes { posixRead(descriptor, $0.baseAddress, $0.count) }
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw POSIXError.current }
      return got == 0 ? nil : bytes.prefix(got)
    }
  }
}

private func posixRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
