// SPDX-License-Identifier: Apache-2.0

/// Names of entries whose day of birth agrees, but for a slip: there are so few that their words are compared one by
/// one.
extension NameSearch {
  /// Letters that are heard of only one of two names, when two slips and blanks tell them apart.
  private static let joinedApartMax = 5

  /// Tells of those names of some entries that share enough with this one when words with two slips count too, or are
  /// alike without their blanks.
  func forEachAgreeing(of entries: [Int32], _ body: (Candidate) -> Void) {
    var numbers: [Int32] = []
    for range in entries.map(index.names(of:)) { for number in range { numbers.append(Int32(number)) } }
    fetched &+= index.fetch(numbers[...])
    // The names of an entry have most of their words in common, so that each word is looked at once.
    var words = AgreeingWords()
    var names: [(number: Int32, words: Range<Int>)] = []
    for number in numbers where index.names[Int(number)].isPerson == name.isPerson {
      names.append((number, words.add(index.words(of: index.names[Int(number)]))))
    }
    fetched &+= index.fetchGists(of: words.numbers)
    words.lookUp(in: self)
    // What is known of the words tells of most names that they do not share enough, before any letters are read. Those
    // of the others are fetched together.
    var (left, remote): ([(number: Int32, words: Range<Int>, isJoined: Bool)], [Int32]) = ([], [])
    for (number, places) in names {
      let listed = index.names[Int(number)]
      if joined.soundSet.apart(from: listed.joinedSounds) <= Self.joinedApartMax, joinedScore(listed) > 0 {
        left.append((number, places, true))
      } else if needed(words.sum(of: places, self, byLetters: false), listed) != nil {
        left.append((number, places, false))
        words.takeUnread(of: places, into: &remote)
      }
    }
    fetched &+= index.fetchLetters(of: remote)
    for (number, places, isJoined) in left {
      guard !isJoined else {
        body(joinedCandidate(number))
        continue
      }
      let listed = index.names[Int(number)]
      let sum = words.sum(of: places, self, byLetters: true)
      guard let least = needed(sum, listed) else { continue }
      var candidate = candidate(number, listed, sum.share, sum.theirs)
      candidate.least = least
      body(candidate)
    }
  }

  private func needed(_ sum: (share: Double, theirs: Double), _ listed: ScreeningIndex.Name) -> Double? {
    leastScore(sum.share, sum.theirs, of: listed.rarity, least: -.infinity)
  }
}

/// The words of some listed names, each once, and what they are of the parts of a searched name.
private struct AgreeingWords {
  private struct Word {
    var rarity = 0.0
    /// A bit for each part of which it is a variant.
    var variants: UInt16 = 0
    /// The same for each part that two slips may tell it from, by what is known of both.
    var perhaps: UInt16 = 0
    /// Those of `perhaps` whose letters were compared, and those that two slips tell it from indeed.
    var compared: UInt16 = 0
    var remote: UInt16 = 0
    var isRead = false
  }

  /// The number of each word in the index.
  private(set) var numbers: [Int32] = []
  private var words: [Word] = []
  /// For each word of each name its place in `numbers`.
  private var places: [Int32] = []
  /// By the last bits of a word's number its place in `numbers`; below nought where no word stands.
  private var table: [Int32] = Array(repeating: -1, count: 64)

  /// Adds the words of a name.
  /// - Returns: what stands for them here.
  mutating func add(_ name: ArraySlice<Int32>) -> Range<Int> {
    let first = places.count
    for number in name {
      var slot = slot(of: number)
      if table[slot] < 0 {
        if 2 * numbers.count >= table.count {
          grow()
          slot = self.slot(of: number)
        }
        table[slot] = Int32(numbers.count)
        numbers.append(number)
      }
      places.append(table[slot])
    }
    return first..<places.count
  }

  private func slot(of number: Int32) -> Int {
    var slot = Int(number) & (table.count - 1)
    while table[slot] >= 0, numbers[Int(table[slot])] != number { slot = (slot + 1) & (table.count - 1) }
    return slot
  }

  private mutating func grow() {
    table = Array(repeating: -1, count: 4 * table.count)
    for (place, number) in numbers.enumerated() { table[slot(of: number)] = Int32(place) }
  }

  /// Finds out what the words may be, before their letters are read.
  mutating func lookUp(in search: NameSearch) {
    words.reserveCapacity(numbers.count)
    let mine = search.facts.map { WordGist($0, rarity: 0) }
    for number in numbers {
      let gist = search.index.gists[Int(number)]
      var word = Word(rarity: gist.rarity)
      word.variants = search.variants.parts(of: number)
      for (part, mine) in mine.enumerated()
      where mine.isConsonantal == gist.isConsonantal && WordVariants.mayBeRemote(mine, gist) {
        word.perhaps |= 1 << UInt16(part)
      }
      words.append(word)
    }
  }

  /// Adds the words whose letters `sum` asks for, each once.
  mutating func takeUnread(of name: Range<Int>, into unread: inout [Int32]) {
    var found: UInt16 = 0
    for place in places[name] { found |= words[Int(place)].variants }
    for place in places[name] where !words[Int(place)].isRead && words[Int(place)].perhaps & ~found != 0 {
      words[Int(place)].isRead = true
      unread.append(numbers[Int(place)])
    }
  }

  /// What a name tells of the parts: for each the rarest of its variants, and where it has none the rarest word that two
  /// slips tell from it.
  /// - Parameter byLetters: false for the most that it may tell, by what is known of the words.
  mutating func sum(
    of name: Range<Int>, _ search: NameSearch, byLetters: Bool
  ) -> (share: Double, theirs: Double) {
    var (share, theirs) = (0.0, 0.0)
    for part in search.parts.indices {
      var rarest = -1.0
      for place in places[name] where words[Int(place)].variants >> UInt16(part) & 1 == 1 {
        rarest = max(rarest, words[Int(place)].rarity)
      }
      if rarest < 0 {
        for place in places[name] {
          let word = words[Int(place)]
          // A word that tells no more than another changes nothing.
          guard word.rarity > rarest, word.perhaps >> UInt16(part) & 1 == 1 else { continue }
          if !byLetters || isRemote(Int(place), part, search) { rarest = word.rarity }
        }
      }
      guard rarest >= 0 else { continue }
      share += search.parts[part].weight
      theirs += rarest
    }
    return (share, theirs)
  }

  private mutating func isRemote(_ place: Int, _ part: Int, _ search: NameSearch) -> Bool {
    let bit: UInt16 = 1 << UInt16(part)
    if words[place].compared & bit == 0 {
      words[place].compared |= bit
      let spelling = search.index.words[Int(numbers[place])].spelling
      if WordVariants.isRemote(search.name.words[part].spelling, spelling, search.queryProfiles[part]) {
        words[place].remote |= bit
      }
    }
    return words[place].remote & bit != 0
  }
}
