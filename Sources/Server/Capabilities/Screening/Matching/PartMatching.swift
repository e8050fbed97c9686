// SPDX-License-Identifier: Apache-2.0

/// Words that may each stand for one of several parts of a name: which of them are paired, so that the pairs tell most.
///
/// The words that can be paired together are the independent sets of a transversal matroid. The best of them is found
/// by taking the words in the order of what they tell and pairing each when the others can make room for it.
struct PartMatching {
  static let most = 16

  private var weights = SIMD16<Double>(repeating: 0)
  private var choices = SIMD16<UInt16>(repeating: 0)
  private(set) var count = 0

  /// Adds a word; the caller adds `most` at most.
  /// - Parameters:
  ///   - weight: what it tells.
  ///   - parts: a bit for each part that it may stand for.
  mutating func add(_ weight: Double, for parts: Int) {
    weights[count] = weight
    choices[count] = UInt16(truncatingIfNeeded: parts)
    count += 1
  }

  /// What the words tell that are paired, each with a part of its own.
  func told() -> Double {
    var owners = SIMD16<Int8>(repeating: -1)
    var left = (1 << count) - 1
    var sum = 0.0
    while left != 0 {
      var best = left.trailingZeroBitCount
      var others = left & (left - 1)
      while others != 0 {
        let other = others.trailingZeroBitCount
        if weights[other] > weights[best] { best = other }
        others &= others - 1
      }
      left &= ~(1 << best)
      var seen: UInt16 = 0
      if makeRoom(for: best, &owners, &seen) { sum += weights[best] }
    }
    return sum
  }

  /// What the parts tell that are paired, each with a word of its own.
  /// - Parameter parts: what each part tells.
  func share(of parts: [Double]) -> Double {
    var turned = PartMatching()
    for (part, weight) in parts.enumerated() {
      var words = 0
      for word in 0..<count where choices[word] >> UInt16(part) & 1 == 1 { words |= 1 << word }
      turned.add(weight, for: words)
    }
    return turned.told()
  }

  /// Pairs a word with a part that is free, or that its word leaves for another one.
  private func makeRoom(for word: Int, _ owners: inout SIMD16<Int8>, _ seen: inout UInt16) -> Bool {
    while true {
      let left = choices[word] & ~seen
      guard left != 0 else { return false }
      let part = left.trailingZeroBitCount
      seen |= 1 << UInt16(part)
      if owners[part] < 0 || makeRoom(for: Int(owners[part]), &owners, &seen) {
        owners[part] = Int8(word)
        return true
      }
    }
  }
}
