// SPDX-License-Identifier: Apache-2.0

/// How two names correspond, part by part, and how alike that makes them.
///
/// 1. Equal parts are paired, then parts that are one word here and two there, parts that are spelt alike, and
///    initials. Order does not matter.
/// 2. What remains on both sides contradicts: it is paired all the same and costs as many edits as it differs by.
/// 3. What remains on one side only was left out, which people do; it costs little when two whole parts agree.
/// 4. The score falls with the edits, measured by how many edits a name of that length may have.
///
/// One alignment serves a whole search: `align` forgets the name before and keeps the memory.
struct NameAlignment {
  /// How a part of one name corresponds to parts of the other.
  struct Pair {
    enum Relation {
      case same, spelling, consonants, given, joined, initial, contradiction
    }
    let mine: Range<Int>
    let theirs: Range<Int>
    let relation: Relation
    let edits: Double
  }

  private struct Candidate {
    let one: Int
    let other: Int
    let edits: Double
    let share: Double
    let relation: Pair.Relation
  }

  static let sameConsonantsEdits = 0.9

  private(set) var words: WordPairs
  let mine: [WordPairs.Facts]
  private(set) var theirs: [WordPairs.Facts] = []
  let isPerson: Bool
  let policy: MatchingPolicy
  /// How much each word of mine tells, 0…1; nil when no list tells.
  private let rarities: [Double]?
  private let rarity: Double
  /// Where mine tells whose son or daughter a person is; nil when it does not.
  let descent: Int?
  private var candidates: [Candidate] = []

  private(set) var pairs: [Pair] = []
  /// Two persons' names tell another generation, another sex, another father or another common name, so that letters
  /// without blanks tell nothing.
  private(set) var isRefuted = false
  /// What that counts besides the parts, in edits.
  private(set) var refutedEdits = 0.0
  private(set) var mineLeft = PartSet(count: 0)
  private(set) var theirsLeft = PartSet(count: 0)
  /// 0…1.
  private(set) var score = 0.0
  /// Sum of the rarities of their parts that correspond, each as far as it does.
  private(set) var told = 0.0
  /// The share of what both names tell that corresponds, 0…1.
  private(set) var coverage = 1.0

  /// - Parameter facts: of my words, when they are known.
  init(
    _ words: WordPairs, facts: [WordPairs.Facts]? = nil, rarities: [Double]? = nil, isPerson: Bool,
    policy: MatchingPolicy
  ) {
    self.words = words
    mine = facts ?? words.mine.map { WordPairs.Facts($0, number: 0) }
    self.isPerson = isPerson
    self.policy = policy
    self.rarities = rarities
    rarity = (rarities ?? []).reduce(0, +)
    descent = isPerson ? Self.descent(mine) { words.mine[$0].letters } : nil
  }

  /// Two names without a list.
  /// - Parameter isPinyin: whether theirs is read from Chinese characters.
  init(
    _ mine: [ListedName.Word], _ theirs: [ListedName.Word], isPerson: Bool, policy: MatchingPolicy, isPinyin: Bool
  ) {
    let pairs = WordPairs(mine, table: theirs, isPinyin: isPinyin)
    self.init(pairs, isPerson: isPerson, policy: policy)
    align(theirs.indices.map { Int32($0) }[...], of: theirs.enumerated().map { .init($1, number: Int32($0)) })
  }

  /// Aligns another name with mine.
  /// - Parameters:
  ///   - name: the numbers of its words in the table.
  ///   - facts: of the table.
  ///   - table: how much each of the table's words tells.
  ///   - theirRarity: how much the name tells.
  mutating func align(
    _ name: ArraySlice<Int32>, of facts: [WordPairs.Facts], rarities table: [Double] = [],
    rarity theirRarity: Double = 0
  ) {
    theirs.removeAll(keepingCapacity: true)
    for number in name { theirs.append(facts[Int(number)]) }
    pairs.removeAll(keepingCapacity: true)
    mineLeft = PartSet(count: mine.count)
    theirsLeft = PartSet(count: theirs.count)
    pairEqual()
    (isRefuted, refutedEdits) = (false, 0)
    if isPerson, hasBothLeft { pairGenerations() }
    if hasBothLeft { pairJoined() }
    if hasBothLeft { pairInitials() }
    if hasBothLeft { pairAlike() }
    if hasBothLeft { pairSingleInitials() }
    if hasBothLeft { pairContradicting() }
    if isPerson, !isRefuted, isOtherSex || isOtherFather { refute() }
    score = isPerson ? personScore() : organisationScore()
    weigh(table, theirRarity)
  }

  private mutating func weigh(_ table: [Double], _ theirRarity: Double) {
    guard let rarities else { return }
    var (mineFound, theirsFound) = (0.0, 0.0)
    for pair in pairs {
      let length = letters(pair.theirs, theirs)
      var edits = pair.edits
      // Muhammad and Mohamed: only vowels and doubled letters differ.
      if pair.relation == .spelling, edits > Self.sameConsonantsEdits,
        words.haveSameConsonants(pair.mine.lowerBound, theirs[pair.theirs.lowerBound].number)
      {
        edits = Self.sameConsonantsEdits
      }
      let likeness =
        pair.relation == .initial ? initialLikeness(pair) : max(0, 1 - edits / Double(max(1, length)))
      for part in pair.mine { mineFound += rarities[part] * likeness }
      for part in pair.theirs { theirsFound += table[Int(theirs[part].number)] * likeness }
    }
    let all = rarity + theirRarity
    told = theirsFound
    coverage = all > 0 ? (mineFound + theirsFound) / all : 1
  }

  /// How far an initial covers what it stands for. Where its own name has another part that the other name lacks, that
  /// part may be what the initial's word is in the other name, as in `David G. Ashgrove` and `David Grant`.
  private func initialLikeness(_ pair: Pair) -> Double {
    guard isPerson else { return 0.75 }
    let isMine = mine[pair.mine.lowerBound].count < theirs[pair.theirs.lowerBound].count
    let isDoubtful =
      isMine
      ? mineLeft.contains { mine[$0].wordClass == .plain } : theirsLeft.contains { theirs[$0].wordClass == .plain }
    return isDoubtful ? 0.5 : 0.75
  }

  /// Edits between a word of mine and one of the table: measured once.
  mutating func edits(_ one: Int, _ other: WordPairs.Facts) -> Double { words.edits(one, other.number) }

  /// The same, or the least that they are of words that are far apart.
  mutating func leastEdits(_ one: Int, _ other: WordPairs.Facts) -> Double { words.leastEdits(one, other.number) }

  func haveSameConsonants(_ one: Int, _ other: WordPairs.Facts) -> Bool {
    words.haveSameConsonants(one, other.number)
  }

  func letters(_ parts: Range<Int>, _ words: [WordPairs.Facts]) -> Int {
    var sum = 0
    for part in parts { sum += Int(words[part].count) }
    return sum
  }
}

extension NameAlignment {
  private var hasBothLeft: Bool { !mineLeft.isEmpty && !theirsLeft.isEmpty }

  private mutating func add(_ one: Range<Int>, _ other: Range<Int>, _ relation: Pair.Relation, _ edits: Double) {
    pairs.append(Pair(mine: one, theirs: other, relation: relation, edits: edits))
    mineLeft.remove(one)
    theirsLeft.remove(other)
  }

  private mutating func pairEqual() {
    for one in mineLeft {
      for other in theirsLeft where words.areEqual(one, mine[one], theirs[other]) {
        add(one..<one + 1, other..<other + 1, .same, 0)
        break
      }
    }
  }

  private mutating func pairAlike() {
    candidates.removeAll(keepingCapacity: true)
    for one in mineLeft {
      for other in theirsLeft where mayPair(one, other) {
        let (a, b) = (mine[one], theirs[other])
        if isPerson, a.given.isOtherName(than: b.given) { continue }
        let length = Double(max(a.count, b.count))
        let limit = length * 0.5
        var edits = words.edits(one, b.number)
        var relation = Pair.Relation.spelling
        if a.isConsonantal != b.isConsonantal {
          let bones = words.consonantEdits(one, b.number)
          if bones < edits { (edits, relation) = (bones, .consonants) }
        }
        // Of names of three letters too, which may not have as many edits.
        let isGiven = isPerson && policy.otherFormEdits < edits && a.given.share(b.given)
        if isGiven { (edits, relation) = (policy.otherFormEdits, .given) }
        if edits < limit || isGiven, isPerson || contrast(one, other) == nil {
          candidates.append(.init(one: one, other: other, edits: edits, share: edits / length, relation: relation))
        }
      }
    }
    candidates.sort { ($0.share, $0.one, $0.other) < ($1.share, $1.one, $1.other) }
    for found in candidates where mineLeft.contains(found.one) && theirsLeft.contains(found.other) {
      add(found.one..<found.one + 1, found.other..<found.other + 1, found.relation, found.edits)
    }
  }

  /// A particle is no variant of a name, nor a patronymic of the name that it is made from.
  private mutating func mayPair(_ one: Int, _ other: Int) -> Bool {
    let (a, b) = (mine[one], theirs[other])
    if a.count == 1 || b.count == 1 { return false }
    // A number is another one or the same.
    if a.wordClass == .number, b.wordClass == .number { return false }
    return a.wordClass == b.wordClass || a.isConsonantal || b.isConsonantal
      || (a.wordClass != .particle && b.wordClass != .particle && !isPerson)
  }

  static let joinedEditsMax = 1.3
  static let joinedLettersMin: Int32 = 4

  private mutating func pairJoined() {
    for one in mineLeft where mine[one].count >= Self.joinedLettersMin {
      for other in 0..<max(0, theirs.count - 1) where mineLeft.contains(one) {
        guard theirsLeft.contains(other), theirsLeft.contains(other + 1) else { continue }
        let (first, second) = (theirs[other], theirs[other + 1])
        guard SpellingCost.mayJoin(mine[one], first, second, limit: Self.joinedEditsMax) else { continue }
        if let edits = words.joinedEdits(one, first.number, second.number, limit: Self.joinedEditsMax) {
          add(one..<one + 1, other..<other + 2, .joined, edits + 0.1)
        }
      }
    }
    for other in theirsLeft where theirs[other].count >= Self.joinedLettersMin {
      for one in 0..<max(0, mine.count - 1) where theirsLeft.contains(other) {
        guard mineLeft.contains(one), mineLeft.contains(one + 1),
          SpellingCost.mayJoin(theirs[other], mine[one], mine[one + 1], limit: Self.joinedEditsMax)
        else { continue }
        if let edits = words.joinedEdits(theirs[other].number, one, limit: Self.joinedEditsMax) {
          add(one..<one + 2, other..<other + 1, .joined, edits + 0.1)
        }
      }
    }
  }

  /// JC for Jean Claude.
  private mutating func pairInitials() {
    guard isPerson else { return }
    for one in mineLeft where mine[one].count == 2 {
      if let first = Self.initials(mine[one], of: theirs, left: theirsLeft) {
        add(one..<one + 1, first..<first + 2, .initial, 0.6)
      }
    }
    for other in theirsLeft where theirs[other].count == 2 {
      if let first = Self.initials(theirs[other], of: mine, left: mineLeft) {
        add(first..<first + 2, other..<other + 1, .initial, 0.6)
      }
    }
  }

  /// The first of two words that begin with the two letters of a word.
  private static func initials(_ word: WordPairs.Facts, of words: [WordPairs.Facts], left: PartSet) -> Int? {
    for part in 0..<max(0, words.count - 1) where left.contains(part) && left.contains(part + 1) {
      if words[part].first == word.first, words[part + 1].first == word.second { return part }
    }
    return nil
  }

  private mutating func pairSingleInitials() {
    for one in mineLeft {
      for other in theirsLeft where isInitial(mine[one], of: theirs[other]) {
        add(one..<one + 1, other..<other + 1, .initial, 0.4)
        break
      }
    }
  }

  private func isInitial(_ one: WordPairs.Facts, of other: WordPairs.Facts) -> Bool {
    one.first == other.first && (one.count == 1 || other.count == 1)
  }

  private mutating func pairContradicting() {
    candidates.removeAll(keepingCapacity: true)
    for one in mineLeft where isName(mine[one]) {
      for other in theirsLeft where isName(theirs[other]) {
        let (a, b) = (mine[one], theirs[other])
        let length = Double(max(a.count, b.count))
        var edits = words.edits(one, b.number)
        if a.wordClass == .number, b.wordClass == .number {
          edits = 1
        } else if !isPerson, contrast(one, other) == .other {
          edits = length
        } else if isPerson, a.given.isOtherName(than: b.given) {
          edits = max(edits, policy.editsMax)
        }
        // A name is not the patronymic that is made from it, and no nearer for sharing its letters.
        if (a.wordClass == .patronymic) != (b.wordClass == .patronymic) { edits = length }
        candidates.append(.init(one: one, other: other, edits: edits, share: 0, relation: .contradiction))
      }
    }
    candidates.sort { ($0.edits, $0.one, $0.other) < ($1.edits, $1.one, $1.other) }
    for found in candidates where mineLeft.contains(found.one) && theirsLeft.contains(found.other) {
      add(found.one..<found.one + 1, found.other..<found.other + 1, .contradiction, found.edits)
      if isPerson, mine[found.one].given.isOtherName(than: theirs[found.other].given) { isRefuted = true }
    }
  }

  private mutating func refute() { (isRefuted, refutedEdits) = (true, policy.editsMax) }

  /// Father and son: `Jr.` is not `Sr.`, nor `II` `III`. Before a name `Sr.` is `señor`, and `JR` two initials.
  private mutating func pairGenerations() {
    for one in mineLeft where one > 0 {
      guard let generation = WordClass.generation(mine[one], words.mine[one].letters) else { continue }
      for other in theirsLeft where other > 0 {
        guard let their = WordClass.generation(theirs[other], letters(ofTheir: other)), their != generation else {
          continue
        }
        add(one..<one + 1, other..<other + 1, .contradiction, policy.editsMax)
        refute()
        return
      }
    }
  }

  /// How two words of organisations contrast.
  func contrast(_ one: Int, _ other: Int) -> ContrastingWords.Kind? {
    guard mine[one].mayContrast, theirs[other].mayContrast else { return nil }
    return ContrastingWords.contrast(words.mine[one].letters, letters(ofTheir: other))
  }

  func letters(ofTheir part: Int) -> [UInt8] { words.table[Int(theirs[part].number)].letters }

  private func isName(_ word: WordPairs.Facts) -> Bool { word.wordClass != .particle && word.wordClass != .initial }
}
