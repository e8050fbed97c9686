// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The JSON of the commands: names in snake case and in order, so that two prints of the same are the same.
enum CommandJSON {
  /// For standard output.
  static func document(_ value: some Encodable) throws -> String {
    try text(value, [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes])
  }

  /// On one line, for standard error.
  static func line(_ value: some Encodable) throws -> String {
    try text(value, [.sortedKeys, .withoutEscapingSlashes])
  }

  private static func text(_ value: some Encodable, _ form: JSONEncoder.OutputFormatting) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = form
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return escaped(String(decoding: try encoder.encode(value), as: UTF8.self))
  }

  /// The same JSON without characters that move the cursor of a terminal: encoders leave those from U+007F on.
  static func escaped(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: TerminalLine.movesCursor) else { return json }
    return json.unicodeScalars.map {
      guard TerminalLine.movesCursor($0) else { return String($0) }
      let digits = String($0.value, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }
}
