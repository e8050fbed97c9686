// SPDX-License-Identifier: Apache-2.0

/// What a listed word tells of the parts of a searched name, in bits: of which of them it is a variant, and whether it
/// is rarer than they are.
///
/// A word that is a variant of several parts stands for one of them: a listed name with one `MOHAMMAD` has one of the
/// two that are searched for. Such words have bits of their own, as many as the parts, of which a name has as many as
/// it has such words.
struct PartKinds {
  /// Names with as many parts or fewer have two bits for each: variants that are about as common as the part, and rarer
  /// ones, which tell more.
  private static let twoBitsMax = 5
  private static let rarer = 0.12
  private static let bitsMax = 15

  /// What the words behind a bit may stand for and tell, at least and at most.
  private struct Choice {
    var parts: Int
    var least = Double.infinity
    var most = 0.0
  }

  /// Words that are variants of the same parts, and about as rare.
  private struct Kind {
    let parts: Int
    let isRarer: Bool
    let first: Int

    var bits: Int { ((1 << parts.nonzeroBitCount) - 1) << first }
  }

  /// A word that brings names in.
  struct Word {
    let number: Int32
    /// All bits that names may have of it.
    let bits: Int
    /// Those that a name has of one such word.
    let first: Int
    /// Those whose next bit a name has when it has another such word.
    var again: Int { first == bits ? 0 : bits & (bits >> 1) }
  }

  /// What the parts of a set tell: in the searched name, and in a listed one at least and at most.
  struct Shares {
    var mine = 0.0
    var least = 0.0
    var most = 0.0
    /// `mine` and `most` when a word stands for every part of which it is a variant.
    var shared = 0.0
    var sharedMost = 0.0
  }

  private let weights: [Double]
  private let hasTwoBits: Bool
  private var kinds: [Kind] = []
  private var choices: [Choice]
  /// Each word that is a variant of any part, once.
  private(set) var words: [Word] = []

  var bitCount: Int { choices.count }

  init(of search: NameSearch) {
    weights = search.parts.map(\.weight)
    hasTwoBits = weights.count <= Self.twoBitsMax
    let bitsOfPart = hasTwoBits ? 2 : 1
    choices = (0..<weights.count * bitsOfPart).map { Choice(parts: 1 << ($0 / bitsOfPart)) }
    for (number, part) in search.parts.enumerated() {
      for word in part.words {
        // The names that have a variant of several parts are run through once.
        let slot = search.variants.slot(of: word)
        let parts = Int(slot.parts)
        guard parts.trailingZeroBitCount == number else { continue }
        words.append(add(word, parts, slot.rarity, isWhole: slot.wholeParts != 0))
      }
    }
  }

  private mutating func add(_ word: Int32, _ parts: Int, _ rarity: Double, isWhole: Bool) -> Word {
    if parts.nonzeroBitCount > 1, !isWhole, let kind = kind(of: parts, rarity) {
      for bit in kind.first..<kind.first + parts.nonzeroBitCount { widen(bit, rarity, rarity) }
      return Word(number: word, bits: kind.bits, first: 1 << kind.first)
    }
    var (bits, left) = (0, parts)
    while left != 0 {
      let bit = bit(of: left.trailingZeroBitCount, rarity)
      bits |= 1 << bit
      // One word for several parts need not tell more than one.
      widen(bit, parts.nonzeroBitCount > 1 ? 0 : rarity, rarity)
      left &= left - 1
    }
    return Word(number: word, bits: bits, first: bits)
  }

  private mutating func widen(_ bit: Int, _ least: Double, _ most: Double) {
    choices[bit].least = min(choices[bit].least, least)
    choices[bit].most = max(choices[bit].most, most)
  }

  /// The kind of a word that is a variant of several parts; nil when there are no bits left for it.
  private mutating func kind(of parts: Int, _ rarity: Double) -> Kind? {
    var weight = 0.0
    for part in weights.indices where parts >> part & 1 == 1 { weight = max(weight, weights[part]) }
    let isRarer = rarity > weight + Self.rarer
    if let known = kinds.first(where: { $0.parts == parts && $0.isRarer == isRarer }) { return known }
    guard choices.count + parts.nonzeroBitCount <= Self.bitsMax else { return nil }
    let kind = Kind(parts: parts, isRarer: isRarer, first: choices.count)
    kinds.append(kind)
    choices += repeatElement(Choice(parts: parts), count: parts.nonzeroBitCount)
    return kind
  }

  /// The bit of a variant of one part.
  private func bit(of part: Int, _ rarity: Double) -> Int {
    hasTwoBits ? part * 2 + (rarity > weights[part] + Self.rarer ? 1 : 0) : part
  }

  /// All bits of words that may stand for some parts.
  func bits(of some: Int) -> Int {
    choices.indices.reduce(0) { choices[$1].parts & some != 0 ? $0 | 1 << $1 : $0 }
  }

  /// The bits that a name has which has these words, a word twice when the name has it twice.
  func bits(ofName names: some Sequence<Int32>) -> Int {
    names.reduce(0) { known, number in
      guard let word = words.first(where: { $0.number == number }) else { return known }
      return known | word.first | (known & word.again) << 1
    }
  }

  /// What the words tell that stand behind some bits.
  /// - Parameter assumed: bits that the name may lack.
  func shares(of shared: Int, assumed: Int) -> Shares {
    var shares = plainShares(of: shared, assumed)
    guard shared >> (weights.count * (hasTwoBits ? 2 : 1)) != 0 else { return shares }
    var (most, least) = (PartMatching(), PartMatching())
    var left = shared
    while left != 0 {
      let bit = left.trailingZeroBitCount
      most.add(choices[bit].most, for: choices[bit].parts)
      if assumed >> bit & 1 == 0 { least.add(choices[bit].least, for: choices[bit].parts) }
      left &= left - 1
    }
    (shares.mine, shares.least, shares.most) = (most.share(of: weights), least.told(), most.told())
    return shares
  }

  /// The same when a word stands for every part of which it is a variant.
  private func plainShares(of shared: Int, _ assumed: Int) -> Shares {
    var shares = Shares()
    for number in weights.indices {
      var (least, most) = (0.0, -1.0)
      for bit in choices.indices where shared >> bit & 1 == 1 && choices[bit].parts >> number & 1 == 1 {
        most = max(most, choices[bit].most)
        if assumed >> bit & 1 == 0 { least = max(least, choices[bit].least) }
      }
      guard most >= 0 else { continue }
      shares.mine += weights[number]
      shares.most += most
      shares.least += least
    }
    (shares.shared, shares.sharedMost) = (shares.mine, shares.most)
    return shares
  }
}
