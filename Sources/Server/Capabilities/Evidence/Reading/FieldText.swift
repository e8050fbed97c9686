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
      guard let seen = words.first?.uppercased() else { return nil }
      // In the State's language and, behind a stroke, by the letter of Doc 9303-3: `V/F`, `Ž/F`.
      let parts = seen.split(separator: "/", omittingEmptySubsequences: false)
      let first = parts.count == 2 && parts[0].count == 1 && parts[0].allSatisfy(\.isLetter) ? String(parts[1]) : seen
      guard let letter = first.first, first.count <= 2 else { return nil }
      // A mark behind the letter is read as a speck or a stroke; another letter makes it a word.
      guard first.dropFirst().allSatisfy({ !$0.isLetter && !$0.isNumber }) else { return nil }
      // The lowest stroke of a blurred F is what lies under it. Before another letter it is one: `E / M` is a man's in
      // Turkish.
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
    case .sex: words.first.map { $0.count == 1 && $0.uppercased() != "E" || isInTwoLanguages($0) } ?? false
    case .nationality: text.allSatisfy { $0.isLetter || " /".contains($0) }
    case .address, .categories: true
    }
  }

  /// Whether a sex as `V/F` has one meaning: `M/F` is what captions say too, and its M a woman's letter in Lithuanian.
  private static func isInTwoLanguages(_ word: String) -> Bool {
    let letters = Array(word.uppercased())
    return letters.count == 3 && letters[1] == "/" && (letters[0] == letters[2] || !"MFX".contains(letters[0]))
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
