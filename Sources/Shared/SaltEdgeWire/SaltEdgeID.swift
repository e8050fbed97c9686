// SPDX-License-Identifier: Apache-2.0

extension SaltEdge {
  /// An id that released apps read as a JSON integer (§12.2): written as one, read from a number or a text.
  public struct NumberID: Codable, Hashable, Sendable, CustomStringConvertible {
    /// Decimal digits when it is ours.
    public let text: String

    /// Wraps an id.
    public init(_ text: String) { self.text = text }

    /// The id as text.
    public var description: String { text }

    /// Reads a number or a text.
    public init(from decoder: any Decoder) throws { text = try SaltEdge.idText(decoder) }

    /// Writes an integer, and a text only when the id is not one.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if let number = Int64(text), String(number) == text {
        try container.encode(number)
      } else {
        try container.encode(text)
      }
    }
  }

  /// An id that released apps read as a JSON text (§12.2): written as one, read from a number or a text.
  public struct TextID: Codable, Hashable, Sendable, CustomStringConvertible {
    /// The id.
    public let text: String

    /// Wraps an id.
    public init(_ text: String) { self.text = text }

    /// The id as text.
    public var description: String { text }

    /// Reads a number or a text.
    public init(from decoder: any Decoder) throws { text = try SaltEdge.idText(decoder) }

    /// Writes a text.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(text)
    }
  }

  fileprivate static func idText(_ decoder: any Decoder) throws -> String {
    let container = try decoder.singleValueContainer()
    if let number = try? container.decode(Int64.self) { return String(number) }
    return try container.decode(String.self)
  }
}
