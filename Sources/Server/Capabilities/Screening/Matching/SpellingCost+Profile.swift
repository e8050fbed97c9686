// SPDX-License-Identifier: Apache-2.0

extension SpellingCost {
  /// A word that is compared with many others, as the query profile of a sequence alignment: of each letter what it
  /// costs in place of each of the word's letters, side by side in one register. A row of cells is then a few
  /// instructions.
  ///
  /// The distances are those of `distance`. It is for one search, which asks for it from one thread at a time.
  final class Profile {
    private let letters: Rows
    private let sounds: Rows

    /// - Returns: nil for a word that has more letters than a register.
    init?(_ spelling: Spelling) {
      let counts = 1...Rows.lettersMax
      guard counts.contains(spelling.letterCount), counts.contains(spelling.soundCount) else { return nil }
      letters = spelling.withLetters(Rows.init)
      sounds = spelling.withSounds(Rows.init)
    }

    deinit {
      letters.deallocate()
      sounds.deallocate()
    }

    /// - Returns: in hundredths of an edit, the bound when it is that much or more; nil when it has to be found cell by
    ///   cell.
    func letterDistance(_ other: Spelling, bound: Int) -> Int? {
      bound > Rows.boundMax ? nil : other.withLetters { letters.distance($0, bound) }
    }

    /// The same of what is heard.
    func soundDistance(_ other: Spelling, bound: Int) -> Int? {
      bound > Rows.boundMax ? nil : other.withSounds { sounds.distance($0, bound) }
    }
  }
}

extension SpellingCost.Profile {
  /// What letters cost beside those of a word.
  ///
  /// A register has a byte for the column before the first letter and one for each letter. It holds what the cell
  /// costs in tenths of an edit, taken off 255: what moves up leaves zeros behind, which are never the best. All costs
  /// are tenths of an edit.
  fileprivate struct Rows {
    typealias Cells = SIMD16<UInt8>

    static let lettersMax = Cells.scalarCount - 1
    /// What costs more is not told apart, so that no byte falls below nought: eight letters that are left out take
    /// 80 off at most.
    private static let worst: UInt8 = 80
    /// Up to this bound distances are exact, in hundredths of an edit.
    static let boundMax = Int(255 - worst) * 10
    private static let letterValues = 128

    private let count: Int
    /// The word's letters from the second byte on. No letter is 255.
    private let word: Cells
    /// What one, two, four and eight letters up to each of the word's cost when only the word has them.
    private let gaps: (Cells, Cells, Cells, Cells)
    /// The cells before the first letter of the other word.
    private let first: Cells
    /// The word's neighbouring letters, as `pair` tells.
    private let pairs: UInt64
    /// For each letter what it costs in place of the word's letters. Worked out when the letter is first met.
    private let rows: UnsafeMutablePointer<Cells>
    /// What each letter costs that only one of the words has; nought for one that was not met yet.
    private let alone: UnsafeMutablePointer<UInt8>

    init(_ letters: UnsafeBufferPointer<UInt8>) {
      var (word, pairs, previous) = (Cells(repeating: 255), UInt64(0), UInt8(0))
      var sums = Cells()
      for (place, letter) in letters.enumerated() {
        word[place + 1] = letter
        let gap = Self.gap(letter, after: previous, isLast: place == letters.count - 1, Self.alone(letter))
        sums[place + 1] = sums[place] + gap
        pairs |= SpellingCost.pair(previous, letter)
        previous = letter
      }
      func gaps(of some: Int) -> Cells {
        var gaps = Cells()
        // What moves up from before the first column stays nought.
        for column in some..<max(some, letters.count + 1) { gaps[column] = sums[column] - sums[column - some] }
        return gaps
      }
      self.gaps = (gaps(of: 1), gaps(of: 2), gaps(of: 4), gaps(of: 8))
      (self.word, self.pairs, count) = (word, pairs, letters.count)
      first = Self.best(Cells(repeating: 255) &- sums, Cells(repeating: Self.worst))
      rows = .allocate(capacity: Self.letterValues)
      alone = .allocate(capacity: Self.letterValues)
      alone.initialize(repeating: 0, count: Self.letterValues)
    }

    func deallocate() {
      rows.deallocate()
      alone.deallocate()
    }

    func distance(_ whole: UnsafeBufferPointer<UInt8>, _ bound: Int) -> Int {
      let other = UnsafeBufferPointer(rebasing: whole.prefix(SpellingCost.lettersMax))
      // A letter more costs at least a fifth of an edit.
      guard abs(other.count &- count) &* 20 < bound else { return bound }
      guard !other.isEmpty else { return min(bound, count * 100) }
      var (before, last, previous) = (first, first, UInt8(0))
      for place in other.indices {
        let letter = other[place]
        if alone[Int(letter & 127)] == 0 { meet(letter) }
        let gap = Self.gap(letter, after: previous, isLast: place == other.count &- 1, alone[Int(letter & 127)])
        let change = rows[Int(letter & 127)]
        var cells = Self.best(Self.up1(last) &- change, last &- Cells(repeating: gap))
        if place > 0, letter != previous, pairs & SpellingCost.pair(letter, previous) != 0 {
          let isSwapped = (word .== Cells(repeating: previous)) .& (Self.up1(word) .== Cells(repeating: letter))
          cells = Self.best(cells, Cells().replacing(with: Self.up2(before) &- Self.swapped, where: isSwapped))
        }
        cells = Self.best(cells, Cells(repeating: Self.worst))
        // What the word's own letters cost in a row is added up in steps of one, two, four and eight. Without the last
        // step that is seven of them.
        cells = Self.best(cells, Self.up1(cells) &- gaps.0)
        cells = Self.best(cells, Self.up2(cells) &- gaps.1)
        cells = Self.best(cells, Self.up4(cells) &- gaps.2)
        if count > 7 { cells = Self.best(cells, Self.up8(cells) &- gaps.3) }
        (before, last, previous) = (last, cells, letter)
      }
      return min(bound, (255 &- Int(last[count])) &* 10)
    }

    @inline(never)
    private func meet(_ letter: UInt8) {
      let place = Int(letter & 127)
      Self.tenths.withUnsafeBufferPointer { tenths in
        let changes = UnsafeBufferPointer(rebasing: tenths[place << 7..<(place + 1) << 7])
        var change = Cells()
        for column in 1..<Cells.scalarCount { change[column] = changes[Int(word[column] & 127)] }
        rows[place] = change
      }
      alone[place] = Self.alone(letter)
    }

    private static func alone(_ letter: UInt8) -> UInt8 { tenths[Int(letter & 127) << 7] }

    private static let tenths = SpellingCost.costs.map { $0 / 10 }

    /// `SpellingCost.gap` in tenths of an edit.
    @inline(__always)
    private static func gap(_ letter: UInt8, after previous: UInt8, isLast: Bool, _ alone: UInt8) -> UInt8 {
      if letter == previous { return doubled }
      return isLast && letter == UInt8(ascii: "S") ? lastS : alone
    }

    private static let doubled = UInt8(SpellingCost.doubled / 10)
    private static let lastS = UInt8(SpellingCost.lastS / 10)
    private static let swapped = UInt8(SpellingCost.swapped / 10)

    // What costs less is the higher byte.
    @inline(__always)
    private static func best(_ one: Cells, _ other: Cells) -> Cells { one.replacing(with: other, where: other .> one) }

    // Each byte is that of so many columns before. The compiler makes one instruction of each.
    @inline(__always)
    private static func up1(_ v: Cells) -> Cells {
      Cells(0, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14])
    }

    @inline(__always)
    private static func up2(_ v: Cells) -> Cells {
      Cells(0, 0, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13])
    }

    @inline(__always)
    private static func up4(_ v: Cells) -> Cells {
      Cells(0, 0, 0, 0, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11])
    }

    @inline(__always)
    private static func up8(_ v: Cells) -> Cells {
      Cells(0, 0, 0, 0, 0, 0, 0, 0, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7])
    }
  }
}
