// SPDX-License-Identifier: Apache-2.0

/// The names of what screens show, and the texts behind them in each language.
public protocol ScreenText: RawRepresentable<String>, CaseIterable, Hashable, Sendable {
  /// A table for each language; a test sees that each has all texts.
  static var tables: [ScreenLanguage: [Self: String]] { get }
}

/// What screens show, in the user's language.
public struct ScreenTexts<Key: ScreenText>: Sendable {
  /// The one that is spoken.
  public let language: ScreenLanguage
  private let table: [Key: String]

  /// The texts of a language.
  public init(_ language: ScreenLanguage) {
    self.language = language
    table = Key.tables[language] ?? [:]
  }

  /// A text; in English where the language has none.
  public subscript(key: Key) -> String { table[key] ?? Key.tables[.english]?[key] ?? key.rawValue }

  /// A text with its placeholders filled, such as `{count}`. What is filled in is not looked through again.
  public subscript(key: Key, values: [String: String]) -> String {
    var (rest, text) = (self[key][...], "")
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      text += rest[..<open] + (values[name] ?? "{\(name)}")
      rest = rest[rest.index(after: close)...]
    }
    return text + rest
  }
}
