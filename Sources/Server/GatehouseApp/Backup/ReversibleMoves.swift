// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Changes of files that can be taken back, the last one first.
struct ReversibleMoves {
  private var reversals: [() throws -> Void] = []

  /// Puts a file or a folder under another name on the same disk.
  mutating func move(_ source: String, to target: String) throws {
    // Noted first: a move that fails may have been made all the same, when only its syncing failed.
    reversals.append {
      let files = FileManager.default
      guard files.fileExists(atPath: target), !files.fileExists(atPath: source) else { return }
      try DurableFile.move(target, to: source)
    }
    try DurableFile.move(source, to: target)
  }

  /// Writes a file in place of the one that is there, if any.
  mutating func write(_ data: Data, to path: String) throws {
    let before = FileManager.default.contents(atPath: path)
    reversals.append {
      if let before {
        try DurableFile.write(before, to: path)
      } else if FileManager.default.fileExists(atPath: path) {
        try FileManager.default.removeItem(atPath: path)
      }
    }
    try DurableFile.write(data, to: path)
  }

  /// - Throws: what kept a change from being taken back; those before it are left as they are.
  mutating func undo() throws {
    while let reversal = reversals.popLast() { try reversal() }
  }
}
