// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes JSON (RFC 8259) member by member, for answers that are given often. The order of the members is the caller's:
/// one that writes them sorted by their names writes the same bytes as `WireJSON`.
package struct JSONWriter: ~Copyable {
  private var bytes: [UInt8] = []

  /// - Parameter capacity: bytes that it will be, about.
  package init(capacity: Int) { bytes.reserveCapacity(capacity) }

  package var data: Data { Data(bytes) }

  package mutating func object(_ members: (inout JSONWriter) throws -> Void) rethrows {
    separate()
    bytes.append(UInt8(ascii: "{"))
    try members(&self)
    bytes.append(UInt8(ascii: "}"))
  }

  package mutating func list(_ entries: (inout JSONWriter) throws -> Void) rethrows {
    separate()
    bytes.append(UInt8(ascii: "["))
    try entries(&self)
    bytes.append(UInt8(ascii: "]"))
  }

  /// The name of a member, whose value is written next. It holds nothing that would have to be escaped.
  package mutating func name(_ name: StaticString) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    bytes.append(UInt8(ascii: "\""))
    bytes.append(UInt8(ascii: ":"))
  }

  /// A member that is a text; none for nil.
  package mutating func member(_ name: StaticString, _ text: String?) {
    guard let text else { return }
    self.name(name)
    value(text)
  }

  package mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    // Nearly every text is an id or a word.
    if text.utf8.allSatisfy(Self.isPlain) {
      bytes.append(contentsOf: text.utf8)
    } else {
      for byte in text.utf8 { append(escaped: byte) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A comma between two members or entries.
  private mutating func separate() {
    guard let last = bytes.last else { return }
    if ![UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":")].contains(last) { bytes.append(UInt8(ascii: ",")) }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
  }

  /// RFC 8259 §7: quotation mark, reverse solidus and control characters are escaped.
  private mutating func append(escaped byte: UInt8) {
    guard !Self.isPlain(byte) else { return bytes.append(byte) }
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0a: bytes.append(UInt8(ascii: "n"))
    case 0x0c: bytes.append(UInt8(ascii: "f"))
    case 0x0d: bytes.append(UInt8(ascii: "r"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(contentsOf: [byte].hex.utf8)
    }
  }
}
