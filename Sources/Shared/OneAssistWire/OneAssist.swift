// SPDX-License-Identifier: Apache-2.0

/// Names and values of OneAssist's wire (oneassist §8, §9).
///
/// Reading is tolerant: a member that is absent, null or of another type is nil, because of all that a server says only
/// the status is needed to go on (§8.1). Writing is exact: every member is there, absent ones as null.
public enum OneAssist {
  /// A member that a reader does without when it is not there or not of its type. Numbers are read from text and the
  /// other way round.
  @propertyWrapper
  public struct Loose<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
    /// The value, or nil.
    public var wrappedValue: Value?

    /// Wraps the value.
    public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    /// Reads the value; anything else is nil.
    public init(from decoder: any Decoder) throws {
      guard let container = try? decoder.singleValueContainer(), !container.decodeNil() else {
        wrappedValue = nil
        return
      }
      if let value = try? container.decode(Value.self) {
        wrappedValue = value
      } else if Value.self == String.self, let number = try? container.decode(Int64.self) {
        wrappedValue = String(number) as? Value
      } else if Value.self == Int64.self, let text = try? container.decode(String.self) {
        wrappedValue = Int64(text) as? Value
      } else {
        wrappedValue = nil
      }
    }

    /// Writes the value or `null`.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
    }
  }
}

extension KeyedDecodingContainer {
  /// What synthesised decoding calls for an `@OneAssist.Loose` member: a missing member is nil, not an error.
  public func decode<Value>(
    _: OneAssist.Loose<Value>.Type, forKey key: Key
  ) throws -> OneAssist.Loose<Value> {
    try decodeIfPresent(OneAssist.Loose<Value>.self, forKey: key) ?? OneAssist.Loose(wrappedValue: nil)
  }
}
