import Foundation

/// Writes archives by hand, well-formed or with one lie in them.
struct ZipFixture {
  struct Entry {
    var name: Data
    var bytes: Data
    var method: UInt16 = 0
    var flags: UInt16 = 0x0800
    var crc: UInt32
    /// As the directory says.
    var size: UInt32
    /// As the local header says; nil is the directory's name.
    var localName: Data?
    /// Where the directory says that it lies; nil is the truth.
    var offset: UInt32?
  }

  var entries: [Entry] = []
  var comment = Data()
  var count: UInt16?

  mutating func add(_ name: String, _ bytes: Data, crc: UInt32, change: (inout Entry) -> Void = { _ in }) {
    var entry = Entry(name: Data(name.utf8), bytes: bytes, crc: crc, size: UInt32(bytes.count))
    change(&entry)
    entries.append(entry)
  }

  var data: Data {
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
