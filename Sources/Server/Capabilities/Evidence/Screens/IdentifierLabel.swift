// SPDX-License-Identifier: Apache-2.0

/// What stands before a number on a phone's sheet of identifiers, as small print is misread.
enum IdentifierLabel: Codable, Equatable {
  /// The slot is nil where the label names none.
  case imei(slot: Int?)
  /// Of another kind of number.
  case other
  case none

  private static let others: Set<String> = ["EID", "ICCID", "MEID", "SEID", "SV", "IMEISV", "SN", "IMSI"]

  init(_ text: String) {
    let words = text.split { !($0.isLetter || $0.isNumber || "|!".contains($0)) }.map(Self.normal)
    guard !words.contains(where: Self.others.contains) else {
      self = .other
      return
    }
    for (index, word) in words.enumerated() {
      guard let rest = Self.afterIMEI(word) else { continue }
      let slots = ["I": 1, "2": 2, "Z": 2]
      self = .imei(slot: rest.isEmpty ? words.dropFirst(index + 1).lazy.compactMap { slots[$0] }.first : slots[rest])
      return
    }
    self = .none
  }

  private static func normal(_ word: Substring) -> String {
    String(word.uppercased().map { "1L|!T".contains($0) ? "I" : $0 == "0" ? "O" : $0 })
  }

  /// What follows the four letters in a word, one of which may be misread or missing.
  private static func afterIMEI(_ word: String) -> String? {
    for count in [4, 3, 5] where word.count >= count && word.count <= count + 2 {
      let head = String(word.prefix(count))
      // MEI may be either number's name.
      guard head != "MEI", distance(head, "IMEI") <= (count == 4 ? 1 : head.contains("MEI") ? 1 : 0) else { continue }
      return String(word.dropFirst(count))
    }
    return nil
  }

  /// Levenshtein's distance.
  private static func distance(_ one: String, _ other: String) -> Int {
    let other = Array(other)
    var row = Array(0...other.count)
    for (i, character) in one.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in other.indices {
        let above = row[j + 1]
        row[j + 1] = min(above + 1, row[j] + 1, diagonal + (character == other[j] ? 0 : 1))
        diagonal = above
      }
    }
    return row[other.count]
  }
}
