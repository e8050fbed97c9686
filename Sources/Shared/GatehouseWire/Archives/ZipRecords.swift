// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The bytes of a ZIP archive around its files, which are stored and not compressed: pictures are compressed already
/// (APPNOTE 6.3.10 §4.3, without ZIP64: there is no archive of 4 GiB or more, and none of 65536 files).
///
/// Write what `header(of:…)` gives, then the file, and so on; at last what `directory()` gives.
public struct ZipRecords: Sendable {
  /// More than an archive can hold.
  public struct TooLarge: Error, Sendable {
    public init() {}
  }

  private struct Entry {
    let name: Data
    let crc: UInt32
    let size: UInt32
    let offset: UInt32
  }

  /// 1980-01-01, the earliest that the format knows: when a file was made is not disclosed.
  private static let dosDate: UInt16 = 0x0021
  /// Names are UTF-8 (§4.4.4, bit 11).
  private static let flags: UInt16 = 0x0800
  private static let version: UInt16 = 20

  private var entries: [Entry] = []
  private var length = 0

  public init() {}

  /// What goes before a file.
  /// - Parameters:
  ///   - name: with folders, divided by `/`.
  ///   - size: bytes.
  ///   - crc: CRC-32 as in ISO 3309 (§4.4.7).
  public mutating func header(of name: String, size: Int, crc: UInt32) throws(TooLarge) -> Data {
    let name = Data(name.utf8)
    guard let bytes = UInt32(exactly: size), let offset = UInt32(exactly: length), name.count <= 0xffff else {
      throw TooLarge()
    }
    let entry = Entry(name: name, crc: crc, size: bytes, offset: offset)
    let header = little(UInt32(0x0403_4b50)) + facts(of: entry) + little(UInt16(0)) + name
    entries.append(entry)
    length += header.count + size
    return header
  }

  /// What goes behind the last file.
  public func directory() throws(TooLarge) -> Data {
    guard let start = UInt32(exactly: length), let count = UInt16(exactly: entries.count) else { throw TooLarge() }
    let lines = entries.map { entry in
      let head = little(UInt32(0x0201_4b50)) + little(Self.version) + facts(of: entry)
      // No extra, no comment, disk 0, internal and external attributes 0.
      return head + Data(repeating: 0, count: 12) + little(entry.offset) + entry.name
    }
    let size = lines.reduce(0) { $0 + $1.count }
    guard UInt32(exactly: length + size) != nil else { throw TooLarge() }
    let counts = little(count) + little(count) + little(UInt32(size)) + little(start)
    let end = little(UInt32(0x0605_4b50)) + Data(repeating: 0, count: 4) + counts + little(UInt16(0))
    return Data(lines.joined()) + end
  }

  /// Version needed, flags, stored, time, date, CRC, both sizes, length of the name: shared by both headers (§4.3.7,
  /// §4.3.12); the length of the extra field follows.
  private func facts(of entry: Entry) -> Data {
    let version: Data = little(Self.version) + little(Self.flags) + little(UInt16(0))
    let time: Data = little(UInt16(0)) + little(Self.dosDate)
    let content: Data = little(entry.crc) + little(entry.size) + little(entry.size)
    return version + time + content + little(UInt16(entry.name.count))
  }

  private func little(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }
}
