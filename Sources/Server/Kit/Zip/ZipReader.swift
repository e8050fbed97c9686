// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The records of an archive, field by field (APPNOTE 6.3.10 §4.3). No length is believed before it was checked
/// against what is there.
struct ZipReader {
  struct End {
    let count: Int
    /// Of the directory, which reaches to the end record.
    let offset: Int
    let size: Int
  }

  private static let endSignature: UInt32 = 0x0605_4b50
  private static let entrySignature: UInt32 = 0x0201_4b50
  private static let localSignature: UInt32 = 0x0403_4b50
  private static let endLength = 22
  private static let entryLength = 46
  private static let localLength = 30

  private let bytes: Data

  init(_ bytes: Data) { self.bytes = bytes.startIndex == 0 ? bytes : Data(bytes) }

  /// The last place where an end record with its comment fills the archive to its end.
  func endRecord() throws(ZipProblem) -> End {
    var position = bytes.count - Self.endLength
    let first = max(0, position - Int(UInt16.max))
    while position >= first {
      if long(position) == Self.endSignature, position + Self.endLength + short(position + 20) == bytes.count { break }
      position -= 1
    }
    guard position >= first, position >= 0 else { throw .notAnArchive }
    let (count, size, offset) = (short(position + 10), long(position + 12), long(position + 16))
    guard count != 0xffff, size != .max, offset != .max, short(position + 4) == 0, short(position + 6) == 0,
      short(position + 8) == count
    else { throw .unsupported }
    guard Int(offset) + Int(size) == position else { throw .damaged }
    return End(count: count, offset: Int(offset), size: Int(size))
  }

  func directory(_ end: End) throws(ZipProblem) -> [ZipEntry] {
    var entries: [ZipEntry] = []
    var position = end.offset
    let limit = end.offset + end.size
    for _ in 0..<end.count {
      guard position + Self.entryLength <= limit, long(position) == Self.entrySignature else { throw .damaged }
      let (flags, method) = (short(position + 8), short(position + 10))
      let (packed, size, offset) = (long(position + 20), long(position + 24), long(position + 42))
      guard packed != .max, size != .max, offset != .max, short(position + 34) == 0 else { throw .unsupported }
      let nameLength = short(position + 28)
      let next = position + Self.entryLength + nameLength + short(position + 30) + short(position + 32)
      guard next <= limit else { throw .damaged }
      entries.append(
        ZipEntry(
          name: try name(at: position + Self.entryLength, length: nameLength), method: Self.method(method),
          isEncrypted: Self.isEncrypted(flags), crc: long(position + 16), packedSize: Int(packed), size: Int(size),
          offset: Int(offset)))
      position = next
    }
    guard position == limit else { throw .damaged }
    return entries
  }

  /// The packed bytes behind an entry's local header, as a slice of the archive.
  /// - Parameter limit: where the directory begins.
  func content(of entry: ZipEntry, before limit: Int) throws(ZipProblem) -> Data {
    let start = entry.offset
    guard start + Self.localLength <= limit, long(start) == Self.localSignature,
      Self.method(short(start + 8)) == entry.method, !Self.isEncrypted(short(start + 6))
    else { throw .damaged }
    let nameLength = short(start + 26)
    let content = start + Self.localLength + nameLength + short(start + 28)
    guard content + entry.packedSize <= limit,
      try name(at: start + Self.localLength, length: nameLength) == entry.name
    else { throw .damaged }
    return bytes[content..<(content + entry.packedSize)]
  }

  private func name(at position: Int, length: Int) throws(ZipProblem) -> String {
    guard let name = String(validating: bytes[position..<(position + length)], as: UTF8.self) else {
      throw .unsafeName
    }
    return name
  }

  private static func method(_ number: Int) -> ZipEntry.Method {
    switch number {
    case 0: .stored
    case 8: .deflated
    default: .other
    }
  }

  /// Traditional, strong, or with a masked directory (§4.4.4).
  private static func isEncrypted(_ flags: Int) -> Bool { flags & 0x2041 != 0 }

  private func short(_ position: Int) -> Int { Int(bytes[position]) | Int(bytes[position + 1]) << 8 }

  private func long(_ position: Int) -> UInt32 {
    UInt32(short(position)) | UInt32(short(position + 2)) << 16
  }
}
