/// One name, prepared for being measured against many listed ones.
///
/// 1. Every word is paired with at most one listed word, the likest pairs first; order does not matter.
/// 2. The name score is the weight of what is paired over the weight of all words on both sides.
/// 3. When one side is wholly found in the other, what the other has more counts half only: people leave names out.
/// 4. When the two agree but for blanks, the letters are compared without them.
struct NameMatcher {
  private static let wholeWordLikeness = 0.88
  private static let subsetFloor = 0.76
  private static let subsetSpan = 0.14
  /// Two short syllables are part of very many names.
  private static let subsetLettersMin = 9
  private static let shortSubset = 0.95
  /// Share of a name's weight that must be alike before it is measured.
  private static let candidateShare = 0.45
  private static let lettersPerEdit = 8

  private let index: ScreeningIndex
  private let words: [[UInt8]]
  private let weights: [Double]
  private let joined: [UInt8]
  /// For each word, the listed words that are variants of it.
  private let likeness: [[Int32: Double]]

  init(_ name: ListedName, in index: ScreeningIndex) {
    self.index = index
    words = name.words
    joined = name.joined
    likeness = name.words.map { word in
      var alike: [Int32: Double] = [:]
      for number in index.neighbours(of: word) {
        let score = WordLikeness.of(word, index.words[Int(number)])
        if score > 0 { alike[number] = score }
      }
      return alike
    }
    weights = zip(name.words, likeness).map { word, alike in
      // A misspelt common name is still a common one.
      alike.max { ($0.value, -index.weights[Int($0.key)]) < ($1.value, -index.weights[Int($1.key)]) }
        .map { index.weights[Int($0.key)] } ?? index.weight(ofUnlisted: word)
    }
  }

  /// Listed names that share enough with this one to be worth measuring.
  func candidates() -> Set<Int32> {
    let total = weights.reduce(0, +)
    var shares: [Int32: Double] = [:]
    for (word, alike) in likeness.enumerated() {
      var touched: Set<Int32> = []
      for (number, _) in alike {
        for name in index.namesByWord[Int(number)] where touched.insert(name).inserted {
          shares[name, default: 0] += weights[word]
        }
      }
    }
    var found = index.names(joinedLike: joined)
    for (name, share) in shares where share >= Self.candidateShare * total || share >= 1.0 { found.insert(name) }
    return found
  }

  /// 0…1.
  func score(of listed: ScreeningIndex.Name) -> Double { max(wordScore(listed), joinedScore(listed)) }

  private func wordScore(_ listed: ScreeningIndex.Name) -> Double {
    let theirs = listed.words.map { index.weights[Int($0)] }
    var pairs: [(mine: Int, theirs: Int, likeness: Double)] = []
    for mine in words.indices {
      for other in listed.words.indices {
        let known = likeness[mine][listed.words[other]]
        let score = known ?? initialLikeness(words[mine], index.words[Int(listed.words[other])])
        if score > 0 { pairs.append((mine, other, score)) }
      }
    }
    pairs.sort { ($0.likeness, weights[$0.mine]) > ($1.likeness, weights[$1.mine]) }
    var (mineFree, theirsFree) = (Set(words.indices), Set(listed.words.indices))
    var (mineFound, theirsFound, least) = (0.0, 0.0, 1.0)
    var (substantial, letters) = (0, 0)
    for pair in pairs where mineFree.contains(pair.mine) && theirsFree.contains(pair.theirs) {
      mineFree.remove(pair.mine)
      theirsFree.remove(pair.theirs)
      mineFound += weights[pair.mine] * pair.likeness
      theirsFound += theirs[pair.theirs] * pair.likeness
      least = min(least, pair.likeness)
      if words[pair.mine].count > 1, !NameParticle.isParticle(words[pair.mine]) {
        substantial += 1
        letters += words[pair.mine].count
      }
    }
    let (mineAll, theirsAll) = (weights.reduce(0, +), theirs.reduce(0, +))
    guard mineAll > 0, theirsAll > 0 else { return 0 }
    let even = (mineFound + theirsFound) / (mineAll + theirsAll)
    guard substantial >= 2, least >= Self.wholeWordLikeness, mineFree.isEmpty || theirsFree.isEmpty else { return even }
    let larger = min(mineFound / mineAll, theirsFound / theirsAll)
    let shortness = letters < Self.subsetLettersMin ? Self.shortSubset : 1
    return max(even, (Self.subsetFloor + Self.subsetSpan * larger) * least * shortness)
  }

  private func initialLikeness(_ one: [UInt8], _ other: [UInt8]) -> Double {
    one.count == 1 || other.count == 1 ? WordLikeness.of(one, other) : 0
  }

  private func joinedScore(_ listed: ScreeningIndex.Name) -> Double {
    let length = max(joined.count, listed.joined.count)
    guard let edits = EditDistance.between(joined, listed.joined, atMost: length / Self.lettersPerEdit) else {
      return 0
    }
    return 1 - 1.25 * Double(edits) / Double(length)
  }
}
