// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Files in one ZIP archive, stored and not compressed (see `ZipRecords`).
package struct ZipWriter: ExportWriter {
  private let path: String
  private let staged: String
  private let file: FileHandle
  private var records = ZipRecords()

  /// - Parameter onStaged: told what it is called until `finish`, before anything is there.
  /// - Throws: `BackupError` when there is something of that name.
  package init(_ path: String, world: World, onStaged: (String) -> Void = { _ in }) throws {
    guard !FileManager.default.fileExists(atPath: path) else { throw BackupError("\(path) is there already") }
    self.path = path
    staged = "\(path).\(world.uuid()).new"
    onStaged(staged)
    // Of mode 0600 from the beginning: who opened it before would read what is written later.
    let descriptor = open(staged, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw BackupError("\(path) cannot be written") }
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  package mutating func add(_ path: String, _ bytes: Data) throws {
    let header: Data
    do throws(ZipRecords.TooLarge) {
      header = try records.header(of: path, size: bytes.count, crc: CRC32.of(bytes))
    } catch { throw Self.tooLarge }
    try file.write(contentsOf: header)
    try file.write(contentsOf: bytes)
  }

  package mutating func finish() throws {
    let directory: Data
    do throws(ZipRecords.TooLarge) { directory = try records.directory() } catch { throw Self.tooLarge }
    try file.write(contentsOf: directory)
    try file.synchronize()
    try file.close()
    try DurableFile.move(staged, to: path)
  }

  package func abandon() {
    try? file.close()
    try? FileManager.default.removeItem(atPath: staged)
  }

  private static let tooLarge = BackupError("more than an archive can hold: export into a folder")
}
