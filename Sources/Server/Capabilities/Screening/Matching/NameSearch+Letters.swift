// SPDX-License-Identifier: Apache-2.0

/// What a listed name can reach by the letters of its words, before the two are aligned.
///
/// It follows the alignment: equal words are paired; of the others each costs at least what its letters differ by from
/// the nearest of the other name, and covers at most what that leaves. No name scores more. What the alignment does
/// besides is asked of the letters themselves, which takes less than the alignment: whether a word is two of the other
/// name, or both names are alike without blanks.
extension NameSearch {
  /// What an alignment adds up, at least and at most.
  fileprivate struct Sums {
    var edits = 0.0
    var count = 0
    var covered = 0.0
  }

  /// Of one word of either name: the least that it costs, and the most that it covers and tells.
  fileprivate struct Nearest {
    var edits = Double.infinity
    var covered = 0.0
    var likeness = 0.0
  }

  /// - Parameter least: a name that reaches less by the sets of its letters needs no closer look.
  /// - Returns: what the sets of letters allow, infinity where they say nothing, and what a closer look leaves of it.
  func mostByLetters(
    _ number: Int32, doubt: Double, weight: Double, least: Double = -.infinity
  ) -> (bySets: Double, close: Double) {
    let listed = index.names[Int(number)]
    guard hasLetterBound else { return Self.unbounded }
    let theirs = index.words(of: listed)
    guard theirs.count <= ListedName.wordsMax else { return Self.unbounded }
    return withUnsafeTemporaryAllocation(of: WordPairs.Facts.self, capacity: ListedName.wordsMax) { cells in
      var (count, letters) = (0, 0)
      for word in theirs {
        let facts = index.facts[Int(word)]
        if facts.isConsonantal { return Self.unbounded }
        cells.initializeElement(at: count, to: facts)
        count += 1
        letters += Int(facts.count)
      }
      return most(UnsafeBufferPointer(rebasing: cells[..<count]), listed, letters, (doubt, weight, least))
    }
  }

  private static let unbounded = (bySets: Double.infinity, close: Double.infinity)

  private func most(
    _ theirs: UnsafeBufferPointer<WordPairs.Facts>, _ listed: ScreeningIndex.Name, _ letters: Int,
    _ given: (doubt: Double, weight: Double, least: Double)
  ) -> (bySets: Double, close: Double) {
    var (mineLeft, theirsLeft) = (PartSet(count: facts.count), PartSet(count: theirs.count))
    var (covered, told) = (0.0, 0.0)
    for one in mineLeft {
      for other in theirsLeft where areEqual(one, theirs[other]) {
        mineLeft.remove(one..<one + 1)
        theirsLeft.remove(other..<other + 1)
        let rarity = index.rarities[Int(theirs[other].number)]
        covered += parts[one].weight + rarity
        told += rarity
        break
      }
    }
    let parts = parts(mineLeft, theirs, theirsLeft)
    let mayBeJoined = mayBeJoined(listed, letters: letters, words: theirs.count)
    if parts == .found || haveInitials(mineLeft, theirs, theirsLeft) || mayBeJoined && joinedScore(listed) > 0 {
      return Self.unbounded
    }
    let shorter = Double(min(letters, joined.letters.count))
    let allowed = min(policy.editsMax, max(0.5, shorter / policy.lettersPerEdit))
    func mostOf(_ rest: Rest) -> Double {
      var score = 1 - policy.editsWeight * rest.edits / allowed
      guard score >= policy.nameMin - 1e-9 else { return -.infinity }
      if listed.isWeak { score -= policy.weakName }
      let all = total + listed.rarity
      let coverage = all > 0 ? min(1, (covered + rest.covered) / all) : 1
      return 1 - (1 - score) * policy.nameDifference * max(given.doubt, policy.doubtMin)
        - (1 - coverage) * policy.uncoveredName * given.doubt
        - (given.doubt < 1 ? 0 : max(0, policy.toldMin - told - rest.told) * policy.toldMissing) + given.weight + 1e-9
    }
    let most = mostOf(rest(mineLeft, theirs, theirsLeft, edits: leastEdits))
    let isUnknown = parts == .possible || mayBeJoined || hasInitials || listed.hasInitials
    let bySets = isUnknown ? .infinity : most
    guard most >= given.least, !mineLeft.isEmpty, !theirsLeft.isEmpty else { return (bySets, most) }
    // How far the words are apart is remembered, for the alignment too.
    return withAlignment { alignment in
      (bySets, mostOf(rest(mineLeft, theirs, theirsLeft) { edits($0, $1, &alignment) }))
    }
  }

  private typealias Rest = (edits: Double, covered: Double, told: Double)

  /// Whether weights are such that a name which is less alike scores less.
  static func areMonotone(_ policy: MatchingPolicy) -> Bool {
    min(
      policy.editsWeight, policy.extraPart, policy.extraPartsMax, policy.singlePart, policy.nameDifference,
      policy.uncoveredName, policy.toldMissing) >= 0
      && min(policy.otherScript, policy.doubtAfterDate, policy.doubtAfterSlip, policy.doubtAfterPart) >= 0
  }

  /// What the words that are not equal cost at least, and cover and tell at most.
  /// - Parameter edits: of two words the least that they cost, and the least that counts for what they cover.
  @inline(__always)
  private func rest(
    _ mineLeft: PartSet, _ theirs: UnsafeBufferPointer<WordPairs.Facts>, _ theirsLeft: PartSet,
    edits: (_ one: Int, _ other: WordPairs.Facts) -> (least: Double, counted: Double)
  ) -> Rest {
    guard !mineLeft.isEmpty, !theirsLeft.isEmpty else { return (0, 0, 0) }
    return withUnsafeTemporaryAllocation(of: Nearest.self, capacity: ListedName.wordsMax) { columns in
      columns.initialize(repeating: Nearest())
      var (rows, sums, told) = (Sums(), Sums(), 0.0)
      // Initials are paired with what they stand for only.
      for one in mineLeft where facts[one].count > 1 {
        let mine = facts[one]
        let isParticle = mine.wordClass == .particle
        var nearest = Nearest()
        for other in theirsLeft where theirs[other].count > 1 && (theirs[other].wordClass == .particle) == isParticle {
          let word = theirs[other]
          let (edits, counted) = edits(one, word)
          let likeness = max(0, 1 - counted / Double(max(1, word.count)))
          let covered = (parts[one].weight + index.rarities[Int(word.number)]) * likeness
          nearest.add(edits, covered, likeness)
          columns[other].add(edits, covered, likeness)
        }
        rows.add(nearest, isParticle: isParticle)
      }
      for other in theirsLeft where theirs[other].count > 1 {
        let nearest = columns[other]
        sums.add(nearest, isParticle: theirs[other].wordClass == .particle)
        told += index.rarities[Int(theirs[other].number)] * nearest.likeness
      }
      // Each word of the name that has fewer left is paired with another one of the other name.
      let edits =
        rows.count < sums.count ? rows.edits : rows.count > sums.count ? sums.edits : max(rows.edits, sums.edits)
      return (edits.isFinite ? edits : 0, min(rows.covered, sums.covered), told)
    }
  }

  /// By the sets of the letters.
  private func leastEdits(_ one: Int, _ word: WordPairs.Facts) -> (least: Double, counted: Double) {
    let edits = Double(SpellingCost.least(facts[one], word)) / 100
    return counted(edits, facts[one], word, mayHaveSameConsonants: true)
  }

  /// By the letters themselves.
  private func edits(
    _ one: Int, _ word: WordPairs.Facts, _ alignment: inout NameAlignment
  ) -> (least: Double, counted: Double) {
    let length = Double(max(facts[one].count, word.count))
    // A name is not the patronymic that is made from it.
    if (facts[one].wordClass == .patronymic) != (word.wordClass == .patronymic) { return (length, length) }
    let edits = alignment.leastEdits(one, word)
    let isNear = edits < length * 0.5 && edits > NameAlignment.sameConsonantsEdits
    return counted(edits, facts[one], word, mayHaveSameConsonants: isNear && alignment.haveSameConsonants(one, word))
  }

  @inline(__always)
  private func counted(
    _ edits: Double, _ mine: WordPairs.Facts, _ word: WordPairs.Facts, mayHaveSameConsonants: Bool
  ) -> (least: Double, counted: Double) {
    let length = Double(max(mine.count, word.count))
    let isGiven = edits > policy.otherFormEdits && mine.given.share(word.given)
    let least = isGiven ? policy.otherFormEdits : edits
    // Words with the same consonants count as one edit or less.
    let isOne = mayHaveSameConsonants && least < length * 0.5
    return (least, isOne ? min(least, NameAlignment.sameConsonantsEdits) : least)
  }

  private func areEqual(_ one: Int, _ other: WordPairs.Facts) -> Bool {
    let mine = facts[one]
    return mine.count == other.count && mine.first == other.first && mine.second == other.second
      && name.words[one].spelling == index.words[Int(other.number)].spelling
  }

  /// Whether a letter that is left may stand for a word, or two letters for two neighbours.
  private func haveInitials(
    _ mineLeft: PartSet, _ theirs: UnsafeBufferPointer<WordPairs.Facts>, _ theirsLeft: PartSet
  ) -> Bool {
    for one in mineLeft {
      let (mine, first) = (facts[one], facts[one].first)
      for other in theirsLeft {
        let word = theirs[other]
        if first == word.first, mine.count == 1 || word.count == 1 { return true }
        if mine.count == 2, first == word.first, theirsLeft.contains(other + 1),
          mine.second == theirs[other + 1].first
        {
          return true
        }
        if word.count == 2, first == word.first, mineLeft.contains(one + 1), facts[one + 1].first == word.second {
          return true
        }
      }
    }
    return false
  }

  private enum Parts {
    case none
    /// By their letters' sets.
    case possible
    case found
  }

  /// Whether a word that is left is two neighbours of the other name without their blank.
  private func parts(
    _ mineLeft: PartSet, _ theirs: UnsafeBufferPointer<WordPairs.Facts>, _ theirsLeft: PartSet
  ) -> Parts {
    let limit = NameAlignment.joinedEditsMax
    var found = Parts.none
    func mayJoin(_ whole: WordPairs.Facts, _ first: WordPairs.Facts, _ second: WordPairs.Facts) -> Bool {
      whole.count >= NameAlignment.joinedLettersMin && SpellingCost.mayJoin(whole, first, second, limit: limit)
    }
    for other in theirsLeft where theirsLeft.contains(other + 1) {
      let (first, second) = (theirs[other], theirs[other + 1])
      for one in mineLeft where mayJoin(facts[one], first, second) {
        let (first, second) = (index.words[Int(first.number)].spelling, index.words[Int(second.number)].spelling)
        if SpellingCost.areWithin(limit, name.words[one].spelling, first, second) { return .found }
        found = .possible
      }
    }
    for one in mineLeft where mineLeft.contains(one + 1) {
      for other in theirsLeft where mayJoin(theirs[other], facts[one], facts[one + 1]) {
        let (first, second) = (name.words[one].spelling, name.words[one + 1].spelling)
        let whole = index.words[Int(theirs[other].number)].spelling
        if SpellingCost.areWithin(limit, whole, first, second) { return .found }
        found = .possible
      }
    }
    return found
  }

  /// Whether the two may be alike without their blanks, by what is heard and written of them.
  private func mayBeJoined(_ listed: ScreeningIndex.Name, letters: Int, words: Int) -> Bool {
    guard facts.count + words > 2, abs(letters - joined.letters.count) <= JoinedName.lettersApartMax else {
      return false
    }
    let bound = Int(JoinedName.editsMax * 100)
    guard max(letters, joined.letters.count) <= SpellingCost.lettersMax,
      joined.soundSet.least(to: listed.joinedSounds) >= bound
    else { return true }
    var set = SpellingCost.LetterSet([])
    for word in index.words(of: listed) { set = .init(set, index.facts[Int(word)].letterSet) }
    return joined.letterSet.least(to: set) < bound
  }
}

extension NameSearch.Sums {
  fileprivate mutating func add(_ nearest: NameSearch.Nearest, isParticle: Bool) {
    covered += nearest.covered
    guard !isParticle else { return }
    edits += nearest.edits
    count += 1
  }
}

extension NameSearch.Nearest {
  fileprivate mutating func add(_ edits: Double, _ covered: Double, _ likeness: Double) {
    self.edits = min(self.edits, edits)
    self.covered = max(self.covered, covered)
    self.likeness = max(self.likeness, likeness)
  }
}
