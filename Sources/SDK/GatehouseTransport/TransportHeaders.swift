// SPDX-License-Identifier: Apache-2.0

/// HTTP header fields; names compare without regard to case (RFC 9110 §5.1).
public struct TransportHeaders: Sendable, Equatable, ExpressibleByDictionaryLiteral {
  private var values: [String: String] = [:]

  /// No fields.
  public init() {}

  /// The fields of a literal; of two equal names the later wins.
  public init(dictionaryLiteral elements: (String, String)...) {
    for (name, value) in elements { self[name] = value }
  }

  /// The value of a field, nil when absent. Setting nil removes it.
  public subscript(name: String) -> String? {
    get { values[name.lowercased()] }
    set { values[name.lowercased()] = newValue }
  }

  /// Every field with its name in lower case, sorted by name.
  public var all: [(name: String, value: String)] {
    values.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
  }
}
