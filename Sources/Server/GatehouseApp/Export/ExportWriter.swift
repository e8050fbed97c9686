// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Where the files of an export go. Nothing is there under its name before `finish`.
package protocol ExportWriter {
  /// - Parameter path: relative, with `/`.
  mutating func add(_ path: String, _ bytes: Data) throws
  mutating func finish() throws
  /// Removes what was written.
  func abandon()
}

/// Files in a folder, readable by their owner only.
package struct FolderWriter: ExportWriter {
  private let folder: String
  private let staged: String

  /// - Parameter onStaged: told what it is called until `finish`, before anything is there.
  /// - Throws: `BackupError` when there is something of that name.
  package init(_ folder: String, world: World, onStaged: (String) -> Void = { _ in }) throws {
    guard !FileManager.default.fileExists(atPath: folder) else { throw BackupError("\(folder) is there already") }
    self.folder = folder
    staged = "\(folder).\(world.uuid()).new"
    onStaged(staged)
  }

  package mutating func add(_ path: String, _ bytes: Data) throws {
    try DurableFile.write(bytes, to: "\(staged)/\(path)")
  }

  package mutating func finish() throws { try DurableFile.move(staged, to: folder) }

  package func abandon() { try? FileManager.default.removeItem(atPath: staged) }
}
