// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// One text of JSON in the forms that different readers take for different things, or that only some of them read.
package struct AmbiguousJSON: Sendable, CustomTestStringConvertible {
  package let name: String
  package let bytes: Data
  package var testDescription: String { name }

  /// - Parameter object: the text of an object with at least one member.
  package static func forms(of object: String) -> [AmbiguousJSON] {
    let encodings: [(String, String.Encoding)] = [
      ("UTF-16", .utf16), ("UTF-16LE", .utf16LittleEndian), ("UTF-16BE", .utf16BigEndian),
      ("UTF-32LE", .utf32LittleEndian), ("UTF-32BE", .utf32BigEndian),
    ]
    let wide = encodings.map { AmbiguousJSON(name: $0, bytes: object.data(using: $1) ?? Data()) }
    let rest = object.dropFirst()
    let marks = String(repeating: #"\u0315\u0323"#, count: 16)
    let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
    return wide + [
      // What is in a member that is not asked for hides nothing.
      AmbiguousJSON(name: "half a character", bytes: Data(#"{"x":{"\ud800":1},"y":1,"y":2,\#(rest)"#.utf8)),
      AmbiguousJSON(name: "a long name", bytes: Data("{\"\(String(repeating: "n", count: 513))\":1,\(rest)".utf8)),
      AmbiguousJSON(name: "not UTF-8", bytes: Data(#"{"x":""#.utf8) + [0xc0, 0xa2] + Data(#"",\#(rest)"#.utf8)),
      // Compared, this would take long for its length.
      AmbiguousJSON(name: "marks", bytes: Data(#"{"x":"\#(marks)",\#(rest)"#.utf8)),
      AmbiguousJSON(name: "a comma too many", bytes: Data(#"{"x":[1,],\#(rest)"#.utf8)),
      AmbiguousJSON(name: "a name twice", bytes: Data(#"{"twice":1,"tw\u0069ce":2,\#(rest)"#.utf8)),
      AmbiguousJSON(name: "deep", bytes: Data(#"{"deep":\#(deep),\#(rest)"#.utf8)),
    ]
  }
}
