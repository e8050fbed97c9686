/// Comparing what an OCR engine saw with a word that is expected.
enum Label {
  /// Upper case, Latin letters without marks, digits; a final full stop after a field number is kept.
  static func normal(_ text: String) -> String {
    String(
      text.uppercased().decomposedStringWithCanonicalMapping.unicodeScalars
        .filter { ("A"..."Z").contains($0) || ("0"..."9").contains($0) }.map(Character.init))
  }

  /// True when `seen` is `expected` but for one slip in four letters.
  static func matches(_ seen: String, _ expected: String) -> Bool {
    let seen = normal(seen), expected = normal(expected)
    guard !seen.isEmpty else { return false }
    if seen == expected { return true }
    guard expected.count >= 4, seen.count <= expected.count + 3 else { return false }
    return distance(Array(seen), Array(expected)) <= (expected.count + 1) / 4
  }

  /// Levenshtein distance; both are words.
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var row = Array(0...right.count)
    for (i, a) in left.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for (j, b) in right.enumerated() {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (a == b ? 0 : 1))
        diagonal = above
      }
    }
    return row[right.count]
  }
}
