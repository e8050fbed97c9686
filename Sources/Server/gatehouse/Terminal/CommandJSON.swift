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
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }
}
