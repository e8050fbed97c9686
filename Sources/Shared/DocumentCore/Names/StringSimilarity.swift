// SPDX-License-Identifier: Apache-2.0

/// Measures of likeness of two short texts. Both are quadratic: callers bound the length.
enum StringSimilarity {
  /// Jaro's likeness with Winkler's bonus of 0.1 for each of up to four equal first letters; 1 for equal texts.
  static func jaroWinkler(_ left: [UInt8], _ right: [UInt8]) -> Double {
    let jaro = jaro(left, right)
    let prefix = zip(left, right).prefix(4).prefix { $0 == $1 }.count
    return jaro + Double(prefix) * 0.1 * (1 - jaro)
  }

  private static func jaro(_ left: [UInt8], _ right: [UInt8]) -> Double {
    guard !left.isEmpty, !right.isEmpty else { return left.isEmpty && right.isEmpty ? 1 : 0 }
    let reach = max(0, max(left.count, right.count) / 2 - 1)
    var isTaken = Array(repeating: false, count: right.count)
    var leftMatches: [UInt8] = []
    for (index, byte) in left.enumerated() {
      let window = max(0, index - reach)..<max(max(0, index - reach), min(right.count, index + reach + 1))
      guard let match = window.first(where: { !isTaken[$0] && right[$0] == byte }) else { continue }
      isTaken[match] = true
      leftMatches.append(byte)
    }
    guard !leftMatches.isEmpty else { return 0 }
    let rightMatches = right.indices.filter { isTaken[$0] }.map { right[$0] }
    let transposed = zip(leftMatches, rightMatches).count { $0 != $1 } / 2
    let matches = Double(leftMatches.count)
    return (matches / Double(left.count) + matches / Double(right.count) + (matches - Double(transposed)) / matches) / 3
  }

  /// Insertions, deletions, substitutions and swaps of neighbours that turn one text into the other
  /// (Damerau–Levenshtein, optimal string alignment).
  static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard !left.isEmpty, !right.isEmpty else { return max(left.count, right.count) }
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in 1...left.count {
      var row = [i]
      row.reserveCapacity(right.count + 1)
      for j in 1...right.count {
        let cost = left[i - 1] == right[j - 1] ? 0 : 1
        var best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + cost)
        if i > 1, j > 1, left[i - 1] == right[j - 2], left[i - 2] == right[j - 1] {
          best = min(best, beforeLast[j - 2] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[right.count]
  }
}
