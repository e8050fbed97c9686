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

  /// Listed names that share enough with this one to be worth measuring and may reach a score; some may repeat.
  /// - Parameter least: the score.
  func candidates(_ facts: SubjectFacts, least: Double) -> [Candidate] {
    var found = index.names(joinedLike: joined.letters).filter { index.names[Int($0)].isPerson == name.isPerson }.map {
      Candidate(name: $0, all: 1, told: index.names[Int($0)].rarity, rest: (0, 0), isJoined: true)
    }
    let enough = min(Self.candidateShare * total, Self.candidateRarity) - 1e-9
    let variants = Variants(parts)
    let prospects = KnownDates.allCases.map { facts.prospects($0, policy) }
    var entries = facts.bornOnSameDay
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << parts.count) { worths in
      worths.initialize(repeating: 0)
      var tally = self.tally()
      tally.run(index.namesByWord) { number, shared in
        if worths[shared] == 0 {
          worths[shared] = worth(of: shared, variants, enough: enough, least, prospects).rawValue
        }
        let worth = Worth(rawValue: worths[shared])
        guard worth != .known else { return }
        let place = Int(number)
        // An entry whose day of birth agrees comes with all its names below.
        if !facts.agreeing.isEmpty, facts.agreeing[place >> 6] >> UInt64(place & 63) & 1 == 1 {
          if worth.contains(.agreeing) { entries.append(index.names[place].entry) }
          return
        }
        guard !worth.isDisjoint(with: .anyName) else { return }
        let kind = index.kinds[place]
        guard worth.contains(.name(kind)) else { return }
        let listed = index.names[place]
        var (share, theirs) = (0.0, 0.0)
        variants.add(index.words(of: listed), index.rarities, &share, &theirs)
        guard share + theirs >= Self.candidateCoverage * (total + listed.rarity) else { return }
        let candidate = candidate(number, listed, share, theirs)
        if prospects[Int(kind / 2)].contains(where: { most(candidate, doubt: $0.doubt, weight: $0.weight) >= least }) {
          found.append(candidate)
        }
      }
    }
    addAgreeing(ScreeningIndex.distinct(&entries), variants, enough: enough, to: &found)
    return found
  }

  /// Adds those names of some entries that share enough with this one when words with two slips count too: there are so
  /// few that their words are compared one by one.
  private func addAgreeing(
    _ entries: [Int32], _ variants: Variants, enough: Double, to found: inout [Candidate]
  ) {
    for entry in entries {
      for number in index.names(of: entry) where index.names[number].isPerson == name.isPerson {
        let listed = index.names[number]
        let words = index.words(of: listed)
        var (share, theirs) = (0.0, 0.0)
        variants.add(words, index.rarities, &share, &theirs) { remoteRarity($0, words) }
        guard share >= enough, share + theirs >= Self.candidateCoverage * (total + listed.rarity) else { continue }
        found.append(candidate(Int32(number), listed, share, theirs))
      }
    }
  }

  /// What a name with some of the parts is worth.
  private struct Worth: OptionSet {
    let rawValue: UInt8

    static let known = Worth(rawValue: 128)
    /// An entry whose day of birth agrees is looked at.
    static let agreeing = Worth(rawValue: 64)

    /// A name of some kind is looked at: most sets of parts are worth none, and the kinds of their names need no look.
    static let anyName = Worth(rawValue: 63)

    /// A name of this kind is looked at when nothing is known of its entry.
    static func name(_ kind: UInt8) -> Worth { Worth(rawValue: 1 << kind) }
  }

  private func worth(
    of shared: Int, _ variants: Variants, enough: Double, _ least: Double, _ prospects: [[Prospect]]
  ) -> Worth {
    var worth = Worth.known
    let (share, theirs) = variants.sum(shared)
    // A particle alone is not enough.
    if parts.indices.contains(where: { shared >> $0 & 1 == 1 && parts[$0].weight > Self.wordLeft }) {
      worth.insert(.agreeing)
    }
    // A listed name tells at least what was found of it.
    guard share >= enough, share + theirs * (1 - Self.candidateCoverage) >= Self.candidateCoverage * total - 1e-9 else {
      return worth
    }
    for (dates, prospects) in prospects.enumerated() {
      for initials in 0...1 {
        let isWorth = prospects.contains {
          most(share, theirs, $0, hasInitials: hasInitials || initials == 1) >= least - 1e-9
        }
        if isWorth { worth.insert(.name(UInt8(dates * 2 + initials))) }
      }
    }
    return worth
  }

  private func tally() -> NameTally {
    var tally = NameTally()
    for (number, part) in parts.enumerated() {
      for word in part.words { tally.add(index.names(with: word), part: number) }
    }
    return tally
  }

  /// Which words may be in a set, by the last bits of their numbers.
  private struct WordMarks {
    private var bits = [UInt64](repeating: 0, count: 64)

    mutating func insert(_ word: Int32) { bits[Int(word >> 6 & 63)] |= 1 << UInt64(word & 63) }

    func contain(_ word: Int32) -> Bool { bits[Int(word >> 6 & 63)] >> UInt64(word & 63) & 1 == 1 }
  }

  /// How much the rarest of those words tells that are words of this name with two slips; nil when no word is one.
  private func remoteRarity(_ part: Int, _ words: ArraySlice<Int32>) -> Double? {
    let word = name.words[part]
    var rarest: Double?
    for number in words where index.facts[Int(number)].isConsonantal == word.isConsonantal {
      if WordVariants.isRemote(word, number, index) { rarest = max(rarest ?? 0, index.rarities[Int(number)]) }
    }
    return rarest
  }

  private func candidate(
    _ number: Int32, _ listed: ScreeningIndex.Name, _ share: Double, _ theirs: Double
  ) -> Candidate {
    Candidate(
      name: number, all: total + listed.rarity, told: theirs,
      rest: (max(0, total - share), max(0, listed.rarity - theirs)))
  }

  /// Names that share anything with this one, those that share most first: what resembles it most where nothing does.
  func remoteCandidates(limit: Int) -> [Int32] {
    var best: [(share: Double, name: Int32)] = []
    func add(_ name: Int32, _ share: Double) {
      guard best.count < limit || share > best[best.count - 1].share else { return }
      if best.count == limit { best.removeLast() }
      best.insert((share, name), at: best.firstIndex { $0.share < share } ?? best.count)
    }
    let variants = Variants(parts)
    var tally = self.tally()
    tally.run(index.namesByWord) { number, shared in
      let listed = index.names[Int(number)]
      let all = total + listed.rarity
      var (share, theirs) = variants.sum(shared)
      guard best.count < limit || (all > 0 ? (share + theirs) / all : 0) > best[best.count - 1].share else { return }
      (share, theirs) = (0, 0)
      variants.add(index.words(of: listed), index.rarities, &share, &theirs)
      add(number, all > 0 ? (share + theirs) / all : 0)
    }
    return best.map(\.name)
  }

  /// The variants of each part of the name.
  private struct Variants {
    private let parts: [WordVariants]
    private var marks = WordMarks()

    init(_ parts: [WordVariants]) {
      self.parts = parts
      for part in parts { for word in part.words { marks.insert(word) } }
    }

    /// What some parts tell, and the most that their variants may tell.
    func sum(_ some: Int) -> (share: Double, theirs: Double) {
      var (share, theirs) = (0.0, 0.0)
      for (number, part) in parts.enumerated() where some >> number & 1 == 1 {
        share += part.weight
        theirs += part.most
      }
      return (share, theirs)
    }

    /// - Parameter other: what the words of a name tell that has none of a part's variants.
    func add(
      _ words: ArraySlice<Int32>, _ rarities: [Double], _ share: inout Double, _ theirs: inout Double,
      other: (_ part: Int) -> Double? = { _ in nil }
    ) {
      for (number, part) in parts.enumerated() {
        var rarity = -1.0
        for word in words where marks.contain(word) {
          if part.contains(word) { rarity = max(rarity, rarities[Int(word)]) }
        }
        if rarity < 0 { rarity = other(number) ?? -1 }
        guard rarity >= 0 else { continue }
        share += part.weight
        theirs += rarity
      }
    }
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

  /// The highest score of a name that shares that much at most.
  private func most(
    _ share: Double, _ theirs: Double, _ prospect: Prospect, hasInitials: Bool
  ) -> Double {
    guard name.isPerson else { return .infinity }
    // Between its ends what the other name has besides makes a straight or a hollow line, so that one of them is the
    // highest: nothing, the most of particles, the least of a word, and what makes up for all that is missing.
    let word = Self.wordLeft + 1e-6
    let enough = max(0, policy.toldMin - theirs) / (hasInitials ? Self.initialMax : Self.strangerMax)
    func bound(_ besides: Double) -> Double {
      most(
        all: total + theirs + besides, told: theirs, rest: (total - share, besides), doubt: prospect.doubt,
        weight: prospect.weight, hasInitials: hasInitials)
    }
    return max(bound(0), bound(Self.wordLeft), bound(word), bound(max(word, enough)))
  }
}
