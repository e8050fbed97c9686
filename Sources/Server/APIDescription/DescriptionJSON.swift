// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Writes the joined description as JSON (RFC 8259) with the keys of each object in order.
///
/// Every server makes it once when it starts. Foundation's writer with sorted keys took a quarter of that time.
enum DescriptionJSON {
  /// - Parameter document: of `[String: Any]`, `[Any]`, `String`, `Int`, `Double`, `Bool` and `NSNull` alone, as
  ///   `PlainScalar` gives them.
  static func data(of document: [String: Any]) -> Data {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(1 << 20)
    write(document, to: &bytes)
    return Data(bytes)
  }

  private static func write(_ value: Any, to bytes: inout [UInt8]) {
    switch value {
    case let text as String: write(text, to: &bytes)
    case let members as [String: Any]:
      var separator = UInt8(ascii: "{")
      for key in members.keys.sorted() {
        bytes.append(separator)
        write(key, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        write(members[key] ?? NSNull(), to: &bytes)
        separator = UInt8(ascii: ",")
      }
      if members.isEmpty { bytes.append(separator) }
      bytes.append(UInt8(ascii: "}"))
    case let items as [Any]:
      var separator = UInt8(ascii: "[")
      for item in items {
        bytes.append(separator)
        write(item, to: &bytes)
        separator = UInt8(ascii: ",")
      }
      if items.isEmpty { bytes.append(separator) }
      bytes.append(UInt8(ascii: "]"))
    case let flag as Bool: bytes.append(contentsOf: (flag ? "true" : "false").utf8)
    case let number as Int: bytes.append(contentsOf: String(number).utf8)
    case let number as Double where number.isFinite: bytes.append(contentsOf: String(number).utf8)
    default: bytes.append(contentsOf: "null".utf8)
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    if text.utf8.contains(where: isEscaped) {
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
        case UInt8(ascii: "\n"): bytes.append(contentsOf: "\\n".utf8)
        case 0..<0x20: bytes.append(contentsOf: ("\\u00" + (byte < 16 ? "0" : "") + String(byte, radix: 16)).utf8)
        default: bytes.append(byte)
        }
      }
    } else {
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }
}
