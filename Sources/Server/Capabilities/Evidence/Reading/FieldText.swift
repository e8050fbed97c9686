import DocumentCore

/// What the words of a field may say.
enum FieldText {
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
      return ascii && joined.count >= 5 && joined.contains(where: \.isNumber) ? joined : nil
    case .sex:
      guard let first = words.first?.uppercased(), let letter = first.first, first.count <= 2 else { return nil }
      return ["M", "F", "X"].contains(letter) ? String(letter) : nil
    case .nationality:
      let letters = words.joined(separator: " ").uppercased().filter { $0.isLetter || $0 == " " }
      return letters.count >= 3 ? letters : nil
    case .address, .categories:
      let text = words.joined(separator: " ")
      return text.isEmpty ? nil : text
    }
  }

  private static func name(_ words: [String]) -> String? {
    let cleaned = words.compactMap { word -> String? in
      let letters = word.uppercased().filter { $0.isLetter || "-'’".contains($0) }
      // A mark without a letter is dust of the background.
      return letters.contains(where: \.isLetter) ? letters : nil
    }
    let text = cleaned.joined(separator: " ")
    return text.filter(\.isLetter).count >= 2 ? text : nil
  }
}

/// Field numbers of a driving licence, `1.` to `9.`, as small print is misread.
enum FieldNumber {
  private static let slips: [Character: Character] = [
    "I": "1", "L": "1", "|": "1", "Z": "2", "S": "5", "B": "8", "G": "9", "Q": "9", "T": "1",
  ]

  static func matches(_ seen: String, _ expected: String) -> Bool {
    let seen = normal(seen), expected = normal(expected)
    guard !seen.isEmpty, seen.count <= 3 else { return false }
    return seen == expected
  }

  private static func normal(_ text: String) -> String {
    let kept = text.uppercased().filter { $0.isLetter || $0.isNumber || $0 == "|" }
    guard let first = kept.first else { return "" }
    let rest = kept.dropFirst().map { $0 == "6" || $0 == "8" ? "B" : $0 == "0" ? "D" : $0 == "4" ? "A" : $0 }
    return String(slips[first] ?? first) + String(rest)
  }
}
