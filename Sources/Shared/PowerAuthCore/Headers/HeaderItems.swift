// SPDX-License-Identifier: Apache-2.0

/// The items of a PowerAuth header: `PowerAuth name="value", name="value"`, in any order (powerauth.md §5.4).
struct HeaderItems {
  /// Characters of the longest header.
  static let lengthMax = 2048
  static let itemsMax = 16
  private static let scheme = "PowerAuth "

  private let values: [String: String]

  /// Reads a header's value. Names that are not asked for are ignored.
  /// - Throws: `malformed(.header)`, also for a name that comes twice; `tooLong(.header)`.
  init(_ header: String) throws(PowerAuthError) {
    guard header.utf8.count <= Self.lengthMax else { throw .tooLong(.header) }
    guard header.hasPrefix(Self.scheme), header.utf8.allSatisfy({ (0x20...0x7e).contains($0) }) else {
      throw .malformed(.header)
    }
    var rest = Substring(header.dropFirst(Self.scheme.count)).utf8
    var values: [String: String] = [:]
    while true {
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      let name = rest.prefix(while: Self.isOfName)
      rest = rest[name.endIndex...]
      guard !name.isEmpty, rest.starts(with: "=\"".utf8) else { throw .malformed(.header) }
      rest = rest.dropFirst(2)
      let value = rest.prefix { $0 != UInt8(ascii: "\"") }
      rest = rest[value.endIndex...]
      guard rest.popFirst() != nil, values.count < Self.itemsMax,
        values.updateValue(String(Substring(value)), forKey: String(Substring(name))) == nil
      else { throw .malformed(.header) }
      rest = rest.drop { $0 == UInt8(ascii: " ") }
      guard let comma = rest.popFirst() else { break }
      guard comma == UInt8(ascii: ",") else { throw .malformed(.header) }
    }
    self.values = values
  }

  /// - Throws: `malformed(.header)` when it is not there.
  func require(_ name: String) throws(PowerAuthError) -> String {
    guard let value = values[name] else { throw .malformed(.header) }
    return value
  }

  subscript(name: String) -> String? { values[name] }

  /// Writes a header's value. Values come from types that hold no quotation marks.
  static func text(_ items: KeyValuePairs<String, String>) -> String {
    scheme + items.map { "\($0.key)=\"\($0.value)\"" }.joined(separator: ", ")
  }

  private static func isOfName(_ character: UInt8) -> Bool {
    switch character {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
