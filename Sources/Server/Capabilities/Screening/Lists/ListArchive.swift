// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// Entries of a list as bytes, small and quick to read: what a version of a list is kept as. A reader of today reads what
/// a release before wrote, so that an old decision can be searched for again.
enum ListArchive {
  enum Fault: Error, Equatable {
    /// The bytes are no archive, or of a form that this release does not know.
    case unreadable
  }

  private static let form: UInt8 = 1
  /// Entries in one piece.
  static let pieceMax = 20_000

  /// - Returns: pieces of at most `pieceMax` entries, in order; each can be read by itself.
  static func pieces(of entries: [WatchList.Entry]) -> [Data] {
    stride(from: 0, to: entries.count, by: pieceMax).map {
      encode(entries[$0..<min($0 + pieceMax, entries.count)])
    }
  }

  private static func encode(_ entries: ArraySlice<WatchList.Entry>) -> Data {
    var writer = Writer()
    writer.bytes.append(form)
    writer.put(entries.count)
    for entry in entries { writer.put(entry) }
    return Data(writer.bytes)
  }

  /// One entry, as it stands in a piece.
  static func append(_ entry: WatchList.Entry, to bytes: inout [UInt8]) {
    var writer = Writer()
    swap(&writer.bytes, &bytes)
    writer.put(entry)
    swap(&writer.bytes, &bytes)
  }

  /// - Precondition: the bytes are what `append` wrote.
  static func entry(_ bytes: ArraySlice<UInt8>) -> WatchList.Entry {
    var reader = Reader(bytes: Array(bytes))
    guard let entry = try? entry(&reader) else { preconditionFailure("an entry was written and cannot be read") }
    return entry
  }

  static func decode(_ piece: Data) throws(Fault) -> [WatchList.Entry] {
    var reader = Reader(bytes: Array(piece))
    guard try reader.byte() == form else { throw .unreadable }
    let entries = try reader.array { reader throws(Fault) in try entry(&reader) }
    guard reader.isAtEnd else { throw .unreadable }
    return entries
  }

  private static func entry(_ reader: inout Reader) throws(Fault) -> WatchList.Entry {
    let reference = try reader.text()
    guard let kind = WatchList.Kind(rawValue: try reader.text()) else { throw .unreadable }
    let sex = WatchList.Sex(rawValue: try reader.text())
    let names = try reader.texts()
    guard !names.isEmpty else { throw .unreadable }
    return WatchList.Entry(
      reference: reference, kind: kind, names: names, weakNames: try reader.texts(), sex: sex,
      datesOfBirth: try reader.array { reader throws(Fault) in try birth(&reader) },
      placesOfBirth: try reader.texts(), nationalities: Set(try reader.texts()),
      identifiers: try reader.array { reader throws(Fault) in
        let (type, number, country) = (try reader.text(), try reader.text(), try reader.text())
        return WatchList.IdentityNumber(type: type, number: number, country: country.isEmpty ? nil : country)
      },
      programmes: try reader.texts(), addresses: try reader.texts(), topics: try reader.texts(),
      remarks: try reader.texts())
  }

  private static func birth(_ reader: inout Reader) throws(Fault) -> BirthDate {
    let (first, last) = (PartialDate(try reader.date()), PartialDate(try reader.date()))
    guard let date = BirthDate(from: first, to: last, isApproximate: try reader.number() == 1) else {
      throw .unreadable
    }
    return date
  }

  private struct Writer {
    var bytes: [UInt8] = []

    mutating func put(_ entry: WatchList.Entry) {
      put(entry.reference)
      put(entry.kind.rawValue)
      put(entry.sex?.rawValue ?? "")
      put(entry.names)
      put(entry.weakNames)
      put(entry.datesOfBirth) { writer, date in
        writer.put(date.first)
        writer.put(date.last)
        writer.put(date.isApproximate ? 1 : 0)
      }
      put(entry.placesOfBirth)
      put(entry.nationalities.sorted())
      put(entry.identifiers) { writer, number in
        writer.put(number.type)
        writer.put(number.number)
        writer.put(number.country ?? "")
      }
      for texts in [entry.programmes, entry.addresses, entry.topics, entry.remarks] { put(texts) }
    }

    /// Seven bits a byte, the lowest first (LEB128).
    mutating func put(_ number: Int) {
      var rest = UInt64(number)
      while rest >= 0x80 {
        bytes.append(UInt8(rest & 0x7F) | 0x80)
        rest >>= 7
      }
      bytes.append(UInt8(rest))
    }

    mutating func put(_ text: String) {
      put(text.utf8.count)
      bytes.append(contentsOf: text.utf8)
    }

    mutating func put(_ texts: [String]) { put(texts) { writer, text in writer.put(text) } }

    mutating func put(_ date: CalendarDate) {
      for part in [date.year, date.month, date.day] { put(part) }
    }

    mutating func put<Value>(_ values: [Value], _ one: (inout Writer, Value) -> Void) {
      put(values.count)
      for value in values { one(&self, value) }
    }
  }

  private struct Reader {
    let bytes: [UInt8]
    private var index = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index == bytes.count }

    mutating func byte() throws(Fault) -> UInt8 {
      guard index < bytes.count else { throw .unreadable }
      defer { index += 1 }
      return bytes[index]
    }

    /// Numbers here count bytes of one piece: four bytes of seven bits are enough.
    mutating func number() throws(Fault) -> Int {
      var number = 0
      for shift in stride(from: 0, through: 21, by: 7) {
        let next = try byte()
        number |= Int(next & 0x7F) << shift
        if next < 0x80 { return number }
      }
      throw .unreadable
    }

    mutating func text() throws(Fault) -> String {
      let count = try number()
      guard count <= bytes.count - index else { throw .unreadable }
      defer { index += count }
      guard let text = String(validating: bytes[index..<index + count], as: UTF8.self) else { throw .unreadable }
      return text
    }

    mutating func texts() throws(Fault) -> [String] { try array { reader throws(Fault) in try reader.text() } }

    mutating func date() throws(Fault) -> CalendarDate {
      let (year, month, day) = (try number(), try number(), try number())
      guard let date = CalendarDate(year: year, month: month, day: day) else { throw .unreadable }
      return date
    }

    mutating func array<Value>(_ one: (inout Reader) throws(Fault) -> Value) throws(Fault) -> [Value] {
      let count = try number()
      // Each value has a byte at least, so that a false count asks for no more memory than there are bytes.
      guard count <= bytes.count - index else { throw .unreadable }
      var values: [Value] = []
      values.reserveCapacity(count)
      for _ in 0..<count { values.append(try one(&self)) }
      return values
    }
  }
}
