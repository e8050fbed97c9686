// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What the words of a field may say.
enum FieldText {
  /// Characters of the longest number that a document has: a licence's of AAMVA's card design standard (element DAQ).
  private static let numberMost = 25

  /// - Returns: nil when the words cannot be a value of the field.
  static func reading(
    _ field: VisualZone.Field, _ words: [String], _ dates: PrintedDate.Order = .dayFirst
  ) -> String? {
    switch field {
    case .birthDate, .expiryDate, .issueDate:
      return PrintedDate.parse(words.joined(separator: " "), dates)?.isoText
    case .surname, .givenNames:
      return name(words)
    case .documentNumber, .personalNumber:
      let joined = words.joined().uppercased().filter { $0.isLetter || $0.isNumber || $0 == "-" }
      let ascii = joined.allSatisfy(\.isASCII)
      // What is longer has run together with the print around it.
      guard joined.filter({ $0 != "-" }).count <= numberMost else { return nil }
      return ascii && joined.count >= 5 && joined.contains(where: \.isNumber) ? joined : nil
    case .sex:
      guard let first = sexText(words)?.letter, let letter = first.first, first.count <= 2 else { return nil }
      // A mark behind the letter is read as a speck or a stroke; another letter makes it a word.
      guard first.dropFirst().allSatisfy({ !$0.isLetter && !$0.isNumber }) else { return nil }
      // The lowest stroke of a blurred F is what lies under it.
      if letter == "E", words.dropFirst().allSatisfy({ !$0.contains(where: \.isLetter) }) { return "F" }
      return ["M", "F", "X"].contains(letter) ? String(letter) : nil
    case .nationality:
      let parts = words.flatMap { $0.uppercased().split { $0 == "/" || $0 == " " } }
      let letters = parts.map { $0.filter(\.isLetter) }.filter { !$0.isEmpty }.joined(separator: " ")
      return letters.count >= 3 ? letters : nil
    case .address, .categories:
      let text = words.joined(separator: " ")
      return text.isEmpty ? nil : text
    }
  }

  /// Whether the value is what was read, without a character that was left out or taken for another: `reading` drops
  /// marks that cannot stand in a field, and a mark may be what is left of a character.
  static func isPlain(
    _ field: VisualZone.Field, _ words: [String], _ dates: PrintedDate.Order = .dayFirst
  ) -> Bool {
    let text = words.joined(separator: " ")
    return switch field {
    case .birthDate, .expiryDate, .issueDate: PrintedDate.isPlain(text, dates)
    case .surname, .givenNames: text.allSatisfy { $0.isLetter || " -'’.,".contains($0) }
    case .documentNumber, .personalNumber: text.allSatisfy { $0.isLetter || $0.isNumber || " -".contains($0) }
    case .sex:
      sexText(words).map { seen, _ in seen.count == 1 && seen != "E" || isInTwoLanguages(seen) } ?? false
    case .nationality: text.allSatisfy { $0.isLetter || " /".contains($0) }
    case .address, .categories: true
    }
  }

  /// What was read of a sex, and what of it may be the letter of Doc 9303-3: in the State's language and, behind a
  /// stroke, by that letter, as `V/F`, `Ž / F`, `NŐ/F`. Before a stroke the letter is another language's: `E / M` is a
  /// man's in Turkish, `F / M` in Hungarian, `M / F` a woman's in Lithuanian.
  /// - Returns: nil where two letters stand side by side, of which a stroke between may not have been seen.
  private static func sexText(_ words: [String]) -> (seen: String, letter: String)? {
    let words = words.map { $0.uppercased() }
    guard let first = words.first else { return nil }
    let rest = words.dropFirst()
    let isStroke = first.hasSuffix("/") || rest.first?.hasPrefix("/") ?? false
    if !isStroke, first.count == 1, let next = rest.first, next.count == 1, "MFX".contains(next), next != first {
      return nil
    }
    // The letter may stand apart from its stroke: `F/ M`, `F /M`, `F / M`.
    let joined = isStroke ? first + rest.prefix(rest.first == "/" ? 2 : 1).joined() : first
    let parts = joined.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count == 1 || names.contains(String(parts[0])), parts[0].allSatisfy(\.isLetter)
    else { return (joined, joined) }
    return (joined, String(parts[1]))
  }

  /// What Hungarian cards print before the stroke.
  private static let names: Set = ["NŐ", "FÉRFI"]

  /// Whether a sex as `V/F` has one meaning: `M/F` is what captions say too, and its M a woman's letter in Lithuanian.
  /// `V/E` is an F whose lowest stroke was misread.
  private static func isInTwoLanguages(_ seen: String) -> Bool {
    let parts = seen.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 1, "MFX".contains(parts[1]) else { return false }
    return parts[0] == parts[1] || parts[0].count == 1 && !"MFX".contains(parts[0]) || names.contains(String(parts[0]))
  }

  private static func name(_ words: [String]) -> String? {
    let cleaned = words.compactMap { word -> String? in
      let letters = word.uppercased().filter { $0.isLetter || "-'’".contains($0) }
      // A mark without a letter is dust of the background.
      return letters.contains(where: \.isLetter) ? withStroke(letters) : nil
    }
    let text = cleaned.joined(separator: " ")
    return text.filter(\.isLetter).count >= 2 ? text : nil
  }

  /// Capital eth and D with a stroke are of one shape. No word of Icelandic or Faroese begins with eth, and neither has
  /// letters with a caron or Ć.
  private static func withStroke(_ word: String) -> String {
    guard word.first == "Ð" || word.contains(where: "ČĆŠŽ".contains) else { return word }
    return word.replacing("Ð", with: "Đ")
  }
}

/// Field numbers of a driving licence, `1.` to `9.`, as small print is misread.
enum FieldNumber {
  private static let slips: [Character: Character] = [
    "I": "1", "L": "1", "|": "1", "Z": "2", "S": "5", "B": "8", "G": "9", "Q": "9", "T": "1",
  ]

  static func matches(_ seen: String, _ expected: String) -> Bool {
    let seen = normal(seen)
    return !seen.isEmpty && seen == normal(expected)
  }

  /// - Returns: the number without its full stop and slips; empty for what can be none.
  static func normal(_ text: String) -> String {
    let kept = text.uppercased().filter { $0.isLetter || $0.isNumber || $0 == "|" }
    guard let first = kept.first, kept.count <= 3 else { return "" }
    let rest = kept.dropFirst().map { $0 == "6" || $0 == "8" ? "B" : $0 == "0" ? "D" : $0 == "4" ? "A" : $0 }
    return String(slips[first] ?? first) + String(rest)
  }
}
