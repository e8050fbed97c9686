// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Which characters the texts of a message may have.
package enum MessageCharacters: String, Sendable, CaseIterable {
  /// All of Unicode that XML has: what the schemas of ISO 20022 say.
  case any
  /// The Latin characters that every bank of a SEPA scheme has to take (the EPC's guidance on its character
  /// set), which are those of SWIFT's character set X without line breaks.
  case basicLatin = "basic-latin"

  private static let basic = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-?:().,'+ ".utf8)

  /// Whether every character is one of the set.
  package func admits(_ text: String) -> Bool {
    switch self {
    case .any: text.unicodeScalars.allSatisfy(Self.isXML)
    case .basicLatin: text.utf8.allSatisfy(Self.basic.contains)
    }
  }

  /// A name in these characters: in basic Latin `Łódź` is `Lodz` and `Weiß` is `Weiss`.
  /// - Returns: nil for what cannot be written so, such as another script.
  package func spelling(of name: String) -> String? {
    if admits(name) { return name }
    let latin = name.applyingTransform(StringTransform("Latin-ASCII"), reverse: false) ?? name
    return admits(latin) ? latin : nil
  }

  /// `Char` of XML 1.0.
  private static func isXML(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x9, 0xA, 0xD, 0x20...0xD7FF, 0xE000...0xFFFD, 0x10000...0x10FFFF: true
    default: false
    }
  }

  /// Identifiers of SEPA neither begin nor end with a slash, nor have two in a row (the EPC's guidelines).
  package func admitsIdentifier(_ text: String) -> Bool {
    guard admits(text) else { return false }
    switch self {
    case .any: return true
    case .basicLatin: return !text.hasPrefix("/") && !text.hasSuffix("/") && !text.contains("//")
    }
  }
}
