// SPDX-License-Identifier: Apache-2.0

/// What an ampersand begins in a text of HTML (HTML Living Standard §13.2.5.72 to §13.2.5.80, in small).
///
/// 1. A reference to a control or format character is nothing, whether by number or by name: what an app cuts as a
///    character does not come back as a reference.
/// 2. Any other reference by number ends with a semicolon, so that nothing that follows can become a part of it.
/// 3. An ampersand that would become a reference of rule 1 with what may follow is spelled out.
/// 4. Everything else stays as it is.
struct CharacterReference {
  /// Every name of a format character.
  private static let invisible: Set<String> = [
    "lrm", "rlm", "zwj", "zwnj", "shy", "ZeroWidthSpace", "NegativeVeryThinSpace", "NegativeThinSpace",
    "NegativeMediumSpace", "NegativeThickSpace", "NoBreak", "ApplyFunction", "af", "InvisibleTimes", "it",
    "InvisibleComma", "ic",
  ]

  /// The one name of a format character that browsers read without a semicolon too, whatever follows it.
  private static let unended = "shy"

  /// What is to be written.
  let spelling: String
  /// What follows.
  let rest: Substring.UnicodeScalarView

  /// - Parameter text: begins with an ampersand, and ends where a tag or the whole text may be.
  init(_ text: Substring.UnicodeScalarView) {
    let after = text.dropFirst()
    if after.first == "#" {
      let isHex = after.dropFirst().first == "x" || after.dropFirst().first == "X"
      let mark = after.prefix(isHex ? 2 : 1)
      let digits = after.dropFirst(mark.count).prefix { Self.digit($0, isHex: isHex) != nil }
      let rest = after.dropFirst(mark.count + digits.count)
      if digits.isEmpty {
        (spelling, self.rest) = (Self.isOpen(rest) ? "&amp;\(String(mark))" : "&\(String(mark))", rest)
      } else {
        let value = digits.reduce(UInt32(0)) { value, digit in
          min(value * (isHex ? 16 : 10) + (Self.digit(digit, isHex: isHex) ?? 0), 0x11_0000)
        }
        spelling = Self.isShown(value) ? "&\(String(mark))\(String(digits));" : ""
        self.rest = rest.first == ";" ? rest.dropFirst() : rest
      }
    } else {
      let name = String(after.prefix { Self.isLetterOrDigit($0) })
      let rest = after.dropFirst(name.unicodeScalars.count)
      if rest.first == ";", Self.invisible.contains(name) {
        (spelling, self.rest) = ("", rest.dropFirst())
      } else if name.hasPrefix(Self.unended) {
        (spelling, self.rest) = ("", after.dropFirst(Self.unended.unicodeScalars.count))
      } else {
        let mayBecomeOne = Self.isOpen(rest) && Self.invisible.contains { $0.hasPrefix(name) }
        (spelling, self.rest) = (mayBecomeOne ? "&amp;\(name)" : "&\(name)", rest)
      }
    }
  }

  /// Whether what follows is not known here: a tag that may go, or a reference that may.
  private static func isOpen(_ rest: Substring.UnicodeScalarView) -> Bool { rest.isEmpty || rest.first == "&" }

  private static func isShown(_ value: UInt32) -> Bool {
    // Browsers read all of these but five as what Windows shows there: quotation marks and dashes.
    if (0x80...0x9f).contains(value) { return ![0x81, 0x8d, 0x8f, 0x90, 0x9d].contains(value) }
    guard value != 0x09, value != 0x0a, let scalar = Unicode.Scalar(value) else { return true }
    let category = scalar.properties.generalCategory
    return category != .control && category != .format
  }

  private static func digit(_ scalar: Unicode.Scalar, isHex: Bool) -> UInt32? {
    switch scalar {
    case "0"..."9": scalar.value - 0x30
    case "a"..."f" where isHex: scalar.value - 0x61 + 10
    case "A"..."F" where isHex: scalar.value - 0x41 + 10
    default: nil
    }
  }

  private static func isLetterOrDigit(_ scalar: Unicode.Scalar) -> Bool {
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
  }
}
