/// One name, looked for among the listed ones.
struct NameSearch {
  /// A listed name that resembles it.
  struct Found {
    let name: Int32
    let alignment: NameAlignment
    let score: Double
    /// How much of what the name tells was found, 1 for one rare word.
    let told: Double
    /// The share of what both names tell that was found.
    let coverage: Double
  }

  /// Share of a name's rarity that must be alike before it is measured.
  private static let candidateShare = 0.45
  /// Share of what both names tell that must be alike before they are measured; a hit needs more.
  private static let candidateCoverage = 0.45
  /// Joined names that are measured: a superset that many names share is a hostile one.
  private static let candidatesMax = 4096

  /// A name that is this alike needs no second look without its blanks.
  private static let sureScore = 0.97

  private let name: ListedName
  private let index: ScreeningIndex
  private let policy: MatchingPolicy
  /// For each word, the listed words that are variants of it, and how much it tells.
  private let alike: [Set<Int32>]
  private let weights: [Double]

  init(_ name: ListedName, in index: ScreeningIndex, policy: MatchingPolicy) {
    self.name = name
    self.index = index
    self.policy = policy
    alike = name.words.map { word in index.neighbours(of: word).filter { Self.isVariant(word, index.words[Int($0)]) } }
    // A misspelt common name is still a common one.
    weights = zip(name.words, alike).map { word, alike in
      alike.map { index.rarities[Int($0)] }.min() ?? (word.wordClass == .particle ? WordClass.particleRarity : 1)
    }
  }

  /// The best listed name of every entry that shares enough with it.
  /// - Parameter least: name score below which nothing is worth keeping.
  func best(least: Double) -> [Int32: Found] {
    var best: [Int32: Found] = [:]
    for candidate in candidates() {
      let listed = index.names[Int(candidate)]
      guard listed.isPerson == name.isPerson else { continue }
      let found = measure(candidate, listed)
      guard found.score >= least else { continue }
      if let known = best[listed.entry] {
        let (mine, theirs) = (rank(found), rank(known))
        if mine <= theirs { continue }
      }
      best[listed.entry] = found
    }
    return best
  }

  /// Of equal scores the real name counts, not the nickname.
  private func rank(_ found: Found) -> (Double, Double, Int32) {
    let weak = index.names[Int(found.name)].isWeak ? policy.weakName : 0
    return (found.score + found.coverage / 2 - weak, found.told, -found.name)
  }

  private func measure(_ candidate: Int32, _ listed: ScreeningIndex.Name) -> Found {
    let words = listed.words.map { index.words[Int($0)] }
    let rarities = listed.words.map { index.rarities[Int($0)] }
    let alignment = NameAlignment(
      name.words, words, rarities: (weights, rarities), isPerson: name.isPerson, policy: policy)
    let joined =
      alignment.score > Self.sureScore
      ? 0 : JoinedName.score(name.words, words, isPerson: name.isPerson, policy)
    return Found(
      name: candidate, alignment: alignment, score: max(alignment.score, joined),
      told: joined > alignment.score ? rarities.reduce(0, +) : alignment.told,
      coverage: max(joined, alignment.coverage))
  }

  /// Listed names that share enough with this one to be worth measuring.
  private func candidates() -> Set<Int32> {
    var touched: [(name: Int32, part: Int, rarity: Double)] = []
    for (part, alike) in alike.enumerated() {
      for number in alike {
        let rarity = index.rarities[Int(number)]
        for name in index.namesByWord[Int(number)] { touched.append((name, part, rarity)) }
      }
    }
    touched.sort { ($0.name, $0.part) < ($1.name, $1.part) }
    let total = weights.reduce(0, +)
    var found: Set<Int32> = []
    var start = 0
    while start < touched.count {
      var (end, share, theirs, part) = (start, 0.0, 0.0, -1)
      while end < touched.count, touched[end].name == touched[start].name {
        if touched[end].part != part {
          part = touched[end].part
          share += weights[part]
          theirs += touched[end].rarity
        }
        end += 1
      }
      let name = touched[start].name
      let all = total + index.names[Int(name)].rarity
      if share >= Self.candidateShare * total || share >= 1, share + theirs >= Self.candidateCoverage * all {
        found.insert(name)
      }
      start = end
    }
    if found.count < Self.candidatesMax { found.formUnion(index.names(joinedLike: name.joined)) }
    return found
  }

  private static func isVariant(_ one: ListedName.Word, _ other: ListedName.Word) -> Bool {
    let length = Double(max(one.letters.count, other.letters.count))
    return SpellingCost.between(one.letters, other.letters, limit: length * 0.45) < length * 0.45
      || one.isConsonantal != other.isConsonantal && ConsonantSkeleton.edits(one.letters, other.letters) < length * 0.5
  }
}
