/// One name, looked for among the listed ones.
struct NameSearch {
  /// A listed name that resembles it.
  struct Found {
    let name: Int32
    let score: Double
    /// How much of what the name tells was found, 1 for one rare word.
    let told: Double
    /// The share of what both names tell that was found.
    let coverage: Double
    /// The two are closer without their blanks than part by part.
    let isJoined: Bool
  }

  /// Share of a name's rarity that must be alike before it is measured, unless that much is alike.
  private static let candidateShare = 0.45
  private static let candidateRarity = 1.0
  /// Share of what both names tell that must be alike before they are measured; a hit needs more.
  private static let candidateCoverage = 0.45
  /// Joined names that are measured: a superset that many names share is a hostile one.
  private static let candidatesMax = 4096
  /// A name that is this alike needs no second look without its blanks.
  private static let sureScore = 0.97

  /// A listed word that is a variant of one of the name's words.
  private struct Alike {
    let word: Int32
    let rarity: Double
  }

  private let name: ListedName
  private let index: ScreeningIndex
  private let policy: MatchingPolicy
  /// For each word its variants, the rarest first.
  private let alike: [[Alike]]
  /// How much each word tells.
  private let weights: [Double]
  private let joined: SpellingCost.Spelling

  init(_ name: ListedName, in index: ScreeningIndex, policy: MatchingPolicy) {
    self.name = name
    self.index = index
    self.policy = policy
    alike = name.words.map { word in
      var variants: [Alike] = []
      for number in index.neighbours(of: word) where Self.isVariant(word, index.words[Int(number)]) {
        variants.append(Alike(word: number, rarity: index.rarities[Int(number)]))
      }
      variants.sort { ($1.rarity, $0.word) < ($0.rarity, $1.word) }
      return variants
    }
    // A misspelt common name is still a common one.
    weights = zip(name.words, alike).map { word, alike in
      alike.last?.rarity ?? (word.wordClass == .particle ? WordClass.particleRarity : 1)
    }
    joined = SpellingCost.Spelling(name.joined)
  }

  /// The best listed name of every entry that shares enough with it.
  /// - Parameter least: name score below which nothing is worth keeping.
  func best(least: Double) -> [Int32: Found] {
    var best: [Int32: Found] = [:]
    let candidates = candidates()
    var alignment = NameAlignment(
      WordPairs(name.words, table: index.words, names: candidates.count), rarities: weights, isPerson: name.isPerson,
      policy: policy)
    for candidate in candidates where index.names[Int(candidate)].isPerson == name.isPerson {
      let found = measure(candidate, &alignment)
      guard found.score >= least else { continue }
      let entry = index.names[Int(candidate)].entry
      if let known = best[entry], rank(found) <= rank(known) { continue }
      best[entry] = found
    }
    return best
  }

  /// Of equal scores the real name counts, not the nickname.
  private func rank(_ found: Found) -> (Double, Double, Int32) {
    let weak = index.names[Int(found.name)].isWeak ? policy.weakName : 0
    return (found.score + found.coverage / 2 - weak, found.told, -found.name)
  }

  private func measure(_ candidate: Int32, _ alignment: inout NameAlignment) -> Found {
    let listed = index.names[Int(candidate)]
    alignment.align(index.words(of: listed), of: index.facts, rarities: index.rarities, rarity: listed.rarity)
    let joined = alignment.score > Self.sureScore ? 0 : joinedScore(listed)
    let isJoined = joined > alignment.score
    return Found(
      name: candidate, score: max(alignment.score, joined), told: isJoined ? listed.rarity : alignment.told,
      coverage: max(joined, alignment.coverage), isJoined: isJoined)
  }

  /// How alike the two are without their blanks.
  private func joinedScore(_ listed: ScreeningIndex.Name) -> Double {
    let theirs = index.words(of: listed)
    guard name.words.count + theirs.count > 2 else { return 0 }
    var letters = 0
    for number in theirs { letters += Int(index.facts[Int(number)].count) }
    guard abs(letters - joined.letters.count) <= JoinedName.lettersApartMax else { return 0 }
    // Names that differ in many letters need no second look; longer ones are cut when they are compared.
    let bound = Int(JoinedName.editsMax * 100)
    if max(letters, joined.letters.count) <= SpellingCost.lettersMax,
      joined.soundSet.least(to: listed.joinedSounds) >= bound {
      var set = SpellingCost.LetterSet([])
      for number in theirs { set = .init(set, index.words[Int(number)].spelling.letterSet) }
      if joined.letterSet.least(to: set) >= bound { return 0 }
    }
    let words = theirs.map { index.words[Int($0)] }
    guard name.isPerson || name.words.count != words.count && JoinedName.haveSameNumbers(name.words, words) else {
      return 0
    }
    return JoinedName.score(joined, .init(words.flatMap(\.letters)), policy)
  }

  // MARK: Candidates

  /// Listed names that share enough with this one to be worth measuring, in order.
  private func candidates() -> [Int32] {
    let total = weights.reduce(0, +)
    let enough = min(Self.candidateShare * total, Self.candidateRarity)
    let (driving, following) = parted(enough: enough)
    // Name, part and variant in one number, so that sorting brings together what belongs to one name.
    var touched: [UInt64] = []
    for part in driving {
      for (place, variant) in alike[part].enumerated() where index.isWordOfPerson[Int(variant.word)] == name.isPerson {
        let low = UInt64(part) << 24 | UInt64(min(place, 0xFF_FFFF))
        for name in index.namesByWord[Int(variant.word)] { touched.append(UInt64(name) << 32 | low) }
      }
    }
    touched.sort()
    let followers = following.map { part in (part, Set(alike[part].map(\.word))) }
    var found: [Int32] = []
    var rarities = [Double](repeating: -1, count: weights.count)
    var start = 0
    while start < touched.count {
      let number = Int32(touched[start] >> 32)
      for part in rarities.indices { rarities[part] = -1 }
      while start < touched.count, Int32(touched[start] >> 32) == number {
        let part = Int(touched[start] >> 24 & 0xFF)
        if rarities[part] < 0 { rarities[part] = alike[part][Int(touched[start] & 0xFF_FFFF)].rarity }
        start += 1
      }
      let listed = index.names[Int(number)]
      for (part, variants) in followers {
        for word in index.words(of: listed) where variants.contains(word) {
          rarities[part] = max(rarities[part], index.rarities[Int(word)])
        }
      }
      var (share, theirs) = (0.0, 0.0)
      for part in rarities.indices where rarities[part] >= 0 {
        share += weights[part]
        theirs += rarities[part]
      }
      if share >= enough, share + theirs >= Self.candidateCoverage * (total + listed.rarity) { found.append(number) }
    }
    if found.count < Self.candidatesMax {
      found += index.names(joinedLike: joined.letters)
      found = ScreeningIndex.distinct(&found)
    }
    return found
  }

  /// Words that a candidate may be found by, and those that are too common: a name that shares only these shares too
  /// little, so that the many names that have them need not be looked at.
  private func parted(enough: Double) -> (driving: [Int], following: [Int]) {
    var following: [Int] = []
    var share = 0.0
    for part in weights.indices.sorted(by: { (weights[$0], $0) < (weights[$1], $1) }) {
      share += weights[part]
      // Sums in another order may differ in the last place.
      guard share < enough - 1e-9 else { break }
      following.append(part)
    }
    return (weights.indices.filter { !following.contains($0) }, following)
  }

  private static func isVariant(_ one: ListedName.Word, _ other: ListedName.Word) -> Bool {
    let length = Double(max(one.letters.count, other.letters.count))
    return SpellingCost.between(one.spelling, other.spelling, limit: length * 0.45) < length * 0.45
      || one.isConsonantal != other.isConsonantal && ConsonantSkeleton.edits(one.letters, other.letters) < length * 0.5
  }
}
