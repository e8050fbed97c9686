// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A CBOR data item (RFC 8949), as far as authenticators write them: the CTAP2 canonical form without tags and floating
/// point numbers.
indirect enum CBOR: Equatable {
  case unsigned(UInt64)
  /// The value is −1 − the associated one, as it is encoded.
  case negative(UInt64)
  case bytes(Data)
  case text(String)
  case array([CBOR])
  case map([(key: CBOR, value: CBOR)])
  case bool(Bool)
  case null

  struct Malformed: Error {}

  /// Decodes one data item that takes all of the bytes.
  /// - Throws: `Malformed`.
  static func decode(_ data: Data) throws -> CBOR {
    let (item, length) = try decodeFirst(data)
    guard length == data.count else { throw Malformed() }
    return item
  }

  /// Decodes the data item at the beginning of the bytes.
  /// - Returns: the item, and how many bytes it takes.
  /// - Throws: `Malformed`.
  static func decodeFirst(_ data: Data) throws -> (item: CBOR, length: Int) {
    guard data.count <= CBORReader.bytesMax else { throw Malformed() }
    var reader = CBORReader(bytes: [UInt8](data))
    let item = try reader.item(depth: 0)
    return (item, reader.position)
  }

  /// The value of a map's key; nil in anything else.
  subscript(key: CBOR) -> CBOR? {
    guard case .map(let entries) = self else { return nil }
    return entries.first { $0.key == key }?.value
  }

  subscript(key: String) -> CBOR? { self[.text(key)] }

  /// By a number, as COSE keys have them.
  subscript(key: Int) -> CBOR? { self[CBOR(key)] }

  init(_ number: Int) { self = number < 0 ? .negative(UInt64(-1 - number)) : .unsigned(UInt64(number)) }

  static func == (one: CBOR, other: CBOR) -> Bool {
    switch (one, other) {
    case (.unsigned(let one), .unsigned(let other)), (.negative(let one), .negative(let other)): one == other
    case (.bytes(let one), .bytes(let other)): one == other
    // By the bytes: other forms of the same characters are other keys.
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.array(let one), .array(let other)): one == other
    case (.map(let one), .map(let other)):
      one.count == other.count && zip(one, other).allSatisfy { $0.key == $1.key && $0.value == $1.value }
    case (.bool(let one), .bool(let other)): one == other
    case (.null, .null): true
    default: false
    }
  }
}

/// Reads data items one byte after the other. Lengths are checked against what is left before anything is allocated.
private struct CBORReader {
  static let bytesMax = 64 * 1024
  /// Attestation objects are four levels deep at most.
  private static let depthMax = 8
  private static let entriesMax = 256

  let bytes: [UInt8]
  private(set) var position = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var left: Int { bytes.count - position }

  mutating func item(depth: Int) throws -> CBOR {
    guard depth < Self.depthMax else { throw CBOR.Malformed() }
    let initial = try byte()
    let (major, short) = (initial >> 5, initial & 31)
    if major == 7 {
      switch short {
      case 20: return .bool(false)
      case 21: return .bool(true)
      case 22: return .null
      default: throw CBOR.Malformed()
      }
    }
    let argument = try argument(short)
    switch major {
    case 0: return .unsigned(argument)
    case 1: return .negative(argument)
    case 2: return .bytes(Data(try take(argument)))
    case 3:
      guard let text = String(validating: try take(argument), as: UTF8.self) else { throw CBOR.Malformed() }
      return .text(text)
    case 4: return .array(try (0..<count(argument)).map { _ in try item(depth: depth + 1) })
    case 5: return .map(try entries(count(argument), depth: depth + 1))
    default: throw CBOR.Malformed()
    }
  }

  private mutating func entries(_ count: Int, depth: Int) throws -> [(key: CBOR, value: CBOR)] {
    var entries: [(key: CBOR, value: CBOR)] = []
    for _ in 0..<count {
      let key = try item(depth: depth)
      guard !entries.contains(where: { $0.key == key }) else { throw CBOR.Malformed() }
      entries.append((key, try item(depth: depth)))
    }
    return entries
  }

  /// The number after the initial byte, in its shortest form only; no indefinite length.
  private mutating func argument(_ short: UInt8) throws -> UInt64 {
    let (width, least): (Int, UInt64)
    switch short {
    case 0..<24: return UInt64(short)
    case 24: (width, least) = (1, 24)
    case 25: (width, least) = (2, 1 << 8)
    case 26: (width, least) = (4, 1 << 16)
    case 27: (width, least) = (8, 1 << 32)
    default: throw CBOR.Malformed()
    }
    let value = try take(UInt64(width)).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value >= least else { throw CBOR.Malformed() }
    return value
  }

  /// Every item takes a byte at least.
  private func count(_ argument: UInt64) throws -> Int {
    guard argument <= UInt64(min(left, Self.entriesMax)) else { throw CBOR.Malformed() }
    return Int(argument)
  }

  private mutating func byte() throws -> UInt8 {
    guard left > 0 else { throw CBOR.Malformed() }
    defer { position += 1 }
    return bytes[position]
  }

  private mutating func take(_ length: UInt64) throws -> ArraySlice<UInt8> {
    guard length <= UInt64(left) else { throw CBOR.Malformed() }
    defer { position += Int(length) }
    return bytes[position..<position + Int(length)]
  }
}
