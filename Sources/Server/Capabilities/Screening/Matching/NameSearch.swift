// SPDX-License-Identifier: Apache-2.0

/// One name, looked for among the listed ones. It is a class, for a copy would count the references to its arrays.
final class NameSearch {
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

  /// A name that is this alike needs no second look without its blanks.
  private static let sureScore = 0.97

  let name: ListedName
  let index: ScreeningIndex
  let policy: MatchingPolicy
  /// For each word its variants.
  let parts: [WordVariants]
  let variants: Variants
  /// How much the words tell together.
  let total: Double
  let joined: SpellingCost.Spelling
  let hasInitials: Bool
  /// A word is two particles without a blank, such as `VANDER`, or is read without vowels and may be one.
  let hasParticlePair: Bool
  /// Letters of the shortest word that is no particle.
  let leastLetters: Int

  let facts: [WordPairs.Facts]
  /// Whether letters tell how alike a name can be at most: of words that stand for consonants, and of organisations,
  /// they do not.
  let hasLetterBound: Bool
  /// The share of what both names tell below which none is looked at.
  let remoteCoverage: Double

  /// Of each word its query profile; nil for one that is too long.
  private(set) lazy var queryProfiles = name.words.map { SpellingCost.Profile($0.spelling) }

  /// What `ScreeningIndex.fetch` gave.
  var fetched = 0
  /// How many places in the lists of names the search ran through.
  var postings = 0

  private var alignment: NameAlignment?
  /// The letters of the name that is measured.
  private var letters: [UInt8] = []

  init(_ name: ListedName, in index: ScreeningIndex, policy: MatchingPolicy) {
    self.name = name
    self.index = index
    self.policy = policy
    var parts = name.words.map { index.knownVariants.variants(of: $0, isPerson: name.isPerson, in: index) }
    total = parts.reduce(0) { $0 + $1.weight }
    if name.isPerson { Self.addJoined(name.words, index, to: &parts) }
    self.parts = parts
    variants = Variants(parts, rarities: index.rarities)
    joined = SpellingCost.Spelling(name.joined)
    hasInitials = name.words.contains(where: \.mayBeInitials)
    hasParticlePair = name.isConsonantal || name.words.contains { WordClass.isParticlePair($0.letters) }
    facts = name.words.map { WordPairs.Facts($0, number: 0) }
    remoteCoverage = Self.remoteCoverage(policy)
    hasLetterBound = name.isPerson && !hasParticlePair && Self.areMonotone(policy)
    leastLetters =
      name.words.filter { $0.wordClass != .particle && $0.wordClass != .initial }.map(\.letters.count).min() ?? 0
  }

  /// Two words here that are one there bring a name in as well.
  private static func addJoined(_ words: [ListedName.Word], _ index: ScreeningIndex, to parts: inout [WordVariants]) {
    for part in words.indices.dropLast() {
      guard let whole = index.joined(words[part], words[part + 1]) else { continue }
      for one in part...part + 1 { parts[one].add(joined: whole, rarity: index.rarities[Int(whole)]) }
    }
  }

  /// Whether a name that was found comes before another of the same entry: of equal scores the real name counts, not
  /// the nickname.
  func isBetter(_ found: Found, than known: Found) -> Bool { rank(found) > rank(known) }

  private func rank(_ found: Found) -> (Double, Double, Int32) {
    let weak = index.names[Int(found.name)].isWeak ? policy.weakName : 0
    return (found.score + found.coverage / 2 - weak, found.told, -found.name)
  }

  /// How alike a listed name is.
  func measure(_ candidate: Int32) -> Found {
    var letters = self.letters
    self.letters = []
    defer { self.letters = letters }
    return withAlignment { measure(candidate, &$0, &letters) }
  }

  /// Gives what names are aligned with, which remembers how far words are apart. It is moved and not copied: a copy
  /// would count the references to all of its arrays.
  func withAlignment<Result>(_ body: (inout NameAlignment) -> Result) -> Result {
    var alignment =
      self.alignment.take()
      ?? NameAlignment(
        WordPairs(name.words, table: index.words, profiles: queryProfiles), facts: facts,
        rarities: parts.map(\.weight), isPerson: name.isPerson, policy: policy)
    let result = body(&alignment)
    self.alignment = consume alignment
    return result
  }

  private func measure(_ candidate: Int32, _ alignment: inout NameAlignment, _ whole: inout [UInt8]) -> Found {
    let listed = index.names[Int(candidate)]
    alignment.align(index.words(of: listed), of: index.facts, rarities: index.rarities, rarity: listed.rarity)
    let joined = alignment.score > Self.sureScore || alignment.isRefuted ? 0 : joinedScore(listed, &whole)
    let isJoined = joined > alignment.score
    return Found(
      name: candidate, score: max(alignment.score, joined), told: isJoined ? listed.rarity : alignment.told,
      coverage: max(joined, alignment.coverage), isJoined: isJoined)
  }

  /// How alike the two are without their blanks.
  func joinedScore(_ listed: ScreeningIndex.Name) -> Double {
    var letters = self.letters
    self.letters = []
    defer { self.letters = letters }
    return joinedScore(listed, &letters)
  }

  private func joinedScore(_ listed: ScreeningIndex.Name, _ whole: inout [UInt8]) -> Double {
    let theirs = index.words(of: listed)
    guard name.words.count + theirs.count > 2 else { return 0 }
    var letters = 0
    for number in theirs { letters += Int(index.facts[Int(number)].count) }
    guard abs(letters - joined.letters.count) <= JoinedName.lettersApartMax else { return 0 }
    // Names that differ in many letters need no second look; longer ones are cut when they are compared.
    let bound = Int(JoinedName.editsMax * 100)
    if max(letters, joined.letters.count) <= SpellingCost.lettersMax,
      joined.soundSet.least(to: listed.joinedSounds) >= bound
    {
      var set = SpellingCost.LetterSet([])
      for number in theirs { set = .init(set, index.facts[Int(number)].letterSet) }
      if joined.letterSet.least(to: set) >= bound { return 0 }
    }
    if !name.isPerson {
      guard name.words.count != theirs.count,
        JoinedName.haveSameNumbers(name.words, theirs.map { index.words[Int($0)] })
      else { return 0 }
    }
    whole.removeAll(keepingCapacity: true)
    for number in theirs { index.words[Int(number)].spelling.withLetters { whole.append(contentsOf: $0) } }
    return JoinedName.score(joined, whole, listed.joinedSounds, isPinyin: name.isPinyin, policy)
  }
}
