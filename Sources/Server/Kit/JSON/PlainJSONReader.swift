// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A form that is read from plain JSON without a tree in between.
package protocol PlainJSONReadable: Sendable {
  /// - Returns: nil for what is not plain or not of this form: the caller then reads it in the general way, which also
  ///   says what is wrong.
  init?(plain reader: inout PlainJSONReader)
}

/// Reads the JSON (RFC 8259) that programs write when nothing in it is special: objects without a member twice, lists,
/// and texts of printable ASCII without escapes. Calls that come often and are large spend most of their time on a tree
/// that is thrown away at once.
///
/// It reads less than a general reader does and decides nothing by itself: whatever it does not know is left to that
/// one. What it accepts, the general one reads in the same way.
package struct PlainJSONReader: ~Copyable {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var place = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// - Returns: what `body` makes of all of the data; nil when that is nothing, or something is left behind it.
  package static func read<Value>(_ data: Data, _ body: (inout PlainJSONReader) -> Value?) -> Value? {
    data.withUnsafeBytes { raw in
      raw.withMemoryRebound(to: UInt8.self) { bytes in
        var reader = PlainJSONReader(bytes)
        guard let value = body(&reader) else { return nil }
        reader.skipSpace()
        return reader.place == bytes.count ? value : nil
      }
    }
  }

  /// A text.
  package mutating func text() -> String? {
    guard let range = quoted() else { return nil }
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  /// An object.
  /// - Parameters:
  ///   - names: of the members that it may have, at most 32.
  ///   - member: reads the value of a member, by its place among the names; false ends it.
  /// - Returns: false also for a member of another name, and for one that is there twice.
  package mutating func object(_ names: [StaticString], _ member: (Int, inout PlainJSONReader) -> Bool) -> Bool {
    guard take("{") else { return false }
    if take("}") { return true }
    var seen: UInt32 = 0
    repeat {
      skipSpace()
      guard let range = quoted(), let name = names.firstIndex(where: { isSame($0, range) }), seen & (1 << name) == 0,
        take(":")
      else { return false }
      seen |= 1 << name
      skipSpace()
      guard member(name, &self) else { return false }
    } while take(",")
    return take("}")
  }

  /// Some members of an object whose other members are passed over. A member that is asked for and is there twice is
  /// not plain; whether one that is passed over is valid JSON is not looked at.
  /// - Parameters: as of `object`.
  package mutating func members(_ names: [StaticString], _ member: (Int, inout PlainJSONReader) -> Bool) -> Bool {
    guard take("{") else { return false }
    if take("}") { return true }
    var seen: UInt32 = 0
    repeat {
      skipSpace()
      guard let range = quoted(), take(":") else { return false }
      skipSpace()
      guard let name = names.firstIndex(where: { isSame($0, range) }) else {
        guard pass() else { return false }
        continue
      }
      guard seen & (1 << name) == 0 else { return false }
      seen |= 1 << name
      guard member(name, &self) else { return false }
    } while take(",")
    return take("}")
  }

  /// Passes over a value, whichever it is: to the end of a text, of what its first bracket opens, or of a word or
  /// number.
  private mutating func pass() -> Bool {
    var depth = 0
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: "\""):
        place += 1
        while place < bytes.count, bytes[place] != UInt8(ascii: "\"") {
          place += bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        // Behind the end where the text has none.
        place = min(place + 1, bytes.count + 1)
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        place += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"), UInt8(ascii: ","):
        // That of the object around a word or number.
        if depth == 0 { return place > start }
        if byte != UInt8(ascii: ",") { depth -= 1 }
        place += 1
      default:
        place += 1
        continue
      }
      if depth == 0 { return place <= bytes.count }
    }
    return false
  }

  /// A list.
  /// - Parameter entry: reads one; false ends it.
  package mutating func list(_ entry: (inout PlainJSONReader) -> Bool) -> Bool {
    guard take("[") else { return false }
    if take("]") { return true }
    repeat {
      skipSpace()
      guard entry(&self) else { return false }
    } while take(",")
    return take("]")
  }

  /// Where a text is, without its quotation marks.
  private mutating func quoted() -> Range<Int>? {
    guard take("\"") else { return nil }
    let start = place
    while place < bytes.count {
      let byte = bytes[place]
      place += 1
      if byte == UInt8(ascii: "\"") { return start..<place - 1 }
      guard byte >= 0x20, byte < 0x7f, byte != UInt8(ascii: "\\") else { break }
    }
    // Nothing is read behind a text that was not understood, whatever its reader makes of it.
    place = bytes.count
    return nil
  }

  private func isSame(_ name: StaticString, _ range: Range<Int>) -> Bool {
    guard let start = bytes.baseAddress, range.count == name.utf8CodeUnitCount else { return false }
    return memcmp(start + range.lowerBound, name.utf8Start, range.count) == 0
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpace()
    guard place < bytes.count, bytes[place] == UInt8(ascii: character) else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      switch bytes[place] {
      case 0x20, 0x0a, 0x0d, 0x09: place += 1
      default: return
      }
    }
  }
}
