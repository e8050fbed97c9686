// SPDX-License-Identifier: Apache-2.0

/// Damerau–Levenshtein distance (optimal string alignment) with a bound, for the inner loop of the search: it gives up
/// as soon as the bound is passed and reuses three rows.
enum EditDistance {
  /// Longer words are compared by their first letters.
  private static let lettersMax = 128

  /// - Returns: nil when it is more than `bound`.
  static func between(_ one: [UInt8], _ other: [UInt8], atMost bound: Int) -> Int? {
    let (a, b) = (one.prefix(lettersMax), other.prefix(lettersMax))
    guard abs(a.count - b.count) <= bound else { return nil }
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    let width = b.count + 1
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: width * 3) { cells -> Int? in
      for column in 0..<width { cells[column] = column }
      var (beforeLast, last, row) = (2 * width, 0, width)
      for i in 1...a.count {
        cells[row] = i
        var least = i
        for j in 1..<width {
          let cost = a[i - 1] == b[j - 1] ? 0 : 1
          var best = min(cells[last + j] + 1, cells[row + j - 1] + 1, cells[last + j - 1] + cost)
          if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
            best = min(best, cells[beforeLast + j - 2] + 1)
          }
          cells[row + j] = best
          least = min(least, best)
        }
        if least > bound { return nil }
        (beforeLast, last, row) = (last, row, beforeLast)
      }
      return cells[last + b.count] <= bound ? cells[last + b.count] : nil
    }
  }
}
