/// How two names correspond, part by part, and how alike that makes them.
///
/// 1. Equal parts are paired, then parts that are one word here and two there, parts that are spelt alike, and
///    initials. Order does not matter.
/// 2. What remains on both sides contradicts: it is paired all the same and costs as many edits as it differs by.
/// 3. What remains on one side only was left out, which people do; it costs little when two whole parts agree.
/// 4. The score falls with the edits, measured by how many edits a name of that length may have.
struct NameAlignment {
  /// How a part of one name corresponds to parts of the other.
  struct Pair {
    enum Relation {
      case same, spelling, consonants, joined, initial, contradiction
    }
    let mine: [Int]
    let theirs: [Int]
    let relation: Relation
    let edits: Double
  }

  private static let sameConsonantsEdits = 0.9

  let pairs: [Pair]
  let mineLeft: [Int]
  let theirsLeft: [Int]
  /// 0…1.
  let score: Double
  /// Sum of the rarities of their parts that correspond, each as far as it does.
  let told: Double
  /// The share of what both names tell that corresponds, 0…1.
  let coverage: Double

  /// - Parameters:
  ///   - rarities: how much each word of mine and of theirs tells, 0…1; nil when no list tells.
  init(
    _ mine: [ListedName.Word], _ theirs: [ListedName.Word], rarities: (mine: [Double], theirs: [Double])? = nil,
    isPerson: Bool, policy: MatchingPolicy
  ) {
    var builder = Builder(mine: mine, theirs: theirs, isPerson: isPerson)
    builder.pairEqual()
    if builder.hasBothLeft { builder.pairJoined() }
    if builder.hasBothLeft { builder.pairInitials() }
    if builder.hasBothLeft { builder.pairAlike() }
    if builder.hasBothLeft { builder.pairSingleInitials() }
    if builder.hasBothLeft { builder.pairContradicting() }
    pairs = builder.pairs
    mineLeft = builder.mineLeft
    theirsLeft = builder.theirsLeft
    let sum = Summary(pairs: pairs, mine: mine, theirs: theirs, mineLeft: mineLeft, theirsLeft: theirsLeft)
    score = isPerson ? sum.personScore(policy) : sum.organisationScore(policy)
    var (mineFound, theirsFound) = (0.0, 0.0)
    for pair in pairs {
      let length = pair.theirs.reduce(0) { $0 + theirs[$1].letters.count }
      var edits = pair.edits
      // Muhammad and Mohamed: only vowels and doubled letters differ.
      if pair.relation == .spelling, edits > Self.sameConsonantsEdits,
        ConsonantSkeleton.areSame(mine[pair.mine[0]].letters, theirs[pair.theirs[0]].letters) {
        edits = Self.sameConsonantsEdits
      }
      let likeness = pair.relation == .initial ? 0.75 : max(0, 1 - edits / Double(max(1, length)))
      for part in pair.mine { mineFound += (rarities?.mine[part] ?? 1) * likeness }
      for part in pair.theirs { theirsFound += (rarities?.theirs[part] ?? 1) * likeness }
    }
    let all = (rarities?.mine ?? []).reduce(0, +) + (rarities?.theirs ?? []).reduce(0, +)
    told = theirsFound
    coverage = all > 0 ? (mineFound + theirsFound) / all : 1
  }
}

extension NameAlignment {
  /// Finds the pairs.
  private struct Builder {
    let mine: [ListedName.Word]
    let theirs: [ListedName.Word]
    let isPerson: Bool
    var mineLeft: [Int]
    var theirsLeft: [Int]
    var pairs: [Pair] = []

    init(mine: [ListedName.Word], theirs: [ListedName.Word], isPerson: Bool) {
      self.mine = mine
      self.theirs = theirs
      self.isPerson = isPerson
      mineLeft = Array(mine.indices)
      theirsLeft = Array(theirs.indices)
    }

    var hasBothLeft: Bool { !mineLeft.isEmpty && !theirsLeft.isEmpty }
    var hasLeft: Bool { !mineLeft.isEmpty || !theirsLeft.isEmpty }

    private mutating func add(_ one: [Int], _ other: [Int], _ relation: Pair.Relation, _ edits: Double) {
      pairs.append(Pair(mine: one, theirs: other, relation: relation, edits: edits))
      mineLeft.removeAll { one.contains($0) }
      theirsLeft.removeAll { other.contains($0) }
    }

    mutating func pairEqual() {
      for one in mineLeft {
        if let other = theirsLeft.first(where: { theirs[$0].letters == mine[one].letters }) {
          add([one], [other], .same, 0)
        }
      }
    }

    mutating func pairAlike() {
      var found: [(one: Int, other: Int, edits: Double, share: Double, isBones: Bool)] = []
      for one in mineLeft {
        for other in theirsLeft where mayPair(mine[one], theirs[other]) {
          let (a, b) = (mine[one].letters, theirs[other].letters)
          let length = Double(max(a.count, b.count))
          let limit = length * 0.5
          var edits = SpellingCost.between(a, b, limit: limit)
          var isBones = false
          if mine[one].isConsonantal != theirs[other].isConsonantal {
            let bones = ConsonantSkeleton.edits(a, b)
            if bones < edits { (edits, isBones) = (bones, true) }
          }
          if edits < limit { found.append((one, other, edits, edits / length, isBones)) }
        }
      }
      found.sort { ($0.share, $0.one, $0.other) < ($1.share, $1.one, $1.other) }
      for pair in found where mineLeft.contains(pair.one) && theirsLeft.contains(pair.other) {
        add([pair.one], [pair.other], pair.isBones ? .consonants : .spelling, pair.edits)
      }
    }

    /// A particle is no variant of a name, nor a patronymic of the name that it is made from.
    private func mayPair(_ one: ListedName.Word, _ other: ListedName.Word) -> Bool {
      if one.letters.count == 1 || other.letters.count == 1 { return false }
      return one.wordClass == other.wordClass || one.isConsonantal || other.isConsonantal
        || (one.wordClass != .particle && other.wordClass != .particle && !isPerson)
    }

    mutating func pairJoined() {
      for one in mineLeft where mine[one].letters.count >= 4 {
        for other in theirs.indices.dropLast() where mineLeft.contains(one) {
          guard theirsLeft.contains(other), theirsLeft.contains(other + 1) else { continue }
          if let edits = joinedEdits(mine[one], theirs[other], theirs[other + 1]) {
            add([one], [other, other + 1], .joined, edits)
          }
        }
      }
      for other in theirsLeft where theirs[other].letters.count >= 4 {
        for one in mine.indices.dropLast() where theirsLeft.contains(other) {
          guard mineLeft.contains(one), mineLeft.contains(one + 1) else { continue }
          if let edits = joinedEdits(theirs[other], mine[one], mine[one + 1]) {
            add([one, one + 1], [other], .joined, edits)
          }
        }
      }
    }

    private func joinedEdits(_ whole: ListedName.Word, _ first: ListedName.Word, _ second: ListedName.Word) -> Double? {
      let edits = SpellingCost.between(whole.letters, first.letters + second.letters, limit: Self.joinedEditsMax)
      return edits < Self.joinedEditsMax ? edits + 0.1 : nil
    }

    private static let joinedEditsMax = 1.3

    /// JC for Jean Claude.
    mutating func pairInitials() {
      guard isPerson else { return }
      for one in mineLeft {
        if let first = Self.initials(mine[one], of: theirs, left: theirsLeft) {
          add([one], [first, first + 1], .initial, 0.6)
        }
      }
      for other in theirsLeft {
        if let first = Self.initials(theirs[other], of: mine, left: mineLeft) {
          add([first, first + 1], [other], .initial, 0.6)
        }
      }
    }

    /// The first of two words that begin with the two letters of a word.
    private static func initials(_ word: ListedName.Word, of words: [ListedName.Word], left: [Int]) -> Int? {
      guard word.letters.count == 2 else { return nil }
      return words.indices.dropLast().first {
        left.contains($0) && left.contains($0 + 1) && words[$0].letters.first == word.letters[0]
          && words[$0 + 1].letters.first == word.letters[1]
      }
    }

    mutating func pairSingleInitials() {
      for one in mineLeft {
        guard let other = theirsLeft.first(where: { isInitial(mine[one], of: theirs[$0]) }) else { continue }
        add([one], [other], .initial, 0.4)
      }
    }

    private func isInitial(_ one: ListedName.Word, of other: ListedName.Word) -> Bool {
      guard let a = one.letters.first, let b = other.letters.first, a == b else { return false }
      return one.letters.count == 1 || other.letters.count == 1
    }

    mutating func pairContradicting() {
      let mineNames = mineLeft.filter { mine[$0].wordClass != .particle && mine[$0].wordClass != .initial }
      let theirNames = theirsLeft.filter { theirs[$0].wordClass != .particle && theirs[$0].wordClass != .initial }
      var found: [(one: Int, other: Int, edits: Double)] = []
      for one in mineNames {
        for other in theirNames {
          let (a, b) = (mine[one], theirs[other])
          let length = Double(max(a.letters.count, b.letters.count))
          var edits = SpellingCost.between(a.letters, b.letters, limit: length)
          if a.wordClass == .number, b.wordClass == .number { edits = 1 }
          // A name is not the patronymic that is made from it, and no nearer for sharing its letters.
          if (a.wordClass == .patronymic) != (b.wordClass == .patronymic) { edits = length }
          found.append((one, other, edits))
        }
      }
      found.sort { ($0.edits, $0.one, $0.other) < ($1.edits, $1.one, $1.other) }
      for pair in found where mineLeft.contains(pair.one) && theirsLeft.contains(pair.other) {
        add([pair.one], [pair.other], .contradiction, pair.edits)
      }
    }
  }
}
