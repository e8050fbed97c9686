// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit

/// The fields of a page's form: `application/x-www-form-urlencoded` as browsers send it (URL Standard §5.1), read
/// strictly: a field twice, a broken escape, a NUL, bytes that are no UTF-8 or more combining marks in a row than a
/// stream-safe text has (UAX #15 §13) refuse the whole form.
package struct FormFields: Sendable {
  package static let fieldsMax = 64
  /// Bytes of a field's name.
  static let nameBytesMax = 256

  private var values: [String: String] = [:]

  /// - Throws: `Problem` unsupported-media, or malformed-form.
  package init(_ content: RequestContent) throws {
    guard content.mediaType == "application/x-www-form-urlencoded" else { throw Problem.unsupportedMedia }
    try self.init(bytes: content.bytes)
  }

  /// - Throws: `Problem` malformed-form.
  package init(bytes: Data) throws {
    let pairs = bytes.split(separator: UInt8(ascii: "&"))
    guard pairs.count <= Self.fieldsMax else { throw Self.malformed }
    for pair in pairs {
      let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
      let name = try Self.text(parts[0])
      guard name.utf8.count <= Self.nameBytesMax,
        values.updateValue(parts.count == 2 ? try Self.text(parts[1]) : "", forKey: name) == nil
      else { throw Self.malformed }
    }
  }

  package subscript(_ name: String) -> String? { values[name] }

  /// Fields whose names begin alike, by what follows.
  package func all(after prefix: String) -> [String: String] {
    values.reduce(into: [:]) { if $1.key.hasPrefix(prefix) { $0[String($1.key.dropFirst(prefix.count))] = $1.value } }
  }

  private static let malformed = Problem(.badRequest, "malformed-form", "The form could not be read.")

  private static func text(_ bytes: Data) throws -> String {
    var (decoded, rest) = (Data(), bytes)
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"): decoded.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexDigit), let low = rest.popFirst().flatMap(hexDigit) else {
          throw malformed
        }
        decoded.append(high << 4 | low)
      default: decoded.append(byte)
      }
    }
    // No store keeps a NUL.
    guard !decoded.contains(0), let text = String(data: decoded, encoding: .utf8) else { throw malformed }
    guard StreamSafeText.isSafe(utf8: decoded) else {
      throw Problem(
        .badRequest, "malformed-form",
        "A field of the form has more than \(StreamSafeText.nonStartersMax) combining marks in a row.")
    }
    return text
  }

  private static func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
