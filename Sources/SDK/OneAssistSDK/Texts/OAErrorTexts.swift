// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// The texts of errors for people, by language. A text's key is the code of its error; of what the SDK says in an
/// `ERROR_API` the key is a name of its own.
public struct OAErrorTexts: Sendable {
  /// BCP 47, without a region.
  public static let languages = ["en", "hi"]
  private static let tables = ["en": english, "hi": hindi]

  /// The language of these texts: English where the wish is not known.
  public let language: String

  /// - Parameter language: a BCP 47 tag; its region makes no difference.
  public init(language: String) {
    let primary = language.prefix { $0 != "-" && $0 != "_" }.lowercased()
    self.language = Self.tables[primary] == nil ? "en" : primary
  }

  /// In the language that the user prefers on this device.
  public static var preferred: OAErrorTexts { OAErrorTexts(language: Locale.preferredLanguages.first ?? "en") }

  /// The text of an error. What the server said in words of its own stays as it was said, unless its code is known here.
  public subscript(error: OAError) -> String {
    guard case .ERROR_API(let code, let description) = error else { return self[error.errorCode] ?? error.errorCode }
    // English is what the server speaks.
    return language == "en" ? description : self[key(of: description)] ?? self[code] ?? description
  }

  /// - Parameter key: a code, or the name of a text of the SDK's own.
  subscript(key: String) -> String? { Self.tables[language]?[key] }

  /// The key of a text that the SDK put into an `ERROR_API` in English, whose code is that of the step.
  private func key(of description: String) -> String {
    Self.english.first { $0.value == description }?.key ?? ""
  }

  /// Names of all texts in a language.
  package static func keys(of language: String) -> Set<String> { Set((tables[language] ?? [:]).keys) }
}

extension OAError {
  /// For people, in a language of `OAErrorTexts`.
  /// - Parameter language: a BCP 47 tag.
  public func localizedDescription(in language: String) -> String { OAErrorTexts(language: language)[self] }
}
