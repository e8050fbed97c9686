import Foundation

/// The text of what is given out of a person (GDPR art. 15 and 20).
package enum ExportText {
  /// Indented, members in the order of their names, in `snake_case`.
  package static func json(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    encoder.dataEncodingStrategy = .base64
    return try encoder.encode(value)
  }
}
