// SPDX-License-Identifier: Apache-2.0

/// The distance of two words, letter by letter.
///
/// It is the optimal string alignment with costs: the cell of a row and a column is what the first letters of the one
/// word and the first of the other cost at least. From each cell, what all letters up to its column cost that only the
/// other word has is taken off. A row then only has to remember the least so far, for a letter more of the other word
/// costs nothing there.
extension SpellingCost {
  static let swapped: Int32 = 90
  static let doubled: Int32 = 20
  static let lastS: Int32 = 60
  /// More than any two words cost.
  private static let never: Int32 = 1 << 20

  /// - Returns: in hundredths of an edit; the bound when it is that much or more.
  static func distance(_ a: UnsafeBufferPointer<UInt8>, _ b: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int {
    guard abs(a.count - b.count) * Int(doubled) < bound else { return bound }
    if a.isEmpty || b.isEmpty { return min(bound, max(a.count, b.count) * 100) }
    let width = b.count + 1
    return withUnsafeTemporaryAllocation(of: Int32.self, capacity: a.count + width * 5) { cells -> Int in
      costs.withUnsafeBufferPointer { costs in
        let gaps = UnsafeMutableBufferPointer(rebasing: cells[..<width])
        let sums = UnsafeMutableBufferPointer(rebasing: cells[width..<2 * width])
        let mineGaps = UnsafeMutableBufferPointer(rebasing: cells[(5 * width)...])
        let leastOther = setGaps(b, costs, gaps.baseAddress! + 1)
        let leastMine = setGaps(a, costs, mineGaps.baseAddress!)
        // In a cell that is so many columns before or behind its row, so many letters of the one word and of the other
        // are left over at least.
        let apart = Int32(truncatingIfNeeded: b.count &- a.count)
        let bound32 = Int32(truncatingIfNeeded: min(bound, Int(never)))
        let least = apart > 0 ? apart &* leastOther : 0 &- apart &* leastMine
        guard least < bound32 else { return bound }
        let (ahead, behind) = (
          Int((bound32 &- 1 &+ apart &* leastMine) / (leastMine &+ leastOther)),
          Int((bound32 &- 1 &- apart &* leastOther) / (leastMine &+ leastOther))
        )
        // The row before the last is read from the second row on.
        var before = cells.baseAddress! + 2 * width
        var last = before + width
        var row = last + width
        var (sum, previous): (Int32, UInt8) = (0, 0)
        var pairs: UInt64 = 0
        (sums[0], last[0]) = (0, 0)
        for column in 1..<width {
          sum &+= gaps[column]
          sums[column] = sum
          last[column] = column <= ahead ? 0 : never
          let letter = b[column &- 1]
          pairs |= pair(previous, letter)
          previous = letter
        }
        var leastBefore: Int32 = 0
        var start: Int32 = 0
        for i in 1...a.count {
          let (letter, gap) = (a[i &- 1], mineGaps[i &- 1])
          let change = costs.baseAddress! + Int(letter & 127) << 7
          let (from, to) = (max(1, i &- behind), min(b.count, i &+ ahead))
          start &+= gap
          var left = from == 1 && i <= behind ? start : never
          row[from &- 1] = left
          var least = from == 1 ? left : never
          if i > 1, letter != a[i &- 2], pairs & pair(letter, a[i &- 2]) != 0 {
            let previous = a[i &- 2]
            for j in from..<(to &+ 1) {
              let other = b[j &- 1]
              var best = min(last[j &- 1] &+ Int32(change[Int(other & 127)]) &- gaps[j], last[j] &+ gap)
              if j > 1, previous == other, letter == b[j &- 2] {
                best = min(best, before[j &- 2] &+ swapped &- gaps[j] &- gaps[j &- 1])
              }
              left = min(left, best)
              row[j] = left
              least = min(least, left &+ sums[j])
            }
          } else {
            for j in from..<(to &+ 1) {
              let best = min(last[j &- 1] &+ Int32(change[Int(b[j &- 1] & 127)]) &- gaps[j], last[j] &+ gap)
              left = min(left, best)
              row[j] = left
              least = min(least, left &+ sums[j])
            }
          }
          if to < b.count { row[to &+ 1] = never }
          // Two letters that are swapped take their cost from the row before.
          if least >= bound32, leastBefore &+ swapped >= bound32 { return bound }
          leastBefore = least
          (before, last, row) = (last, row, before)
        }
        return min(bound, Int(last[b.count] &+ sum))
      }
    }
  }

  /// Two neighbouring letters as one of 64 bits.
  @inline(__always)
  static func pair(_ one: UInt8, _ other: UInt8) -> UInt64 { 1 << UInt64((one &* 11 &+ other) & 63) }

  /// Writes what each letter costs that only this word has.
  /// - Returns: the least of them.
  @inline(__always)
  private static func setGaps(
    _ word: UnsafeBufferPointer<UInt8>, _ costs: UnsafeBufferPointer<UInt8>, _ gaps: UnsafeMutablePointer<Int32>
  ) -> Int32 {
    var (least, previous): (Int32, UInt8) = (never, 0)
    for index in word.indices {
      let letter = word[index]
      var gap = Int32(costs[Int(letter & 127) << 7])
      // Baltic and Greek endings.
      if index == word.count &- 1, letter == UInt8(ascii: "S") { gap = lastS }
      if letter == previous { gap = doubled }
      gaps[index] = gap
      least = min(least, gap)
      previous = letter
    }
    return least
  }

  /// What it costs to change a letter into another, and in the first column what it costs to leave it out.
  static let costs: [UInt8] = {
    var table = [UInt8](repeating: 100, count: 128 * 128)
    func set(_ pairs: String, _ cost: UInt8) {
      for pair in pairs.split(separator: " ").map({ Array($0.utf8) }) {
        table[Int(pair[0]) << 7 | Int(pair[1])] = cost
        table[Int(pair[1]) << 7 | Int(pair[0])] = cost
      }
    }
    set("AE AI AO AU EO EU IO IU OI", 80)
    set("EI OU", 60)
    set("IY IJ YJ CK QK VW", 30)
    set("SZ GQ GK DT BP VF UW UV GJ XK CS YE", 60)
    // Column 0 is no letter's: what is left out costs something, for what is divided by it.
    for letter in 1..<128 { table[letter << 7 | letter] = 0 }
    for (letters, cost) in [("H", 40), ("YE", 70), ("AIOU", 80)] as [(String, UInt8)] {
      for letter in letters.utf8 { table[Int(letter) << 7] = cost }
    }
    return table
  }()
}
