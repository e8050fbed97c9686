// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How a write-ahead log ends (SQLite file format §4): with a whole transaction, or in the middle of one.
package struct WALTail: Sendable {
  /// Frames of the running generation come after its last commit mark: a writer was killed inside a commit.
  package let isUncommitted: Bool

  private static let headerLength = 32
  private static let frameHeaderLength = 24

  package init(path: String) throws {
    guard let data = FileManager.default.contents(atPath: path), data.count >= Self.headerLength else {
      isUncommitted = false
      return
    }
    let bytes = Array(data)
    func number(at offset: Int) -> UInt32 { bytes[offset..<(offset + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
    let (pageSize, salts) = (Int(number(at: 8)), bytes[16..<24])
    let frameLength = Self.frameHeaderLength + pageSize
    var open = false
    var offset = Self.headerLength
    while pageSize > 0, offset + Self.frameHeaderLength <= bytes.count {
      // Frames of an older generation carry other salts: the log was begun anew over them.
      guard bytes[(offset + 8)..<(offset + 16)].elementsEqual(salts) else { break }
      // A commit is the frame that says how many pages the file has from now on.
      open = number(at: offset + 4) == 0 || offset + frameLength > bytes.count
      offset += frameLength
    }
    isUncommitted = open
  }
}
