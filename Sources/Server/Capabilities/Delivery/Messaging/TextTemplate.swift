// SPDX-License-Identifier: Apache-2.0

/// A text with `{name}` holes. Strict: filling needs exactly the values that the text names, no fewer and no more.
package struct TextTemplate: Sendable, Equatable {
  enum Piece: Sendable, Equatable {
    case text(String)
    case hole(String)
  }

  let pieces: [Piece]

  /// A hole is a lower-case word in braces; braces around anything else, as in JSON, are text.
  package init(_ text: String) {
    var pieces: [Piece] = []
    var rest = text[...]
    var literal = ""
    while let open = rest.firstIndex(of: "{") {
      let after = rest[rest.index(after: open)...]
      let name = after.prefix { $0.isASCII && $0.isLowercase }
      literal += rest[..<open]
      guard !name.isEmpty, name.endIndex < after.endIndex, after[name.endIndex] == "}" else {
        literal += "{"
        rest = after
        continue
      }
      pieces += [.text(literal), .hole(String(name))]
      literal = ""
      rest = after[after.index(after: name.endIndex)...]
    }
    pieces.append(.text(literal + rest))
    self.pieces = pieces
  }

  /// The names of the holes.
  package var names: Set<String> {
    Set(pieces.compactMap { if case .hole(let name) = $0 { name } else { nil } })
  }

  /// - Throws: `TextTemplateError` when the values are not exactly those that the text names.
  package func fill(_ values: [String: String]) throws -> String {
    if let extra = Set(values.keys).subtracting(names).min() { throw TextTemplateError.unused(extra) }
    return try fill { name in
      guard let value = values[name] else { throw TextTemplateError.missing(name) }
      return value
    }
  }

  /// Filled from more or fewer values than the text names: a hole without a value stays as it stands. What a value
  /// holds is not read again, so that no value fills the hole of another one.
  package func filled(_ values: [String: String]) -> String { fill { values[$0] ?? "{\($0)}" } }

  func fill(_ value: (String) throws -> String) rethrows -> String {
    try pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .hole(let name): try value(name)
      }
    }.joined()
  }
}

package enum TextTemplateError: Error, Sendable, Equatable {
  case missing(String)
  case unused(String)
}
