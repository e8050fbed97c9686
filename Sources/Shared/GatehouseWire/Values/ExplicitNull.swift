// SPDX-License-Identifier: Apache-2.0

/// An optional member that is written as `null` when absent, so that a view always has the same shape.
/// Reading takes both: a `null` and a missing member.
@propertyWrapper
public struct ExplicitNull<Value: Codable & Sendable & Equatable>: Codable, Sendable, Equatable {
  /// The value, or nil for `null`.
  public var wrappedValue: Value?

  /// Wraps the value.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Reads the value or `null`.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  /// Writes the value or `null`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension KeyedDecodingContainer {
  /// What synthesised decoding calls for an `@ExplicitNull` member: a missing member is nil, not an error.
  public func decode<Value>(_: ExplicitNull<Value>.Type, forKey key: Key) throws -> ExplicitNull<Value> {
    try decodeIfPresent(ExplicitNull<Value>.self, forKey: key) ?? ExplicitNull(wrappedValue: nil)
  }
}
