// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization

/// What the lists have of one word of a searched name.
struct WordVariants: Sendable, Equatable {
  /// Listed words that bring a name in, of names of the same kind: variants, the rarest first, then the others.
  private(set) var words: [Int32]
  /// How much the word tells: as much as the most common of its variants, for a misspelt common name is still one.
  let weight: Double
  /// How much the rarest of `words` tells.
  private(set) var most: Double
  /// The words of `words` that the word and its neighbour spell when they are joined.
  private(set) var wholes: [Int32] = []

  init(_ word: ListedName.Word, isPerson: Bool, in index: ScreeningIndex) {
    func rarity(_ number: Int32) -> Double { index.rarities[Int(number)] }
    let facts = WordPairs.Facts(word, number: 0)
    // What is known of each is asked first, and the letters of those that are left are read together.
    let near = index.neighbours(of: word).filter { Self.mayBeVariant(word, facts, index.facts[Int($0)]) }
    let remote = index.remoteNeighbours(of: word).filter {
      index.isWordOfPerson[Int($0)] == isPerson && Self.mayBeRemote(facts, index.facts[Int($0)])
    }
    let fetched = index.fetchLetters(of: near) &+ index.fetchLetters(of: remote)
    lazy var bones = ConsonantSkeleton.of(word.letters)
    let profile = SpellingCost.Profile(word.spelling)
    // How many letters there are is asked only so that the reading is not left out.
    var ranked: [(rarity: Double, number: Int32)] = []
    for number in near where fetched >= 0 && Self.isVariant(word, bones, facts, number, index, profile) {
      ranked.append((rarity(number), number))
    }
    ranked.sort { $0.rarity > $1.rarity || $0.rarity == $1.rarity && $0.number < $1.number }
    var words = ranked.map(\.number)
    weight = ranked.last?.rarity ?? (word.wordClass == .particle ? WordClass.particleRarity : 1)
    // These say nothing of how common a word is: of one word here that is two there the rarer, other forms of a given
    // name, and words that begin or end alike with more slips than one.
    if isPerson {
      for part in index.parts(of: word) where !words.contains(part) { words.append(part) }
      words += index.otherForms(of: facts.given).filter { !words.contains($0) }
    }
    words += remote.filter { number in
      Self.isRemote(word.spelling, index.words[Int(number)].spelling, profile) && !words.contains(number)
    }
    words.removeAll { index.isWordOfPerson[Int($0)] != isPerson }
    self.words = words
    most = words.reduce(0) { max($0, rarity($1)) }
  }

  /// Adds a listed word that this word and its neighbour spell when they are joined.
  mutating func add(joined word: Int32, rarity: Double) {
    words.append(word)
    wholes.append(word)
    most = max(most, rarity)
  }

  /// A word with more slips makes no hit: `MatchingPolicy.editsMax` is a little less.
  private static let remoteEditsMax = 2.5
  private static let remoteLettersMax = 2
  /// Two slips change four letters at most, and a swap none.
  private static let remoteSetMax = 4

  /// Whether two slips or so may tell a word from another, by what is known of them.
  static func mayBeRemote(_ one: WordPairs.Facts, _ other: WordPairs.Facts) -> Bool {
    abs(one.count - other.count) <= remoteLettersMax && one.letterSet.apart(from: other.letterSet) <= remoteSetMax
  }

  /// The same by the most important of it.
  static func mayBeRemote(_ one: WordGist, _ other: WordGist) -> Bool {
    one.longer(than: other) <= remoteLettersMax && one.apart(from: other) <= remoteSetMax
  }

  /// Whether they do.
  static func isRemote(
    _ one: SpellingCost.Spelling, _ other: SpellingCost.Spelling, _ profile: SpellingCost.Profile?
  ) -> Bool {
    SpellingCost.areWithin(remoteEditsMax, one, other, profile: profile)
  }

  private static func mayBeVariant(
    _ word: ListedName.Word, _ facts: WordPairs.Facts, _ other: WordPairs.Facts
  ) -> Bool {
    other.letterSet.apart(from: word.spelling.letterSet) <= 2 || word.isConsonantal != other.isConsonantal
      || isNear(facts, other)
  }

  private static func isNear(_ facts: WordPairs.Facts, _ other: WordPairs.Facts) -> Bool {
    let length = Double(max(facts.count, other.count))
    return Double(SpellingCost.least(facts, other)) < (length * 0.45 * 100).rounded()
  }

  private static func isVariant(
    _ word: ListedName.Word, _ bones: @autoclosure () -> [UInt8], _ facts: WordPairs.Facts, _ number: Int32,
    _ index: ScreeningIndex, _ profile: SpellingCost.Profile?
  ) -> Bool {
    let (count, other) = (word.letters.count, index.facts[Int(number)])
    // One edit costs 1 at most, and of three letters 1.35 are allowed.
    if min(count, Int(other.count)) >= 3, other.letterSet.apart(from: word.spelling.letterSet) <= 2,
      JoinedKeys.isOneEdit(word.spelling, index.words[Int(number)].spelling)
    {
      return true
    }
    let length = Double(max(count, Int(other.count)))
    return isNear(facts, other)
      && SpellingCost.areWithin(length * 0.45, word.spelling, index.words[Int(number)].spelling, profile: profile)
      || word.isConsonantal != other.isConsonantal
        && ConsonantSkeleton.edits(
          bones(), of: word.letters.count, ConsonantSkeleton.of(index.words[Int(number)].letters), of: Int(other.count))
          < length * 0.5
  }
}

/// The variants of words that were searched for, for names have most of their words in common. The words are of
/// customers' names: they are forgotten by the hour, and when they take too much memory.
final class KnownVariants: Sendable {
  private struct Key: Hashable {
    let word: ListedName.Word
    let isPerson: Bool
  }

  private struct Table {
    /// Of the words that most listed names have. They tell nothing of customers, and stay.
    var common: [Key: WordVariants] = [:]
    var known: [Key: WordVariants] = [:]
    var bytes = 0
    var since = Duration.zero
  }

  private static let lifetime = Duration.seconds(3600)

  private let bytesMax: Int
  private let world: World?
  private let table = Mutex(Table())

  /// - Parameters:
  ///   - bytesMax: before the words and their variants take more, all are forgotten.
  ///   - world: tells how long they have been remembered; nil in a program that ends soon.
  init(bytesMax: Int = 16 << 20, world: World? = nil) {
    (self.bytesMax, self.world) = (bytesMax, world)
  }

  /// Words that are remembered, and about how many bytes they take.
  var size: (words: Int, bytes: Int) { table.withLock { ($0.known.count, $0.bytes) } }

  func variants(of word: ListedName.Word, isPerson: Bool, in index: ScreeningIndex) -> WordVariants {
    let key = Key(word: word, isPerson: isPerson)
    let now = world?.ticks() ?? .zero
    let remembered = table.withLock { table in
      if now - table.since >= Self.lifetime { table = Table(common: table.common, since: now) }
      return table.common[key] ?? table.known[key]
    }
    if let remembered { return remembered }
    let found = WordVariants(word, isPerson: isPerson, in: index)
    let bytes = Self.bytes(word, found)
    table.withLock { table in
      guard table.known[key] == nil, bytes <= bytesMax else { return }
      if table.bytes + bytes > bytesMax { table = Table(common: table.common, since: table.since) }
      table.known[key] = found
      table.bytes += bytes
    }
    return found
  }

  private static let commonMax = 1024
  private static let commonNamesMin = 64

  /// Looks up the words that most names of persons have before anyone searches for them.
  func lookUpCommon(in index: ScreeningIndex) {
    func count(_ word: Int32) -> Int { index.names(with: word).count + index.namesWithInitials(with: word).count }
    var some: [(count: Int, word: Int32)] = []
    for word in 0..<Int32(index.words.count) where index.isWordOfPerson[Int(word)] {
      if count(word) >= Self.commonNamesMin { some.append((count(word), word)) }
    }
    some.sort { ($1.count, $0.word) < ($0.count, $1.word) }
    var common: [Key: WordVariants] = [:]
    for (_, number) in some.prefix(Self.commonMax) {
      let word = index.words[Int(number)]
      common[Key(word: word, isPerson: true)] = WordVariants(word, isPerson: true, in: index)
    }
    table.withLock { $0.common = common }
  }

  /// What both take, with the places that a table leaves free and the heads of arrays.
  private static func bytes(_ word: ListedName.Word, _ found: WordVariants) -> Int {
    2 * (MemoryLayout<Key>.stride + MemoryLayout<WordVariants>.stride) + 4 * 32 + word.letters.count
      + word.spelling.soundCount + 4 * found.words.capacity
  }
}
