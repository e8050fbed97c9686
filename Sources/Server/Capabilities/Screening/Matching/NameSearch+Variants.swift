// SPDX-License-Identifier: Apache-2.0

extension NameSearch {
  /// The variants of each part of the name, by word.
  struct Variants {
    struct Slot {
      var word: Int32
      /// A bit for each part of which the word is a variant.
      var parts: UInt16
      /// Those that it is without the blanks between them, so that it stands for all of these at once.
      var wholeParts: UInt16
      var rarity: Double

      /// Whether the word stands for one of several parts.
      var isChoice: Bool { wholeParts == 0 && parts & (parts &- 1) != 0 }
    }

    private let parts: [WordVariants]
    private let weights: [Double]
    /// A bit for each of the last bits of a word's number: most words are no variant, and take no look into the table.
    private var marks: [UInt64]
    private var slots: [Slot]

    init(_ parts: [WordVariants], rarities: [Double]) {
      self.parts = parts
      weights = parts.map(\.weight)
      marks = Array(repeating: 0, count: (1 << Self.markBits) >> 6)
      var size = 16
      let count = parts.reduce(0) { $0 + $1.words.count }
      while size < 2 * count { size *= 2 }
      slots = Array(repeating: Slot(word: -1, parts: 0, wholeParts: 0, rarity: 0), count: size)
      for (number, part) in parts.enumerated() {
        for word in part.words {
          let mark = Self.mark(word)
          marks[mark >> 6] |= 1 << UInt64(mark & 63)
          let place = place(of: word)
          slots[place] = Slot(
            word: word, parts: slots[place].parts | 1 << UInt16(number), wholeParts: slots[place].wholeParts,
            rarity: rarities[Int(word)])
        }
        for word in part.wholes { slots[place(of: word)].wholeParts |= 1 << UInt16(number) }
      }
    }

    private static let markBits = 14
    private static func mark(_ word: Int32) -> Int { Int(word) & (1 << markBits - 1) }

    /// Where a word stands, or would stand.
    private func place(of word: Int32) -> Int {
      var place = Int(truncatingIfNeeded: (UInt64(UInt32(bitPattern: word)) &* 0x9E37_79B9_7F4A_7C15) >> 32)
      place &= slots.count - 1
      while slots[place].word != word, slots[place].word >= 0 { place = (place &+ 1) & (slots.count - 1) }
      return place
    }

    /// What is known of a word that is a variant.
    func slot(of word: Int32) -> Slot { slots[place(of: word)] }

    /// A bit for each part of which a word is a variant.
    func parts(of word: Int32) -> UInt16 {
      let mark = Self.mark(word)
      guard marks[mark >> 6] >> UInt64(mark & 63) & 1 == 1 else { return 0 }
      let slot = slots[place(of: word)]
      return slot.word == word ? slot.parts : 0
    }

    /// What some parts tell, and the most that their variants may tell.
    func sum(_ some: Int) -> (share: Double, theirs: Double) {
      var (share, theirs) = (0.0, 0.0)
      for (number, part) in parts.enumerated() where some >> number & 1 == 1 {
        share += part.weight
        theirs += part.most
      }
      return (share, theirs)
    }

    /// What the parts tell of which a name has a variant, and what the rarest variant of each tells.
    /// - Returns: also the same when a word that is a variant of several parts stands for one of them.
    func sums(
      of words: ArraySlice<Int32>
    ) -> (share: Double, theirs: Double, matched: (share: Double, theirs: Double)) {
      var (found, hasChoice) = (0, false)
      return withUnsafeTemporaryAllocation(of: Double.self, capacity: ListedName.wordsMax) { rarest in
        for word in words {
          let mark = Self.mark(word)
          guard marks[mark >> 6] >> UInt64(mark & 63) & 1 == 1 else { continue }
          let slot = slots[place(of: word)]
          guard slot.word == word else { continue }
          hasChoice = hasChoice || slot.isChoice
          var some = Int(slot.parts)
          while some != 0 {
            let part = some.trailingZeroBitCount
            if found >> part & 1 == 0 || rarest[part] < slot.rarity { rarest[part] = slot.rarity }
            some &= some - 1
          }
          found |= Int(slot.parts)
        }
        var (share, theirs) = (0.0, 0.0)
        while found != 0 {
          let part = found.trailingZeroBitCount
          share += weights[part]
          theirs += rarest[part]
          found &= found - 1
        }
        return (share, theirs, hasChoice ? matchedSum(of: words) : (share, theirs))
      }
    }

    private func matchedSum(of words: ArraySlice<Int32>) -> (share: Double, theirs: Double) {
      var matching = PartMatching()
      func add(_ slot: Slot, for parts: UInt16) {
        if parts != 0, matching.count < PartMatching.most { matching.add(slot.rarity, for: Int(parts)) }
      }
      for word in words {
        let slot = slots[place(of: word)]
        guard slot.word == word else { continue }
        add(slot, for: slot.parts & ~slot.wholeParts)
        var left = slot.wholeParts
        while left != 0 {
          add(slot, for: left & ~(left &- 1))
          left &= left &- 1
        }
      }
      return (matching.share(of: weights), matching.told())
    }
  }
}
