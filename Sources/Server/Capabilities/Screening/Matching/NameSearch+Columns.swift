// SPDX-License-Identifier: Apache-2.0

/// What a listed name can reach by each of its words alone, before its entry is read.
///
/// Whatever the alignment pairs, each word of the listed name covers a part at most once, so that the words' best
/// together are no less than what it makes of them. A word that stands for several parts of the searched name, as one
/// `MOHAMMAD` does for both of `NIK MOHAMMAD DOST MOHAMMAD`, counts once here. The best of a word does not depend on
/// the name that has it and is remembered, for thousands of names have the same common words.
extension NameSearch {
  /// The best that a word of a listed name can be among the parts of the searched one.
  struct Column {
    var word: Int32 = -1
    var edits = Double.infinity
    var covered = 0.0
    var told = 0.0
  }

  /// The columns of words whose letters were compared.
  struct Columns {
    private static let count = 8192
    private var columns: [Column] = []

    private static func place(of word: Int32) -> Int { Int(word) & (count - 1) }

    func known(_ word: Int32) -> Column? {
      guard !columns.isEmpty else { return nil }
      let column = columns[Self.place(of: word)]
      return column.word == word ? column : nil
    }

    mutating func add(_ column: Column) {
      if columns.isEmpty { columns = Array(repeating: Column(), count: Self.count) }
      columns[Self.place(of: column.word)] = column
    }
  }

  /// What the words of a listed name are together.
  private struct Sum {
    var edits = 0.0
    var covered = 0.0
    var told = 0.0
    /// Words that are no particles.
    var count = 0

    mutating func add(_ column: Column, isParticle: Bool) {
      covered += column.covered
      told += column.told
      guard !isParticle else { return }
      edits += column.edits
      count += 1
    }
  }

  /// Whether a listed name may reach a score. True where its words say nothing.
  func mayReach(_ number: Int32, least: Double, _ prospects: Prospects) -> Bool {
    guard hasLetterBound, !hasInitials else { return true }
    let listed = index.names[Int(number)]
    let theirs = index.words(of: listed)
    guard !listed.hasInitials, theirs.count <= ListedName.wordsMax else { return true }
    return withUnsafeTemporaryAllocation(of: WordPairs.Facts.self, capacity: ListedName.wordsMax) { cells in
      var (count, letters) = (0, 0)
      for word in theirs {
        let facts = index.facts[Int(word)]
        if facts.isConsonantal || facts.count == 1 { return true }
        cells.initializeElement(at: count, to: facts)
        count += 1
        letters += Int(facts.count)
      }
      let words = UnsafeBufferPointer(rebasing: cells[..<count])
      let profile = NameProfile(rawValue: index.profiles[Int(number)])
      let some = prospects.of(profile.dates, areUnlike: prospects.areUnlike(profile.year))
      var (sum, isExact) = (Sum(), true)
      for word in words {
        let known = columns.known(word.number)
        if known == nil { isExact = false }
        sum.add(known ?? column(word) { leastEdits($0, word) }, isParticle: word.wordClass == .particle)
      }
      if reaches(least, sum, listed, letters: letters, some) {
        guard !isExact else { return true }
        sum = Sum()
        for word in words { sum.add(compared(word), isParticle: word.wordClass == .particle) }
        if reaches(least, sum, listed, letters: letters, some) { return true }
      }
      return mayBeJoinedOrInitials(listed, words, letters: letters)
    }
  }

  private func reaches(
    _ least: Double, _ sum: Sum, _ listed: ScreeningIndex.Name, letters: Int, _ prospects: [Prospect]
  ) -> Bool {
    var score = 1.0
    // Only when there are no more of them is every word paired.
    if sum.count <= wordCount, sum.edits.isFinite {
      let shorter = Double(min(letters, joined.letters.count))
      let allowed = min(policy.editsMax, max(0.5, shorter / policy.lettersPerEdit))
      score -= policy.editsWeight * sum.edits / allowed
      guard score >= policy.nameMin - 1e-6 else { return false }
    }
    if listed.isWeak { score -= policy.weakName }
    let all = total + listed.rarity
    let coverage = all > 0 ? min(1, sum.covered / all) : 1
    return prospects.contains { prospect in
      let doubt = prospect.doubt
      return 1 - (1 - score) * policy.nameDifference * max(doubt, policy.doubtMin)
        - (1 - coverage) * policy.uncoveredName * doubt
        - (doubt < 1 ? 0 : max(0, policy.toldMin - sum.told) * policy.toldMissing) + prospect.weight + 1e-6 >= least
    }
  }

  /// By the letters themselves, remembered.
  private func compared(_ word: WordPairs.Facts) -> Column {
    if let known = columns.known(word.number) { return known }
    var alignment = takeAlignment()
    let column = column(word) { edits($0, word, &alignment) }
    putBack(alignment)
    columns.add(column)
    return column
  }

  /// - Parameter edits: of a part what it costs at least, and the least that counts for what it covers.
  @inline(__always)
  private func column(
    _ word: WordPairs.Facts, edits: (_ part: Int) -> (least: Double, counted: Double)
  ) -> Column {
    var column = Column(word: word.number)
    let isParticle = word.wordClass == .particle
    let rarity = index.rarities[Int(word.number)]
    var nearest = 0.0
    for part in facts.indices {
      let isSameKind = (facts[part].wordClass == .particle) == isParticle
      if facts[part].letterSet.bits == word.letterSet.bits, areEqual(part, word) {
        // Equal words are paired whatever they are; of different kinds they leave unequal numbers to the others.
        column.edits = isSameKind ? min(column.edits, 0) : -.infinity
        nearest = 1
        column.covered = max(column.covered, parts[part].weight + rarity)
      } else if isSameKind {
        let (least, counted) = edits(part)
        let likeness = max(0, 1 - counted / Double(max(1, word.count)))
        column.edits = min(column.edits, least)
        nearest = max(nearest, likeness)
        column.covered = max(column.covered, (parts[part].weight + rarity) * likeness)
      }
    }
    column.told = rarity * nearest
    return column
  }

  /// Whether the alignment may do with them what single words do not tell.
  private func mayBeJoinedOrInitials(
    _ listed: ScreeningIndex.Name, _ theirs: UnsafeBufferPointer<WordPairs.Facts>, letters: Int
  ) -> Bool {
    let (mine, others) = (PartSet(count: facts.count), PartSet(count: theirs.count))
    return haveInitials(mine, theirs, others) || parts(mine, theirs, others) == .found
      || mayBeJoined(listed, letters: letters, words: theirs.count) && joinedScore(listed) > 0
  }
}
