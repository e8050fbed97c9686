/// Which listed names share enough with the searched one to be worth measuring.
extension NameSearch {
  /// Share of a name's rarity that must be alike before it is measured, unless that much is alike.
  private static let candidateShare = 0.45
  private static let candidateRarity = 1.0
  /// Share of what both names tell that must be alike before they are measured; a hit needs more.
  private static let candidateCoverage = 0.45

  /// A listed name that shares enough to be worth measuring.
  struct Candidate {
    let name: Int32
    /// What both names tell, in rare words.
    let all: Double
    /// What of the listed name was found.
    let told: Double
    /// What of each name was not found.
    let rest: (mine: Double, theirs: Double)
    /// It was found without its blanks.
    var isJoined = false
  }

  /// Listed names that share enough with this one to be worth measuring; some may repeat.
  /// - Parameter least: score that a name is wanted from. Names that reach it only when a date of birth confirms them
  ///   may be left out, so that it is 0 where one may.
  func candidates(least: Double) -> [Candidate] {
    var found = index.names(joinedLike: joined.letters).filter { index.names[Int($0)].isPerson == name.isPerson }.map {
      Candidate(name: $0, all: 1, told: index.names[Int($0)].rarity, rest: (0, 0), isJoined: true)
    }
    let total = weights.reduce(0, +)
    let enough = min(Self.candidateShare * total, Self.candidateRarity)
    let (driving, following) = parted(enough: enough, least: least)
    let followers = Variants(following, alike, weights)
    var tally = NameTally(names: index.names.count)
    for part in driving { add(part, to: &tally) }
    // A name with an initial may be the searched one for a word less.
    for part in following { add(part, to: &tally, withInitials: true) }
    // A listed name tells at least what was found of it, so that most can be left before they are looked at.
    let all = Self.candidateCoverage * total - 1e-9
    tally.run(index.namesByWord) { number, share, theirs in
      var (share, theirs) = (share, theirs)
      let most = share + followers.weight
      guard most >= enough, most + (theirs + followers.rarity) * (1 - Self.candidateCoverage) >= all else { return }
      let listed = index.names[Int(number)]
      let both = Self.candidateCoverage * (total + listed.rarity)
      if !followers.isEmpty, !listed.hasInitials {
        guard most + theirs + followers.rarity >= both else { return }
        followers.add(index.words(of: listed), index.rarities, &share, &theirs)
      }
      guard share >= enough, share + theirs >= both else { return }
      found.append(candidate(number, listed, total, share, theirs))
    }
    return found
  }

  /// The names of some entries that share enough with this one when words with two slips count too: there are so few
  /// that their words are compared one by one.
  /// - Parameter others: entries whose names need not share a word as it is or with one slip.
  func candidates(among entries: [Int32], others: [Int32]) -> [Candidate] {
    guard !entries.isEmpty else { return [] }
    var found: [Candidate] = []
    // A particle alone is not enough.
    let some = entriesWithVariants(
      of: weights.indices.filter { weights[$0] > Self.wordLeft }, among: entries, others: others)
    guard !some.isEmpty else { return [] }
    let total = weights.reduce(0, +)
    let enough = min(Self.candidateShare * total, Self.candidateRarity)
    let variants = Variants(Array(weights.indices), alike, weights)
    for entry in some {
      for number in index.names(of: entry) where index.names[number].isPerson == name.isPerson {
        let listed = index.names[number]
        let words = index.words(of: listed)
        var (share, theirs) = (0.0, 0.0)
        variants.add(words, index.rarities, &share, &theirs) { remoteRarity($0, words) }
        guard share >= enough, share + theirs >= Self.candidateCoverage * (total + listed.rarity) else { continue }
        found.append(candidate(Int32(number), listed, total, share, theirs))
      }
    }
    return found
  }

  /// Those of some entries that may have a variant of any of the parts, and the others.
  private func entriesWithVariants(of parts: [Int], among entries: [Int32], others: [Int32]) -> [Int32] {
    var marks = WordMarks()
    for part in parts { for variant in alike[part] { marks.insert(variant.word) } }
    var found = others
    index.wordsOfNames.withUnsafeBufferPointer { words in
      index.firstWords.withUnsafeBufferPointer { firsts in
        marks.bits.withUnsafeBufferPointer { marks in
          for entry in entries {
            var place = Int(firsts[Int(entry)])
            let end = Int(firsts[Int(entry) + 1])
            while place < end, !WordMarks.contain(words[place], marks) { place &+= 1 }
            if place < end, !others.contains(entry) { found.append(entry) }
          }
        }
      }
    }
    return found
  }

  /// Which words may be in a set, by the last bits of their numbers.
  private struct WordMarks {
    private(set) var bits = [UInt64](repeating: 0, count: 64)

    mutating func insert(_ word: Int32) { bits[Int(word >> 6 & 63)] |= 1 << UInt64(word & 63) }

    static func contain(_ word: Int32, _ bits: UnsafeBufferPointer<UInt64>) -> Bool {
      bits[Int(word >> 6 & 63)] >> UInt64(word & 63) & 1 == 1
    }

    func contain(_ word: Int32) -> Bool { bits[Int(word >> 6 & 63)] >> UInt64(word & 63) & 1 == 1 }
  }

  /// How much the rarest of some words tells that is one of this name's with two slips; nil when there is none.
  private func remoteRarity(_ part: Int, _ words: ArraySlice<Int32>) -> Double? {
    let word = name.words[part]
    var rarest: Double?
    for number in words where index.facts[Int(number)].isConsonantal == word.isConsonantal {
      if Self.isRemote(word, number, index) { rarest = max(rarest ?? 0, index.rarities[Int(number)]) }
    }
    return rarest
  }

  private func candidate(
    _ number: Int32, _ listed: ScreeningIndex.Name, _ total: Double, _ share: Double, _ theirs: Double
  ) -> Candidate {
    Candidate(
      name: number, all: total + listed.rarity, told: theirs,
      rest: (max(0, total - share), max(0, listed.rarity - theirs)))
  }

  /// Names that share anything with this one, those that share most first: what resembles it most where nothing does.
  func remoteCandidates(limit: Int) -> [Int32] {
    let total = weights.reduce(0, +)
    var best: [(share: Double, name: Int32)] = []
    func add(_ name: Int32, _ share: Double) {
      guard best.count < limit || share > best[best.count - 1].share else { return }
      if best.count == limit { best.removeLast() }
      best.insert((share, name), at: best.firstIndex { $0.share < share } ?? best.count)
    }
    var tally = NameTally(names: index.names.count)
    for part in alike.indices { self.add(part, to: &tally) }
    tally.run(index.namesByWord) { number, share, theirs in
      let all = total + index.names[Int(number)].rarity
      add(number, all > 0 ? (share + theirs) / all : 0)
    }
    return best.map(\.name)
  }

  private func add(_ part: Int, to tally: inout NameTally, withInitials: Bool = false) {
    for variant in alike[part] where index.isWordOfPerson[Int(variant.word)] == name.isPerson {
      let range = withInitials ? index.namesWithInitials(variant.word) : index.names(with: variant.word)
      tally.add(range, part: part, weight: weights[part], rarity: variant.rarity)
    }
  }

  /// Parts that are looked for in names that something else has found.
  private struct Variants {
    private let parts: [(weight: Double, words: [Int32])]
    let weight: Double
    /// The most that their variants may tell.
    let rarity: Double
    private var marks = WordMarks()

    init(_ parts: [Int], _ alike: [[Alike]], _ weights: [Double]) {
      self.parts = parts.map { (weights[$0], alike[$0].map(\.word).sorted()) }
      weight = parts.reduce(0) { $0 + weights[$1] }
      rarity = parts.reduce(0) { $0 + Self.most(alike[$1]) }
      for part in self.parts { for word in part.words { marks.insert(word) } }
    }

    var isEmpty: Bool { parts.isEmpty }

    static func most(_ alike: [Alike]) -> Double { alike.reduce(0) { max($0, $1.rarity) } }

    /// - Parameter other: what the words of a name tell that has none of a part's variants.
    func add(
      _ words: ArraySlice<Int32>, _ rarities: [Double], _ share: inout Double, _ theirs: inout Double,
      other: (_ part: Int) -> Double? = { _ in nil }
    ) {
      for (part, (weight, variants)) in parts.enumerated() {
        var rarity = -1.0
        for word in words where marks.contain(word) {
          if Self.contains(variants, word) { rarity = max(rarity, rarities[Int(word)]) }
        }
        if rarity < 0 { rarity = other(part) ?? -1 }
        guard rarity >= 0 else { continue }
        share += weight
        theirs += rarity
      }
    }

    private static func contains(_ words: [Int32], _ word: Int32) -> Bool {
      var (low, high) = (0, words.count)
      while low < high {
        let middle = (low + high) / 2
        if words[middle] < word { low = middle + 1 } else { high = middle }
      }
      return low < words.count && words[low] == word
    }
  }

  /// Words that a candidate may be found by, and those that are too common: a name that shares only these shares too
  /// little, so that the many names that have them need not be looked at.
  private func parted(enough: Double, least: Double) -> (driving: [Int], following: [Int]) {
    let total = weights.reduce(0, +)
    var following: [Int] = []
    var (share, theirs) = (0.0, 0.0)
    for part in weights.indices.sorted(by: { (weights[$0], $0) < (weights[$1], $1) }) {
      share += weights[part]
      theirs += Variants.most(alike[part])
      // Sums in another order may differ in the last place.
      guard share < enough - 1e-9 || mostUnconfirmed(total: total, share, theirs) < least - 1e-9 else { break }
      following.append(part)
    }
    return (weights.indices.filter { !following.contains($0) }, following)
  }

  // MARK: What a candidate can reach

  /// What a word can add at most that is no variant of any other: two words that are further apart are not counted as
  /// one. Initials may stand for a word.
  private static let strangerMax = 0.55
  private static let initialMax = 0.75
  /// A name of which more than that remains, in rare words, has a word left that is no particle.
  private static let wordLeft = 0.34

  /// The highest score that a candidate can have.
  /// - Parameters:
  ///   - doubt: how far the name stays in doubt after the date of birth.
  ///   - weight: what dates, nationalities and sex add.
  func most(_ candidate: Candidate, doubt: Double, weight: Double) -> Double {
    guard name.isPerson else { return 1 + weight }
    return most(
      all: candidate.all, told: candidate.told, rest: candidate.rest, doubt: doubt, weight: weight,
      hasInitials: hasInitials || index.names[Int(candidate.name)].hasInitials)
  }

  private func most(
    all: Double, told: Double, rest: (mine: Double, theirs: Double), doubt: Double, weight: Double, hasInitials: Bool
  ) -> Double {
    // What only one of the names has is left out and adds nothing; what both have otherwise is paired, particles with
    // particles only.
    let other = hasInitials ? Self.initialMax : Self.strangerMax
    let mine = rest.theirs > Self.wordLeft || hasParticlePair || hasInitials ? rest.mine : min(rest.mine, rest.theirs)
    let theirs = rest.mine > 0.01 ? rest.theirs : 0
    let uncovered = (rest.mine + rest.theirs - other * (mine + theirs)) / max(all, .leastNonzeroMagnitude)
    var most =
      1 - max(0, uncovered * policy.uncoveredName * doubt)
      - (doubt < 1 ? 0 : max(0, policy.toldMin - told - other * theirs) * max(0, policy.toldMissing)) + weight
    if !hasInitials, rest.mine > Self.wordLeft, rest.theirs > Self.wordLeft {
      // Two words that are no variants are so many edits apart at least.
      let edits = Double(leastLetters) * (1 - Self.strangerMax)
      most -=
        max(0, policy.editsWeight * edits / policy.editsMax * policy.nameDifference) * max(doubt, policy.doubtMin)
    }
    return most
  }

  /// The highest score of a name that shares that much, that has initials only when this one has, and whose date of
  /// birth does not confirm it.
  private func mostUnconfirmed(total: Double, _ share: Double, _ theirs: Double) -> Double {
    guard name.isPerson else { return .infinity }
    // Between its ends what the other name has besides makes a straight or a hollow line, so that one of them is the
    // highest: nothing, the most of particles, the least of a word, and what makes up for all that is missing.
    let word = Self.wordLeft + 1e-6
    let enough = max(0, policy.toldMin - theirs) / (hasInitials ? Self.initialMax : Self.strangerMax)
    return [0, Self.wordLeft, word, max(word, enough)].reduce(0) { highest, besides in
      let bound = most(
        all: total + theirs + besides, told: theirs, rest: (total - share, besides), doubt: 1,
        weight: policy.unconfirmedMax, hasInitials: hasInitials)
      return max(highest, bound)
    }
  }
}
