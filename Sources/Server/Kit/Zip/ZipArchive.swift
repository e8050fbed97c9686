// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The files of a ZIP archive that a stranger sent (APPNOTE 6.3.10), unpacked in memory.
///
/// 1. One volume without ZIP64; the directory lies right before the end record, whose comment reaches the last byte.
/// 2. As many entries as the end record says, at most `entriesMax`; folders are passed over.
/// 3. Names are UTF-8, relative, without `.` and `..`; no name comes twice. They are only ever compared: nothing is
///    written by them.
/// 4. Every local header says what the directory says of name and method, and no two entries share a byte.
/// 5. The promised sizes are within the limits before anything is unpacked, and are kept to the byte; the check sum
///    holds.
package struct ZipArchive: Sendable {
  /// By whole name, folders included, as `a1b2/front.jpg`.
  package let files: [String: Data]

  /// - Throws: `ZipProblem`.
  package init(_ bytes: Data, limits: ZipLimits) throws(ZipProblem) {
    let reader = ZipReader(bytes)
    let end = try reader.endRecord()
    guard end.count <= limits.entriesMax else { throw .tooManyEntries }
    let entries = try reader.directory(end)
    var names: Set<String> = []
    var total = 0
    for entry in entries {
      guard Self.isSafe(entry.name) else { throw .unsafeName }
      guard names.insert(entry.name).inserted else { throw .duplicateName }
      guard !entry.isEncrypted else { throw .encrypted }
      guard entry.method == .stored || entry.method == .deflated else { throw .unsupported }
      guard entry.size <= limits.entryBytesMax else { throw .tooLarge }
      total += entry.size
      guard total <= limits.totalBytesMax else { throw .tooLarge }
    }
    var reach = 0
    var files: [String: Data] = [:]
    for entry in entries.sorted(by: { $0.offset < $1.offset }) {
      guard entry.offset >= reach else { throw .damaged }
      let packed = try reader.content(of: entry, before: end.offset)
      reach = packed.endIndex
      guard !entry.isFolder else { continue }
      files[entry.name] = try Self.unpack(packed, entry)
    }
    self.files = files
  }

  private static func unpack(_ packed: Data, _ entry: ZipEntry) throws(ZipProblem) -> Data {
    let bytes: Data?
    switch entry.method {
    case .stored: bytes = packed.count == entry.size ? Data(packed) : nil
    case .deflated: bytes = Inflate.inflate(Data(packed), to: entry.size)
    default: bytes = nil
    }
    guard let bytes, CRC32.of(bytes) == entry.crc else { throw .damaged }
    return bytes
  }

  /// By bytes, as systems of files read them: a combining mark makes one character with the slash before it.
  private static func isSafe(_ name: String) -> Bool {
    let (slash, dot) = (UInt8(ascii: "/"), UInt8(ascii: "."))
    guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7f && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: ":") })
    else { return false }
    let path = name.utf8.last == slash ? name.utf8.dropLast() : name.utf8[...]
    return path.split(separator: slash, omittingEmptySubsequences: false).allSatisfy { part in
      !part.isEmpty && !part.elementsEqual([dot]) && !part.elementsEqual([dot, dot])
    }
  }
}

/// One entry as the directory describes it.
struct ZipEntry {
  enum Method: Equatable { case stored, deflated, other }

  let name: String
  let method: Method
  let isEncrypted: Bool
  let crc: UInt32
  let packedSize: Int
  let size: Int
  /// Of its local header.
  let offset: Int

  var isFolder: Bool { name.utf8.last == UInt8(ascii: "/") }
}
