// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The query of a `GET`, brought into the one form that is signed in place of a body (powerauth.md §5.2).
public enum CanonicalQuery {
  /// Bytes of the longest query.
  public static let bytesMax = 64 * 1024

  /// Decodes the pairs, sorts them by name and value, byte by byte, and encodes them anew. Pieces without `=` are
  /// dropped, as both reference implementations do, and are not covered by a signature.
  /// - Parameter query: what follows the question mark; nil and empty give an empty body.
  /// - Throws: `malformed` for a broken percent sign; `tooLong`.
  public static func body(of query: String?) throws(PowerAuthError) -> Data {
    let bytes = Array((query ?? "").utf8)
    guard bytes.count <= bytesMax else { throw .tooLong(.query) }
    var pairs: [(name: [UInt8], value: [UInt8])] = []
    for piece in bytes.split(separator: UInt8(ascii: "&")) {
      guard let sign = piece.firstIndex(of: UInt8(ascii: "=")) else { continue }
      guard let name = FormURLEncoding.decode(piece[..<sign]),
        let value = FormURLEncoding.decode(piece[(sign + 1)...])
      else { throw .malformed(.query) }
      pairs.append((name, value))
    }
    return encode(pairs)
  }

  /// The same from names and values, on the device.
  public static func body(of parameters: [(name: String, value: String)]) -> Data {
    encode(parameters.map { (Array($0.name.utf8), Array($0.value.utf8)) })
  }

  private static func encode(_ pairs: [(name: [UInt8], value: [UInt8])]) -> Data {
    let sorted = pairs.sorted { left, right in
      left.name == right.name
        ? left.value.lexicographicallyPrecedes(right.value) : left.name.lexicographicallyPrecedes(right.name)
    }
    let text = sorted.map { "\(FormURLEncoding.encode($0.name))=\(FormURLEncoding.encode($0.value))" }
    return Data(text.joined(separator: "&").utf8)
  }
}
