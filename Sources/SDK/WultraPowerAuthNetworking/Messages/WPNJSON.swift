// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// JSON as these servers speak it (wultra-onboarding.md §1): dates are ISO 8601 texts, unknown members are passed over.
enum WPNJSON {
  static func encode(_ value: some Encodable) throws -> Data { try encoder().encode(value) }

  static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decoder().decode(type, from: data)
  }

  static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .iso8601
    return encoder
  }

  static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = date(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "This is no date of ISO 8601.")
      }
      return date
    }
    return decoder
  }

  /// With or without fractions of a second, which servers write as they like.
  private static func date(_ text: String) -> Date? {
    (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
      ?? (try? Date.ISO8601FormatStyle().parse(text))
  }
}
