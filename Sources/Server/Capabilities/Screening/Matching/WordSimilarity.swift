// SPDX-License-Identifier: Apache-2.0

/// How alike two words of a name are, from letters and from consonants.
enum WordSimilarity {
  /// Below this two words are different names.
  static let least = 0.78
  private static let sameConsonants = 0.88

  /// 1 for equal words, 0 for words that are no variants of one another.
  static func of(_ one: [UInt8], _ other: [UInt8]) -> Double {
    if one == other { return 1 }
    let (short, long) = one.count <= other.count ? (one, other) : (other, one)
    guard let first = short.first else { return 0 }
    // An initial stands for any name that begins with it, weakly.
    if short.count == 1 { return first == long.first ? least : 0 }
    let edits = EditDistance.between(short, long, atMost: 3) ?? 4
    let byLetters = edits > 3 ? 0 : 1 - Double(edits) / Double(long.count) * (short.count <= 3 ? 1 : 0.75)
    let bones = consonants(short)
    let isSpelling = bones.count >= 3 && bones == consonants(long)
    let score = max(byLetters, isSpelling ? sameConsonants : 0)
    return score >= least ? score : 0
  }

  /// The consonants of a word as most languages' spellings share them: doubled ones once, hissing and throaty ones as
  /// one, vowels only in front.
  static func consonants(_ word: [UInt8]) -> [UInt8] {
    var bones: [UInt8] = []
    bones.reserveCapacity(word.count)
    var previous: UInt8 = 0
    for (index, letter) in word.enumerated() {
      let sound: UInt8
      switch letter {
      case UInt8(ascii: "A"), UInt8(ascii: "E"), UInt8(ascii: "I"), UInt8(ascii: "O"), UInt8(ascii: "U"),
        UInt8(ascii: "Y"), UInt8(ascii: "W"):
        sound = index == 0 ? UInt8(ascii: "A") : 0
      case UInt8(ascii: "H"):
        // KH, GH, SH, TH, DH, PH: the H belongs to the letter before it.
        let digraph = index > 0 && "KGSTDPCZ".utf8.contains(word[index - 1])
        sound = digraph ? previous : letter
      case UInt8(ascii: "Q"), UInt8(ascii: "C"), UInt8(ascii: "G"), UInt8(ascii: "K"): sound = UInt8(ascii: "K")
      case UInt8(ascii: "Z"), UInt8(ascii: "S"): sound = UInt8(ascii: "S")
      case UInt8(ascii: "V"), UInt8(ascii: "F"): sound = UInt8(ascii: "F")
      default: sound = letter
      }
      if sound != 0, sound != previous { bones.append(sound) }
      if sound != 0 { previous = sound } else { previous = 0 }
    }
    return bones
  }
}
