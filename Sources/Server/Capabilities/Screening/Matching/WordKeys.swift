// SPDX-License-Identifier: Apache-2.0

/// Under which a word is found: itself, itself without any one letter, its consonants, and what is heard of it with
/// the consonants of that. Two words that are one edit apart share one of them, and so do two that sound alike. Longer
/// words are also found by their beginning and their end.
enum WordKeys {
  /// Keys of a word besides one for each of its letters, at most.
  static let besidesMax = 5

  /// Some may repeat.
  /// - Parameter sounds: what `SpellingCost.sound` makes of the word; nil when it is to be worked out.
  static func forEach(of word: [UInt8], sounds: [UInt8]? = nil, withCoarse: Bool, _ body: (UInt64) -> Void) {
    forEachSpelling(of: word, body)
    let bones = WordSimilarity.consonants(word)
    if bones.count >= 3 { body(KeyTable.hash(bones, salt: 1)) }
    if withCoarse, bones.count >= 2 { body(KeyTable.hash(ConsonantSkeleton.coarse(bones), salt: 2)) }
    // What sounds alike costs little, however many letters are others: FENVIK and FENWICK, DZHAMAL and JAMAL.
    let heard = heard(ofSounds: sounds ?? SpellingCost.sound(word))
    guard heard != word else { return }
    body(KeyTable.hash(heard, salt: 0))
    let heardBones = WordSimilarity.consonants(heard)
    if heardBones.count >= 3, heardBones != bones { body(KeyTable.hash(heardBones, salt: 1)) }
  }

  private static func forEachSpelling(of word: [UInt8], _ body: (UInt64) -> Void) {
    body(KeyTable.hash(word, salt: 0))
    guard word.count >= 3 else { return }
    // Without either of two equal neighbours it is the same.
    for index in word.indices where index == 0 || word[index - 1] != word[index] { body(hash(word, without: index)) }
  }

  /// What is heard of a word, with one letter for those that languages interchange: `J` is `I` as in German and Slavic
  /// names, and `DZH` is the English `J`, which is written like the other. Two that become the same are heard once, so
  /// that `DZHIBRIL` is `JIBRIL`.
  static func heard(_ word: [UInt8]) -> [UInt8] { heard(ofSounds: SpellingCost.sound(word)) }

  /// The same of what `SpellingCost.sound` makes of a word.
  static func heard(ofSounds sounds: [UInt8]) -> [UInt8] {
    var heard: [UInt8] = []
    heard.reserveCapacity(sounds.count)
    for sound in sounds {
      let letter = sound == UInt8(ascii: "J") ? UInt8(ascii: "I") : sound
      if heard.last != letter { heard.append(letter) }
    }
    return heard
  }

  /// Letters of a beginning and of an end.
  private static let pieceLetters = 4
  private static let pieceWordMin = 7

  /// The beginning and the end of a longer word: of two slips far apart in it, or both in one half, one of the two is
  /// left as it is.
  static func forEachPiece(of word: [UInt8], _ body: (UInt64) -> Void) {
    guard word.count >= pieceWordMin else { return }
    body(KeyTable.hash(word.prefix(pieceLetters), salt: 5))
    body(KeyTable.hash(word.suffix(pieceLetters), salt: 6))
  }

  private static func hash(_ word: [UInt8], without skipped: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for index in word.indices where index != skipped { hash = (hash ^ UInt64(word[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}

/// Under which a whole name is found without its blanks: what is heard of its first half and of its second, each with
/// the length of the whole. One edit leaves one of them as it is, so that two keys do for every name; only an edit that
/// changes the sounds on both sides of the middle, such as one in a `CH` there, is not found by them.
enum JoinedKeys {
  /// One edit of a letter changes two sounds at most, such as the `X` that is heard as `KS`; more than that only in
  /// `DSCH` and `TSCH`.
  static let lengthsApartMax = 2
  /// Letters of which one of two names has none, when one edit tells them apart.
  static let soundsApartMax = 4

  /// The keys of a listed name.
  static func forEach(of name: [UInt8], _ body: (UInt64) -> Void) {
    let half = name.count / 2
    body(first(name.prefix(half), of: name.count))
    body(second(name.dropFirst(half), of: name.count))
  }

  /// The keys of names that are one edit from this one.
  static func forEachAlike(_ name: [UInt8], _ body: (UInt64) -> Void) {
    for length in max(1, name.count - lengthsApartMax)...name.count + lengthsApartMax {
      let half = length / 2
      if half <= name.count { body(first(name.prefix(half), of: length)) }
      if length - half <= name.count { body(second(name.suffix(length - half), of: length)) }
    }
    // Two letters that are swapped across the middle.
    let half = name.count / 2
    guard half > 0, name[half - 1] != name[half] else { return }
    var swapped = name
    swapped.swapAt(half - 1, half)
    body(first(swapped.prefix(half), of: name.count))
  }

  /// Whether two names are the same but for one letter that is another, left out, added, or swapped with the next.
  static func isOneEdit(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.withUnsafeBufferPointer { one in other.withUnsafeBufferPointer { isOneEdit(one, $0) } }
  }

  /// The same of spellings, which hold their letters: an array would be another place of the memory to wait for.
  static func isOneEdit(_ one: SpellingCost.Spelling, _ other: SpellingCost.Spelling) -> Bool {
    one.withLetters { one in other.withLetters { isOneEdit(one, $0) } }
  }

  private static func isOneEdit(_ one: UnsafeBufferPointer<UInt8>, _ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard abs(one.count - other.count) <= 1 else { return false }
    let shorter = min(one.count, other.count)
    var front = 0
    while front < shorter, one[front] == other[front] { front += 1 }
    var back = 0
    while back < shorter - front, one[one.count - 1 - back] == other[other.count - 1 - back] { back += 1 }
    let (left, right) = (one.count - front - back, other.count - front - back)
    if left <= 1, right <= 1 { return true }
    return left == 2 && right == 2 && one[front] == other[front + 1] && one[front + 1] == other[front]
  }

  private static func first(_ half: ArraySlice<UInt8>, of length: Int) -> UInt64 {
    KeyTable.hash(half, salt: UInt64(length) << 8 | 3)
  }

  private static func second(_ half: ArraySlice<UInt8>, of length: Int) -> UInt64 {
    KeyTable.hash(half, salt: UInt64(length) << 8 | 4)
  }
}
