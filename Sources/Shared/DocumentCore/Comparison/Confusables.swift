// SPDX-License-Identifier: Apache-2.0

/// Characters that readers of print take for one another, for comparisons of what two sources say.
///
/// A difference that these explain is never decisive by itself: it may be the reader's. `Confusion` is another table,
/// of what may be put in a character's place without asking anybody, and is therefore narrower.
public enum Confusables {
  /// Both characters are upper-case letters or digits.
  public static func areConfusable(_ a: UInt8, _ b: UInt8) -> Bool {
    a == b || table[a]?.contains(b) == true
  }

  /// Whether one text is the other but for look-alikes and `slips` characters that were lost, added or read as
  /// something else. Upper-case letters and digits count, at most the first 64 of them.
  public static func mayBeMisread(_ a: String, as b: String, slips: Int = 1) -> Bool {
    let (x, y) = (characters(a), characters(b))
    guard !x.isEmpty, !y.isEmpty, abs(x.count - y.count) <= slips else { return false }
    var last = Array(0...y.count)
    for i in 1...x.count {
      var row = [i]
      for j in 1...y.count {
        let cost = areConfusable(x[i - 1], y[j - 1]) ? 0 : 1
        row.append(min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost))
      }
      last = row
    }
    return last[y.count] <= slips
  }

  /// Whether two texts of one length differ in look-alikes only.
  static func explain(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.count == b.count && zip(a, b).allSatisfy { areConfusable($0, $1) }
  }

  private static let lengthMax = 64

  private static func characters(_ text: String) -> [UInt8] {
    Array(text.uppercased().utf8.filter { $0.isLetter || $0.isDigit }.prefix(lengthMax))
  }

  /// Each pair both ways.
  private static let table: [UInt8: Set<UInt8>] = {
    var table: [UInt8: Set<UInt8>] = [:]
    for pair in pairs {
      let (a, b) = (pair.utf8.first, pair.utf8.last)
      guard let a, let b else { continue }
      table[a, default: []].insert(b)
      table[b, default: []].insert(a)
    }
    return table
  }()

  /// Pairs of which one was read for the other at least once in 200, in print of five typefaces that was blurred and
  /// noisy (decision 75); and 0/9, 6/G and 9/O, which were seen on worn cards.
  private static let pairs = [
    "0O", "0D", "0Q", "0C", "0U", "0W", "09", "OD", "OQ", "O9", "Q9", "QG", "QA", "1I", "1L", "1T", "IL", "IT", "IJ",
    "7T", "7Y", "7Z", "2Z", "3J", "3S", "4A", "5S", "5J", "6G", "8B", "8E", "8S", "9S", "BE", "HN", "KX", "MN", "UW",
    "VY",
  ]
}
