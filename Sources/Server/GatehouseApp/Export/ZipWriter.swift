// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit

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
    guard
      FileManager.default.createFile(atPath: staged, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: staged)
    else { throw BackupError("\(path) cannot be written") }
    self.file = file
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
