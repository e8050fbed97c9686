// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The one way both ends turn wire values into JSON text and back.
public enum WireJSON {
  /// Sorted keys, so that equal bodies are equal bytes (an idempotency record hashes them), and plain slashes.
  /// `Data` members are base64 text.
  public static func encode(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.dataEncodingStrategy = .base64
    return try encoder.encode(value)
  }

  /// Unknown members are ignored, as clients must (rubix-onboarding §1).
  /// - Throws: `JSONText.Fault` of a text that is read in several ways or takes too long to compare; `DecodingError`.
  public static func decode<Value: Decodable>(_: Value.Type, from data: Data) throws -> Value {
    try JSONText.check(data)
    return try read(Value.self, data)
  }

  /// Reads what was written by `encode` and kept: a rule for texts from outside that came later does not make it
  /// unreadable.
  /// - Throws: `DecodingError`.
  public static func decode<Value: Decodable>(_: Value.Type, stored data: Data) throws -> Value {
    try read(Value.self, data)
  }

  private static func read<Value: Decodable>(_: Value.Type, _ data: Data) throws -> Value {
    let decoder = JSONDecoder()
    decoder.dataDecodingStrategy = .base64
    return try decoder.decode(Value.self, from: data)
  }
}
