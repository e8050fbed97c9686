// SPDX-License-Identifier: Apache-2.0

/// The consonants of a word as the spellings of most languages share them.
enum ConsonantSkeleton {
  /// How far a word of a script that writes few vowels lies from a Latin one, in edits, by their consonants alone.
  static func edits(_ one: [UInt8], _ other: [UInt8]) -> Double {
    edits(of(one), of: one.count, of(other), of: other.count)
  }

  /// The same of two skeletons, of words of so many letters.
  static func edits(_ a: [UInt8], of count: Int, _ b: [UInt8], of other: Int) -> Double {
    guard !a.isEmpty, !b.isEmpty else { return Double(max(count, other)) }
    let edits = EditDistance.between(a, b, atMost: 3) ?? 4
    // Consonants alone leave more names alike than letters do.
    return 0.4 + Double(edits) * (min(a.count, b.count) < 3 ? 1.6 : 1.2)
  }

  /// The skeleton of a word.
  static func of(_ letters: [UInt8]) -> [UInt8] { coarse(WordSimilarity.consonants(letters)) }

  /// Whether two words have the same consonants, enough of them to tell.
  static func areSame(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    let bones = WordSimilarity.consonants(one)
    return bones.count >= 3 && bones == WordSimilarity.consonants(other)
  }

  /// Sounds that Arabic, Hebrew and Chinese do not tell apart or have no letter for.
  static func coarse(_ bones: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bones.count)
    for (index, bone) in bones.enumerated() {
      let sound: UInt8
      switch bone {
      case UInt8(ascii: "P"): sound = UInt8(ascii: "B")
      case UInt8(ascii: "J"): sound = UInt8(ascii: "K")
      case UInt8(ascii: "D"): sound = UInt8(ascii: "T")
      case UInt8(ascii: "A") where index == 0: continue
      case UInt8(ascii: "H") where index == bones.count - 1 && bones.count > 2: continue
      default: sound = bone
      }
      if result.last != sound { result.append(sound) }
    }
    return result
  }
}
