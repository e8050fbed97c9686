// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Two names without a list: how alike they are, for evaluating the matcher and for callers who have pairs.
package struct NamePair: Sendable {
  /// 0…1.
  package let score: Double

  /// - Parameters:
  ///   - kind: whose names they are; `unspecified` compares them as persons' and as organisations'.
  package init(_ one: String, _ other: String, kind: WatchList.Kind, policy: MatchingPolicy = .standard) {
    score = kind.readings.map { Self.score(one, other, isPerson: $0, policy) }.max() ?? 0
  }

  /// Whether a name has a word in it, as a search needs one of its subject: an empty name resembles nothing, and its
  /// score of 0 would pass for that of two persons.
  static func isReadable(_ name: String, kind: WatchList.Kind) -> Bool {
    kind.readings.contains { isPerson in
      ListedName.alternatives(name, isPerson: isPerson).contains { !$0.words.isEmpty }
    }
  }

  static func score(_ one: String, _ other: String, isPerson: Bool, _ policy: MatchingPolicy) -> Double {
    var best = 0.0
    for mine in ListedName.alternatives(one, isPerson: isPerson) {
      for theirs in ListedName.alternatives(other, isPerson: isPerson) {
        best = max(best, score(mine, theirs, policy))
        guard isPerson else { continue }
        if let whole = CutName.whole(one, mine.words, theirs.words) {
          best = max(best, score(mine.with(whole), theirs, policy) - CutName.loss)
        }
        if let whole = CutName.whole(other, theirs.words, mine.words) {
          best = max(best, score(mine, theirs.with(whole), policy) - CutName.loss)
        }
      }
    }
    if isPerson { best = max(0, best - Double(CharacterNames.difference(one, other)) * policy.otherCharacter) }
    return (best * 10_000).rounded() / 10_000
  }

  private static func score(_ mine: ListedName, _ theirs: ListedName, _ policy: MatchingPolicy) -> Double {
    guard !mine.words.isEmpty, !theirs.words.isEmpty else { return 0 }
    let aligned = NameAlignment(
      mine.words, theirs.words, isPerson: mine.isPerson, policy: policy, isPinyin: theirs.isPinyin)
    guard !aligned.isRefuted else { return aligned.score }
    let joined = JoinedName.score(mine.words, theirs.words, isPerson: mine.isPerson, policy)
    let acronym = mine.isPerson ? 0 : Acronym.score(mine, theirs)
    return max(aligned.score, joined, acronym)
  }
}

/// Names that agree but for the blanks.
enum JoinedName {
  static let lettersApartMax = 3
  static let editsMax = 2.5

  static func score(
    _ mine: [ListedName.Word], _ theirs: [ListedName.Word], isPerson: Bool, _ policy: MatchingPolicy
  ) -> Double {
    func letters(_ words: [ListedName.Word]) -> Int { words.reduce(0) { $0 + $1.letters.count } }
    guard mine.count + theirs.count > 2, abs(letters(mine) - letters(theirs)) <= lettersApartMax else { return 0 }
    guard isPerson || mine.count != theirs.count && haveSameNumbers(mine, theirs) else { return 0 }
    let isPinyin = (mine + theirs).contains(where: \.isPinyin)
    return score(.init(mine.flatMap(\.letters)), .init(theirs.flatMap(\.letters)), isPinyin: isPinyin, policy)
  }

  static func haveSameNumbers(_ mine: [ListedName.Word], _ theirs: [ListedName.Word]) -> Bool {
    func numbers(_ words: [ListedName.Word]) -> [ListedName.Word] { words.filter { $0.wordClass == .number } }
    return numbers(mine) == numbers(theirs)
  }

  private static func score(
    _ mine: SpellingCost.Spelling, _ theirs: SpellingCost.Spelling, isPinyin: Bool, _ policy: MatchingPolicy
  ) -> Double {
    var edits = SpellingCost.between(mine, theirs, limit: editsMax)
    if isPinyin { edits = max(edits, SpellingCost.pinyinEdits(mine.letters, theirs.letters)) }
    return score(edits, min(mine.letters.count, theirs.letters.count), policy)
  }

  /// - Parameters:
  ///   - sounds: what is heard of the other name.
  ///   - isPinyin: whether mine is read from Chinese characters.
  static func score(
    _ mine: SpellingCost.Spelling, _ theirs: [UInt8], _ sounds: SpellingCost.LetterSet, isPinyin: Bool,
    _ policy: MatchingPolicy
  ) -> Double {
    var edits = SpellingCost.between(mine, theirs, sounds: sounds, limit: editsMax)
    if isPinyin { edits = max(edits, SpellingCost.pinyinEdits(mine.letters, theirs)) }
    return score(edits, min(mine.letters.count, theirs.count), policy)
  }

  private static func score(_ edits: Double, _ shorter: Int, _ policy: MatchingPolicy) -> Double {
    guard edits < editsMax else { return 0 }
    let allowed = min(policy.editsMax, max(0.5, Double(shorter) / policy.lettersPerEdit))
    return max(0, 1 - policy.editsWeight * (edits + 0.2) / allowed)
  }
}

/// Short names of organisations that are the first letters of the long ones.
enum Acronym {
  static let likeness = 0.88
  static let lettersMin = 3

  static func score(_ mine: ListedName, _ theirs: ListedName) -> Double {
    max(one(mine, theirs), one(theirs, mine))
  }

  private static func one(_ short: ListedName, _ long: ListedName) -> Double {
    let names = long.words.filter { $0.wordClass != .particle }
    guard names.count >= lettersMin, let first = short.words.first,
      first.letters.count == names.count || endsWithForm(first.letters, long, names.count),
      short.words.dropFirst().allSatisfy({ $0.wordClass != .plain }),
      zip(first.letters, names).allSatisfy({ $0 == $1.letters.first })
    else { return 0 }
    return likeness
  }

  /// The `C` of `NITC` is that of `National Iranian Tanker Company`.
  private static func endsWithForm(_ letters: [UInt8], _ long: ListedName, _ count: Int) -> Bool {
    letters.count == count + 1 && long.legalForms.last?.utf8.first == letters.last
  }
}
