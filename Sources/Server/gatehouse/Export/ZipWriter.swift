import Foundation
import Kit

/// Files in one ZIP archive, stored and not compressed: pictures are compressed already (APPNOTE 6.3.10 §4.3, without
/// ZIP64: an archive of 4 GiB or more is refused).
struct ZipWriter: ExportWriter {
  private struct Entry {
    let name: Data
    let crc: UInt32
    let size: UInt32
    let offset: UInt32
  }

  /// 1980-01-01, the earliest that the format knows: an export says itself when it was made.
  private static let dosDate: UInt16 = 0x0021
  /// Names are UTF-8 (§4.4.4, bit 11).
  private static let flags: UInt16 = 0x0800
  private static let version: UInt16 = 20

  private let path: String
  private let staged: String
  private let file: FileHandle
  private var entries: [Entry] = []
  private var length = 0

  /// - Throws: `BackupError` when there is something of that name.
  init(_ path: String, world: World) throws {
    guard !FileManager.default.fileExists(atPath: path) else { throw BackupError("\(path) is there already") }
    self.path = path
    staged = "\(path).\(world.uuid()).new"
    guard
      FileManager.default.createFile(atPath: staged, contents: nil, attributes: [.posixPermissions: 0o600]),
      let file = FileHandle(forWritingAtPath: staged)
    else { throw BackupError("\(path) cannot be written") }
    self.file = file
  }

  mutating func add(_ path: String, _ bytes: Data) throws {
    let name = Data(path.utf8)
    guard let size = UInt32(exactly: bytes.count), let offset = UInt32(exactly: length), name.count <= 0xffff else {
      throw Self.tooLarge
    }
    let entry = Entry(name: name, crc: CRC32.of(bytes), size: size, offset: offset)
    try write(little(UInt32(0x0403_4b50)) + facts(of: entry) + little(UInt16(0)) + name)
    try write(bytes)
    entries.append(entry)
  }

  mutating func finish() throws {
    guard let start = UInt32(exactly: length), let count = UInt16(exactly: entries.count) else { throw Self.tooLarge }
    for entry in entries {
      let head = little(UInt32(0x0201_4b50)) + little(Self.version) + facts(of: entry)
      // No extra, no comment, disk 0, internal and external attributes 0.
      try write(head + Data(repeating: 0, count: 12) + little(entry.offset) + entry.name)
    }
    guard let end = UInt32(exactly: length) else { throw Self.tooLarge }
    let counts = little(count) + little(count) + little(end - start) + little(start)
    try write(little(UInt32(0x0605_4b50)) + Data(repeating: 0, count: 4) + counts + little(UInt16(0)))
    try file.synchronize()
    try file.close()
    try DurableFile.move(staged, to: path)
  }

  func abandon() {
    try? file.close()
    try? FileManager.default.removeItem(atPath: staged)
  }

  /// Version needed, flags, stored, time, date, CRC, both sizes, length of the name: shared by both headers (§4.3.7,
  /// §4.3.12); the length of the extra field follows.
  private func facts(of entry: Entry) -> Data {
    little(Self.version) + little(Self.flags) + little(UInt16(0)) + little(UInt16(0)) + little(Self.dosDate)
      + little(entry.crc) + little(entry.size) + little(entry.size) + little(UInt16(entry.name.count))
  }

  private mutating func write(_ bytes: Data) throws {
    try file.write(contentsOf: bytes)
    length += bytes.count
  }

  private func little(_ number: some FixedWidthInteger) -> Data {
    withUnsafeBytes(of: number.littleEndian) { Data($0) }
  }

  private static let tooLarge = BackupError("more than an archive can hold: export into a folder")
}
