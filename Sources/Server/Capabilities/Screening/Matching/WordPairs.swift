// SPDX-License-Identifier: Apache-2.0

/// The words of one name against words of a table, each pair measured once however many names share it.
struct WordPairs {
  /// What the alignment asks of a word time and again.
  struct Facts: Sendable {
    let number: Int32
    let count: Int32
    let letterSet: SpellingCost.LetterSet
    let soundSet: SpellingCost.LetterSet
    let soundCount: UInt16
    let first: UInt8
    let second: UInt8
    let last: UInt8
    let wordClass: WordClass
    let isConsonantal: Bool
    /// Whether it may contrast with a word of another organisation (`ContrastingWords`); most words do not.
    let mayContrast: Bool
    let given: GivenNames.Groups

    /// Most particles have other first letters than `bin`, `ben` and `ibn`.
    var mayBeDescent: Bool {
      wordClass == .particle && (first == UInt8(ascii: "B") || first == UInt8(ascii: "I"))
    }

    init(_ word: ListedName.Word, number: Int32) {
      self.number = number
      count = Int32(word.letters.count)
      letterSet = word.spelling.letterSet
      soundSet = word.spelling.soundSet
      soundCount = UInt16(clamping: word.spelling.soundCount)
      first = word.letters.first ?? 0
      last = word.letters.last ?? 0
      second = word.letters.count > 1 ? word.letters[1] : 0
      wordClass = word.wordClass
      isConsonantal = word.isConsonantal
      mayContrast = ContrastingWords.mayContrast(word.letters)
      given = word.wordClass == .plain && !isConsonantal ? GivenNames.groups(of: word.letters) : .init()
    }
  }

  private struct Measured {
    var key: UInt64 = .max
    /// Below nought when they are that many at least.
    var edits = 0.0
  }

  private static let measuredMin = 512
  /// Half a megabyte. What does not fit is measured again.
  private static let measuredMax = 1 << 15

  let mine: [ListedName.Word]
  let table: [ListedName.Word]
  /// Whether one of the names is read from Chinese characters.
  private let isPinyin: Bool
  private let profiles: [SpellingCost.Profile?]
  private var measured: [Measured]
  /// How many pairs were measured since there was last room made for more.
  private var misses = 0
  private var bones: [UInt64: Double] = [:]
  private var joined: [UInt8] = []

  /// - Parameters:
  ///   - profiles: of my words, when they are compared with many.
  ///   - isPinyin: whether the other name is read from Chinese characters.
  init(
    _ mine: [ListedName.Word], table: [ListedName.Word], profiles: [SpellingCost.Profile?]? = nil,
    isPinyin: Bool = false
  ) {
    self.mine = mine
    self.table = table
    self.isPinyin = isPinyin || mine.contains(where: \.isPinyin)
    self.profiles = profiles ?? mine.map { _ in nil }
    measured = Array(repeating: Measured(), count: Self.measuredMin)
  }

  /// Of words that have nothing to do with one another it is enough to know that they are so far apart, as a share of
  /// the longer one's letters. `NameAlignment` counts half of the letters as another word.
  private static let farShare = 0.6

  /// Edits between a word of mine and one of the table, at most the length of the longer.
  mutating func edits(_ one: Int, _ other: Int32) -> Double { measure(one, other, share: 1) }

  /// The same, or the least that they are when the two words are far apart.
  mutating func leastEdits(_ one: Int, _ other: Int32) -> Double { measure(one, other, share: Self.farShare) }

  /// The same by consonants, of words of which one is read without vowels.
  mutating func consonantEdits(_ one: Int, _ other: Int32) -> Double {
    let key = Self.key(one, other)
    if let known = bones[key] { return known }
    if bones.count >= Self.measuredMax { bones.removeAll(keepingCapacity: true) }
    let edits = ConsonantSkeleton.edits(mine[one].letters, table[Int(other)].letters)
    bones[key] = edits
    return edits
  }

  /// Remembers the pair. Another pair may have had the place; then it is measured again.
  private mutating func measure(_ one: Int, _ other: Int32, share: Double) -> Double {
    let key = Self.key(one, other)
    var place = place(of: key)
    if measured[place].key != key || measured[place].edits < 0 && share == 1 {
      misses += 1
      if misses > measured.count, measured.count < Self.measuredMax {
        grow()
        place = self.place(of: key)
      }
      let (a, b) = (mine[one].spelling, table[Int(other)].spelling)
      let limit = Double(max(a.letterCount, b.letterCount)) * share
      var edits = SpellingCost.between(a, b, limit: limit, profile: profiles[one])
      if isPinyin {
        edits = min(limit, max(edits, SpellingCost.pinyinEdits(mine[one].letters, table[Int(other)].letters)))
      }
      measured[place] = Measured(key: key, edits: share < 1 && edits >= limit - 0.01 ? -edits : edits)
    }
    return abs(measured[place].edits)
  }

  private static func key(_ one: Int, _ other: Int32) -> UInt64 {
    UInt64(one) << 32 | UInt64(UInt32(bitPattern: other))
  }

  private func place(of key: UInt64) -> Int {
    Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 40) & (measured.count - 1)
  }

  /// Makes four times the room when that many pairs did not fit.
  private mutating func grow() {
    let known = measured
    measured = Array(repeating: Measured(), count: known.count * 4)
    for one in known where one.key != .max { measured[place(of: one.key)] = one }
    misses = 0
  }

  func areEqual(_ one: Int, _ mineFacts: Facts, _ other: Facts) -> Bool {
    mineFacts.count == other.count && mineFacts.first == other.first && mineFacts.second == other.second
      && mine[one].spelling == table[Int(other.number)].spelling
  }

  func haveSameConsonants(_ one: Int, _ other: Int32) -> Bool {
    ConsonantSkeleton.areSame(mine[one].letters, table[Int(other)].letters)
  }

  /// Edits between a word of mine and two of the table without the blank, nil from the limit on.
  mutating func joinedEdits(_ one: Int, _ first: Int32, _ second: Int32, limit: Double) -> Double? {
    joinedEdits(mine[one].spelling, table[Int(first)].letters, table[Int(second)].letters, limit)
  }

  /// The same the other way round, of a word of mine and the next.
  mutating func joinedEdits(_ other: Int32, _ one: Int, limit: Double) -> Double? {
    joinedEdits(table[Int(other)].spelling, mine[one].letters, mine[one + 1].letters, limit)
  }

  private mutating func joinedEdits(
    _ whole: SpellingCost.Spelling, _ first: [UInt8], _ second: [UInt8], _ limit: Double
  ) -> Double? {
    joined.removeAll(keepingCapacity: true)
    joined += first
    joined += second
    var edits = SpellingCost.between(whole, .init(joined, keepsArrays: false), limit: limit)
    if isPinyin { edits = max(edits, SpellingCost.pinyinEdits(whole.letters, joined)) }
    return edits < limit ? edits : nil
  }
}
