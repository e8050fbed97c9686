// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit

/// Writes archives by hand, well-formed or with one lie in them.
package struct ZipFixture: Sendable {
  package struct Entry: Sendable {
    package var name: Data
    package var bytes: Data
    package var method: UInt16 = 0
    package var flags: UInt16 = 0x0800
    package var crc: UInt32
    /// As the directory says.
    package var size: UInt32
    /// As the local header says; nil is the directory's name.
    package var localName: Data?
    /// Where the directory says that it lies; nil is the truth.
    package var offset: UInt32?
  }

  package var entries: [Entry] = []
  package var comment = Data()
  package var count: UInt16?

  /// - Parameter files: by name, stored.
  package init(_ files: [(name: String, bytes: Data)] = []) {
    for (name, bytes) in files {
      entries.append(
        Entry(name: Data(name.utf8), bytes: bytes, crc: CRC32.of(bytes), size: UInt32(bytes.count)))
    }
  }

  package var data: Data {
    var (all, offsets) = (Data(), [UInt32]())
    for entry in entries {
      offsets.append(UInt32(all.count))
      all += little(UInt32(0x0403_4b50)) + facts(entry, name: entry.localName ?? entry.name)
      all += little(UInt16(0)) + (entry.localName ?? entry.name) + entry.bytes
    }
    let start = all.count
    for (entry, offset) in zip(entries, offsets) {
      all += little(UInt32(0x0201_4b50)) + little(UInt16(20)) + facts(entry, name: entry.name)
      all += Data(repeating: 0, count: 12) + little(entry.offset ?? offset) + entry.name
    }
    let size = UInt32(all.count - start)
    let number = count ?? UInt16(entries.count)
    all += little(UInt32(0x0605_4b50)) + Data(repeating: 0, count: 4) + little(number) + little(number)
    return all + little(size) + little(UInt32(start)) + little(UInt16(comment.count)) + comment
  }

  private func facts(_ entry: Entry, name: Data) -> Data {
    little(UInt16(20)) + little(entry.flags) + little(entry.method) + Data(repeating: 0, count: 4)
      + little(entry.crc) + little(UInt32(entry.bytes.count)) + little(entry.size) + little(UInt16(name.count))
  }

  private func little(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}
