// SPDX-License-Identifier: Apache-2.0

extension SpellingCost {
  /// Whether a word lies less than `limit` edits from two others without their blank.
  static func areWithin(_ limit: Double, _ whole: Spelling, _ first: Spelling, _ second: Spelling) -> Bool {
    let letterCount = first.letterCount + second.letterCount
    guard max(letterCount, first.soundCount + second.soundCount) <= lettersMax,
      first.letterCount > 0, second.letterCount > 0
    else { return areWithin(limit, whole, Spelling(first.letters + second.letters, keepsArrays: false)) }
    let bound = Int((limit * 100).rounded())
    if whole.letterSet.least(to: LetterSet(first.letterSet, second.letterSet)) < bound,
      letterDistance(whole, first, second, bound: bound) < bound
    {
      return true
    }
    let left = bound - floor(whole.letterCount, letterCount)
    guard left > 0 else { return false }
    if doSoundsRunOn(first, second) {
      let letters = first.letters + second.letters
      let sounds = sound(letters)
      return !(whole.isPlain && sounds == letters) && whole.soundSet.least(to: LetterSet(sounds)) < left
        && distance(whole.sounds, sounds, [], bound: left) < left
    }
    // A sound that ends one word and begins the next is heard once.
    let isHeardOnce = first.withSounds { $0.last } == second.withSounds { $0.first }
    return !(whole.isPlain && first.isPlain && second.isPlain && !isHeardOnce)
      && whole.soundSet.least(to: LetterSet(first.soundSet, second.soundSet)) < left
      && soundDistance(whole, first, second, from: isHeardOnce ? 1 : 0, bound: left) < left
  }

  private static func doSoundsRunOn(_ first: Spelling, _ second: Spelling) -> Bool {
    first.withLetters { first in second.withLetters { second in soundsRunOn(first[first.count - 1], second[0]) } }
  }

  private static func letterDistance(
    _ whole: Spelling, _ first: Spelling, _ second: Spelling, bound: Int
  ) -> Int {
    whole.withLetters { whole in
      first.withLetters { first in
        second.withLetters { second in distance(whole, first, second, from: 0, bound: bound) }
      }
    }
  }

  private static func soundDistance(
    _ whole: Spelling, _ first: Spelling, _ second: Spelling, from start: Int, bound: Int
  ) -> Int {
    whole.withSounds { whole in
      first.withSounds { first in
        second.withSounds { second in distance(whole, first, second, from: start, bound: bound) }
      }
    }
  }

  /// How far two words are apart at least when one is read from Chinese characters. In German or Slavic names `J` is an
  /// `I`, and in Arabic ones a `G`; in no way to spell Chinese: `JIAN` and `YAN` are two syllables. So are `SONG` and
  /// `LONG`, which are two characters far more often than a slip.
  static func pinyinEdits(_ one: [UInt8], _ other: [UInt8]) -> Double {
    func count(_ letters: [UInt8]) -> Int { letters.count { $0 == UInt8(ascii: "J") } }
    return max(Double(abs(count(one) - count(other))), isOtherSyllable(one, other) ? 3 : 0)
  }

  /// Whether two words differ in one consonant alone, which a syllable begins with.
  private static func isOtherSyllable(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    guard one.count == other.count, let place = one.indices.first(where: { one[$0] != other[$0] }),
      place + 1 < one.count, one[(place + 1)...] == other[(place + 1)...]
    else { return false }
    let (mine, theirs) = (one[place], other[place])
    guard !vowels.contains(mine), !vowels.contains(theirs), vowels.contains(one[place + 1]) else { return false }
    return !alikeInChinese.contains { $0.contains(mine) && $0.contains(theirs) }
  }

  private static let vowels = Array("AEIOU".utf8)
  /// Spellings of Chinese, and those who speak its other languages, write one for the other.
  private static let alikeInChinese = ["BP", "DT", "GKH", "CJQSXZ", "LNR", "FH", "VWY"].map { Array($0.utf8) }

  /// A word as most languages would read it: `TSCH` is CH, `OU` is U, `PH` is F.
  static func sound(_ word: [UInt8]) -> [UInt8] {
    var sounds: [UInt8] = []
    sounds.reserveCapacity(word.count + 4)
    var index = 0
    outer: while index < word.count {
      // Most letters begin no spelling with the next one, which is known without a look at any.
      let next = index + 1 < word.count ? Int(word[index + 1] & 127) : 0
      for (from, to) in mayBegin[Int(word[index] & 127) << 7 | next] ? digraphs[Int(word[index] & 127)] : []
      where index + from.count <= word.count && from.indices.allSatisfy({ word[index + $0] == from[$0] }) {
        for letter in to where sounds.last != letter { sounds.append(letter) }
        index += from.count
        continue outer
      }
      let letter = single(word[index])
      if sounds.last != letter { sounds.append(letter) }
      index += 1
    }
    return sounds
  }

  /// Whether one word's last letter and the next one's first may be read as one sound.
  static func soundsRunOn(_ last: UInt8, _ next: UInt8) -> Bool {
    runOns[Int(last & 127) << 7 | Int(next & 127)]
  }

  private static func single(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "Q"), UInt8(ascii: "C"): UInt8(ascii: "K")
    case UInt8(ascii: "W"): UInt8(ascii: "V")
    case UInt8(ascii: "Y"), UInt8(ascii: "J"): UInt8(ascii: "I")
    default: letter
    }
  }

  private static let spellings: [(String, String)] = [
    ("TSCH", "CH"), ("SHCH", "SH"), ("SCH", "SH"), ("DZH", "J"), ("TCH", "CH"), ("DSCH", "J"), ("PH", "F"), ("CK", "K"),
    ("KH", "H"), ("GH", "G"), ("TH", "T"), ("DH", "D"), ("DJ", "J"), ("CH", "CH"), ("SH", "SH"), ("HS", "S"),
    ("OU", "U"), ("OO", "U"), ("EE", "I"), ("IE", "I"), ("EI", "AI"), ("EY", "AI"), ("AY", "AI"), ("YI", "I"),
    ("IY", "I"), ("ZH", "J"), ("TS", "Z"), ("TZ", "Z"), ("IU", "IU"), ("JU", "IU"), ("YU", "IU"), ("X", "KS"),
  ]
  private static let readings: [(from: [UInt8], to: [UInt8])] = spellings.map { (Array($0.0.utf8), Array($0.1.utf8)) }

  /// By the first letter, in their order.
  private static let digraphs: [[(from: [UInt8], to: [UInt8])]] = (0..<128).map { letter in
    readings.filter { Int($0.from[0]) == letter }
  }

  /// Whether a letter and the next one begin a spelling.
  private static let mayBegin: [Bool] = {
    var table = [Bool](repeating: false, count: 128 * 128)
    for (from, _) in readings {
      for next in 0..<128 where from.count == 1 || Int(from[1]) == next { table[Int(from[0]) << 7 | next] = true }
    }
    return table
  }()

  private static let runOns: [Bool] = {
    var table = [Bool](repeating: false, count: 128 * 128)
    for (from, _) in readings {
      for (one, other) in zip(from, from.dropFirst()) { table[Int(one) << 7 | Int(other)] = true }
    }
    return table
  }()
}
