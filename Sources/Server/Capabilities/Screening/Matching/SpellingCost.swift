// SPDX-License-Identifier: Apache-2.0

/// How far two spellings of a word lie apart, in edits: 1 for a letter that was changed, left out, added or swapped
/// with its neighbour, less for letters that languages and clerks take for one another, such as I and Y, C and K, or
/// for a doubled letter.
enum SpellingCost {
  /// Longer words are compared by their first letters.
  static let lettersMax = 64
  private static let one = 100
  /// What spelling alone is worth when two words sound the same.
  private static let soundFloor = 30

  /// Which letters a word has. Letters that stand for one another at 30 are one, so that every letter that only one of
  /// two words has costs at least something: a gap that is no doubled letter 60 or more, or 40 for an `H`; a change 60
  /// or more, of which two letters bear half each when each is in one word only.
  struct LetterSet: Sendable {
    let bits: UInt32
    /// Letters that one of these changes into at 60.
    private let partners: UInt32
    private static let least = 50
    private static let leastOfVowel = 40
    private static let leastOfPartner = 30

    init(_ letters: [UInt8]) {
      var sets: UInt64 = 0
      Self.sets.withUnsafeBufferPointer { all in
        for letter in letters.prefix(lettersMax) { sets |= all[Int(letter & 127)] }
      }
      (bits, partners) = (UInt32(sets >> 32), UInt32(truncatingIfNeeded: sets))
    }

    /// Of each letter its bit in the upper half, and its partners in the lower.
    private static let sets: [UInt64] = (0..<128).map { (letter: UInt8) in
      let kind =
        switch letter {
        case UInt8(ascii: "Y"), UInt8(ascii: "J"): UInt8(ascii: "I")
        case UInt8(ascii: "C"), UInt8(ascii: "Q"): UInt8(ascii: "K")
        case UInt8(ascii: "W"): UInt8(ascii: "V")
        default: letter
        }
      return UInt64(bit(kind)) << 32 | UInt64(partners(of: kind & 31))
    }

    init(_ one: LetterSet, _ other: LetterSet) {
      (bits, partners) = (one.bits | other.bits, one.partners | other.partners)
    }

    private static func bit(_ letter: UInt8) -> UInt32 { 1 << UInt32(letter & 31) }

    private static func bit(_ letter: Unicode.Scalar) -> UInt32 { bit(UInt8(ascii: letter)) }

    /// - Parameter letter: the last five bits of one that others stand for, or of a digit, which has the partners of the
    ///   letter with the same bits.
    private static func partners(of letter: UInt8) -> UInt32 {
      switch letter | 64 {
      case UInt8(ascii: "B"): bit("P")
      case UInt8(ascii: "D"): bit("T")
      case UInt8(ascii: "E"): bit("I")
      case UInt8(ascii: "F"): bit("V")
      case UInt8(ascii: "G"): bit("K") | bit("I")
      case UInt8(ascii: "I"): bit("E") | bit("G")
      case UInt8(ascii: "K"): bit("G") | bit("X") | bit("S")
      case UInt8(ascii: "O"): bit("U")
      case UInt8(ascii: "P"): bit("B")
      case UInt8(ascii: "S"): bit("Z") | bit("K")
      case UInt8(ascii: "T"): bit("D")
      case UInt8(ascii: "U"): bit("O") | bit("V")
      case UInt8(ascii: "V"): bit("F") | bit("U")
      case UInt8(ascii: "X"): bit("K")
      case UInt8(ascii: "Z"): bit("S")
      default: 0
      }
    }

    /// The least that two words cost, in hundredths of an edit.
    func least(to other: LetterSet) -> Int {
      let (mine, theirs) = (bits & ~other.bits, other.bits & ~bits)
      let vowels = Self.bit("A") | Self.bit("E") | Self.bit("I") | Self.bit("O") | Self.bit("U")
      let partners = mine & other.partners | theirs & partners
      // A vowel changes into any other at 80 at most, and an `H` is left out at 40.
      var cheap = (mine | theirs) & Self.bit("H")
      if mine & vowels != 0, theirs & vowels != 0 { cheap |= (mine | theirs) & vowels }
      // Each letter costs 30 at least, one that is no partner 10 more, and one that is not cheap either 10 more again.
      let all = mine | theirs
      let (others, dear) = (all & ~partners, all & ~partners & ~cheap)
      return all.nonzeroBitCount * Self.leastOfPartner
        + (UInt64(others) << 32 | UInt64(dear)).nonzeroBitCount * (Self.least - Self.leastOfVowel)
    }

    /// Letters that only one of the two words has.
    func apart(from other: LetterSet) -> Int { (bits ^ other.bits).nonzeroBitCount }
  }

  /// - Returns: edits; `limit` or more when they lie that far apart.
  static func between(_ one: [UInt8], _ other: [UInt8], limit: Double) -> Double {
    if one == other { return 0 }
    return between(Spelling(one), Spelling(other), limit: limit)
  }

  /// - Parameter profile: of the one, when it is compared with many; nil for none.
  static func between(
    _ one: Spelling, _ other: Spelling, limit: Double, profile: Profile? = nil
  ) -> Double {
    if one == other { return 0 }
    let bound = Int((limit * 100).rounded())
    let least = one.letterSet.least(to: other.letterSet)
    let plain = least >= bound ? bound : distance(one, other, bound: bound, profile)
    let floor = floor(one.letterCount, other.letterCount)
    // What is read letter by letter is no nearer by sound.
    if plain <= floor || one.isPlain && other.isPlain { return Double(plain) / 100 }
    // Only a shorter way by sound is of interest.
    let left = plain - floor
    guard one.soundSet.least(to: other.soundSet) < left else { return Double(plain) / 100 }
    return Double(min(plain, floor + soundDistance(one, other, bound: left, profile))) / 100
  }

  /// The same with a spelling of which only what is heard is worked out: nothing else of it has to be when they lie
  /// further apart.
  /// - Parameter heard: its sounds' letters.
  static func between(_ one: Spelling, _ other: [UInt8], sounds heard: LetterSet, limit: Double) -> Double {
    if one.letters == other { return 0 }
    let bound = Int((limit * 100).rounded())
    let least = one.letterSet.least(to: LetterSet(other))
    let plain = least >= bound ? bound : distance(one.letters, other, bound: bound)
    let left = plain - floor(one.letterCount, other.count)
    guard left > 0, one.soundSet.least(to: heard) < left else { return Double(plain) / 100 }
    let sounds = sound(other)
    if one.isPlain && sounds == other { return Double(plain) / 100 }
    let floor = plain - left
    return Double(min(plain, floor + distance(one.sounds, sounds, bound: left))) / 100
  }

  /// Whether two words lie less than `limit` edits apart: how far exactly does not matter.
  /// - Parameter profile: of the one, when it is compared with many; nil for none.
  static func areWithin(_ limit: Double, _ one: Spelling, _ other: Spelling, profile: Profile? = nil) -> Bool {
    let bound = Int((limit * 100).rounded())
    if one.letterSet.least(to: other.letterSet) < bound, distance(one, other, bound: bound, profile) < bound {
      return true
    }
    let left = bound - floor(one.letterCount, other.letterCount)
    return !(one.isPlain && other.isPlain) && one.soundSet.least(to: other.soundSet) < left
      && soundDistance(one, other, bound: left, profile) < left
  }

  /// The least that lies between two words, by what is known of them, in hundredths of an edit.
  static func least(_ one: WordPairs.Facts, _ other: WordPairs.Facts) -> Int {
    let (a, b) = (min(Int(one.count), lettersMax), min(Int(other.count), lettersMax))
    // A letter more costs at least a fifth of an edit.
    let plain = max(one.letterSet.least(to: other.letterSet), abs(a - b) * 20)
    let (heard, seen) = (min(Int(one.soundCount), lettersMax), min(Int(other.soundCount), lettersMax))
    let sounds = max(one.soundSet.least(to: other.soundSet), abs(heard - seen) * 20)
    return min(plain, floor(Int(one.count), Int(other.count)) + sounds, Int(max(one.count, other.count)) * Self.one)
  }

  /// Whether a word may be two others without the blank, by what is known of the three. True when it has to be tried.
  static func mayJoin(
    _ whole: WordPairs.Facts, _ first: WordPairs.Facts, _ second: WordPairs.Facts, limit: Double
  ) -> Bool {
    let bound = Int((limit * 100).rounded())
    let letters = Int(first.count + second.count)
    guard max(letters, Int(first.soundCount) + Int(second.soundCount)) <= lettersMax else { return true }
    if whole.letterSet.least(to: LetterSet(first.letterSet, second.letterSet)) < bound { return true }
    if soundsRunOn(first.last, second.first) { return true }
    let sounds = whole.soundSet.least(to: LetterSet(first.soundSet, second.soundSet))
    return floor(Int(whole.count), letters) + sounds < bound
  }

  /// Short words sound alike too often.
  static func floor(_ one: Int, _ other: Int) -> Int { min(one, other) > 4 ? soundFloor : 2 * soundFloor }

  private static func distance(_ one: Spelling, _ other: Spelling, bound: Int, _ profile: Profile?) -> Int {
    if let known = profile?.letterDistance(other, bound: bound) { return known }
    return one.withLetters { one in other.withLetters { other in distance(one, other, bound: bound) } }
  }

  private static func soundDistance(_ one: Spelling, _ other: Spelling, bound: Int, _ profile: Profile?) -> Int {
    if let known = profile?.soundDistance(other, bound: bound) { return known }
    return one.withSounds { one in other.withSounds { other in distance(one, other, bound: bound) } }
  }

  private static func distance(_ one: [UInt8], _ other: [UInt8], bound: Int) -> Int {
    one.withUnsafeBufferPointer { one in
      other.withUnsafeBufferPointer { other in distance(one, other, bound: bound) }
    }
  }

  private static func distance(
    _ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>, bound: Int
  ) -> Int {
    distance(.init(rebasing: one.prefix(lettersMax)), .init(rebasing: other.prefix(lettersMax)), bound)
  }

  /// The same with two words one after the other.
  /// - Parameter start: where the second begins.
  static func distance(
    _ whole: [UInt8], _ first: [UInt8], _ second: [UInt8], from start: Int = 0, bound: Int
  ) -> Int {
    whole.withUnsafeBufferPointer { whole in
      first.withUnsafeBufferPointer { first in
        second.withUnsafeBufferPointer { second in distance(whole, first, second, from: start, bound: bound) }
      }
    }
  }

  static func distance(
    _ whole: UnsafeBufferPointer<UInt8>, _ first: UnsafeBufferPointer<UInt8>, _ second: UnsafeBufferPointer<UInt8>,
    from start: Int, bound: Int
  ) -> Int {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: lettersMax) { cells in
      var count = 0
      for letter in first.prefix(lettersMax) {
        cells[count] = letter
        count += 1
      }
      for letter in second[min(start, second.count)...].prefix(lettersMax - count) {
        cells[count] = letter
        count += 1
      }
      return distance(.init(rebasing: whole.prefix(lettersMax)), .init(rebasing: cells[..<count]), bound)
    }
  }
}
