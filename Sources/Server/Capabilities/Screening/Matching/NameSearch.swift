/// One name, looked for among the listed ones. It is a class, for it holds the index: a copy would count the references
/// to two dozen arrays.
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

  /// A word with more slips makes no hit: `MatchingPolicy.editsMax` is a little less.
  private static let remoteEditsMax = 2.5
  private static let remoteLettersMax = 2
  /// Two slips change four letters at most, and a swap none.
  private static let remoteSetMax = 4

  /// A listed word that is a variant of one of the name's words.
  struct Alike {
    let word: Int32
    let rarity: Double
  }

  let name: ListedName
  let index: ScreeningIndex
  let policy: MatchingPolicy
  /// For each word its variants.
  let alike: [[Alike]]
  /// How much each word tells.
  let weights: [Double]
  let joined: SpellingCost.Spelling
  let hasInitials: Bool
  /// A word is two particles without a blank, such as `VANDER`, or is read without vowels and may be one.
  let hasParticlePair: Bool
  /// Letters of the shortest word that is no particle.
  let leastLetters: Int

  private var alignment: NameAlignment?

  init(_ name: ListedName, in index: ScreeningIndex, policy: MatchingPolicy) {
    self.name = name
    self.index = index
    self.policy = policy
    var alike = name.words.map { word in
      var variants: [Alike] = []
      for number in index.neighbours(of: word) where Self.isVariant(word, number, index) {
        variants.append(Alike(word: number, rarity: index.rarities[Int(number)]))
      }
      variants.sort { ($1.rarity, $0.word) < ($0.rarity, $1.word) }
      return variants
    }
    // A misspelt common name is still a common one.
    weights = zip(name.words, alike).map { word, alike in
      alike.last?.rarity ?? (word.wordClass == .particle ? WordClass.particleRarity : 1)
    }
    if name.isPerson { Self.addJoined(name.words, index, to: &alike) }
    Self.addRemote(name.words, index, to: &alike)
    self.alike = alike
    joined = SpellingCost.Spelling(name.joined)
    hasInitials = name.words.contains(where: \.mayBeInitials)
    hasParticlePair = name.isConsonantal || name.words.contains { WordClass.isParticlePair($0.letters) }
    leastLetters =
      name.words.filter { $0.wordClass != .particle && $0.wordClass != .initial }.map(\.letters.count).min() ?? 0
  }

  /// One word here that is two there, and two here that are one there, bring a name in as well. They say nothing of how
  /// common a word is.
  private static func addJoined(_ words: [ListedName.Word], _ index: ScreeningIndex, to alike: inout [[Alike]]) {
    func add(_ number: Int32, to part: Int) {
      alike[part].append(Alike(word: number, rarity: index.rarities[Int(number)]))
    }
    for part in words.indices {
      for number in index.parts(of: words[part]) { add(number, to: part) }
      guard part + 1 < words.count, let whole = index.joined(words[part], words[part + 1]) else { continue }
      add(whole, to: part)
      add(whole, to: part + 1)
    }
  }

  /// Words that begin or end alike, with more slips than one, which bring a name in. They say nothing of how common a
  /// word is either.
  private static func addRemote(_ words: [ListedName.Word], _ index: ScreeningIndex, to alike: inout [[Alike]]) {
    for part in words.indices {
      for number in index.remoteNeighbours(of: words[part])
      where !alike[part].contains(where: { $0.word == number }) && isRemote(words[part], number, index) {
        alike[part].append(Alike(word: number, rarity: index.rarities[Int(number)]))
      }
    }
  }

  /// Whether two slips or so tell a listed word from another.
  static func isRemote(_ word: ListedName.Word, _ number: Int32, _ index: ScreeningIndex) -> Bool {
    abs(Int(index.facts[Int(number)].count) - word.letters.count) <= remoteLettersMax
      && index.facts[Int(number)].letterSet.apart(from: word.spelling.letterSet) <= remoteSetMax
      && SpellingCost.between(word.spelling, index.words[Int(number)].spelling, limit: remoteEditsMax) < remoteEditsMax
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
    var alignment =
      self.alignment
      ?? NameAlignment(
        WordPairs(name.words, table: index.words), rarities: weights, isPerson: name.isPerson, policy: policy)
    self.alignment = nil
    let found = measure(candidate, &alignment)
    self.alignment = alignment
    return found
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
    var whole: [UInt8] = []
    whole.reserveCapacity(letters)
    for number in theirs { whole += index.words[Int(number)].letters }
    return JoinedName.score(joined, .init(whole), policy)
  }

  private static func isVariant(_ word: ListedName.Word, _ number: Int32, _ index: ScreeningIndex) -> Bool {
    let (count, other) = (word.letters.count, index.facts[Int(number)])
    // One edit costs 1 at most, and of three letters 1.35 are allowed.
    if min(count, Int(other.count)) >= 3, JoinedKeys.isOneEdit(word.letters, index.words[Int(number)].letters) {
      return true
    }
    let length = Double(max(count, Int(other.count)))
    return SpellingCost.between(word.spelling, index.words[Int(number)].spelling, limit: length * 0.45) < length * 0.45
      || word.isConsonantal != other.isConsonantal
        && ConsonantSkeleton.edits(word.letters, index.words[Int(number)].letters) < length * 0.5
  }
}
