// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit

/// The lists, arranged for the search: words by their spelling and its neighbours, names by their words. Everything
/// that grows with the lists is in flat arrays, so that a million entries take less than a gigabyte. It is a class, for
/// a copy of a structure would count the references to two dozen arrays.
package final class ScreeningIndex: Sendable {
  /// Best hits that are kept of one search.
  static let hitsMax = 50
  private static let remoteNeighboursMax = 96

  struct Name: Sendable {
    let entry: Int32
    /// Where the numbers of its words stand.
    let firstWord: UInt32
    /// Its place among the names of the entry, main names first.
    let place: Int32
    /// What is heard of it without its blanks.
    let joinedSounds: SpellingCost.LetterSet
    let wordCount: UInt8
    let isWeak: Bool
    let isPerson: Bool
    /// Whether it has an initial, or two letters that may be two, or is read without vowels, so that a word may stand
    /// for another that shares little with it.
    let hasInitials: Bool
    /// How much its words tell together.
    var rarity = 0.0
  }

  /// The lists that are searched.
  package let versions: [WatchList.Version]
  package let countries: CountryNames
  let entries: PackedEntries
  let names: [Name]
  /// Every distinct word, by number.
  let words: [ListedName.Word]
  let facts: [WordPairs.Facts]
  /// The numbers of the words of every name, one name after the other.
  let wordsOfNames: [Int32]
  /// Whether a word was read in a person's name; the same letters are another word in an organisation's.
  let isWordOfPerson: [Bool]
  /// How much a word tells: 1 for one that one entry has, less the more share it.
  let rarities: [Double]
  /// Of each word the most important of `facts` and `rarities`.
  let gists: [WordGist]
  /// Of each name its `NameProfile`: what every name that shares a word is asked for.
  let profiles: [UInt32]
  /// For each span of names the periods of their dates; all when one has none.
  let periodsOfSpans: [UInt16]
  /// The numbers of the names that have a word: for each word three lists, as `NameGroup` tells. Behind these for each
  /// year those of entries that were born on a day of it.
  let namesByWord: NumberLists
  /// Words of persons' names that are a form of a given name, by its group.
  let wordsByGivenName: [UInt16: [Int32]]
  let knownVariants: KnownVariants
  /// The first name of each entry.
  private let firstNames: [Int32]
  private let wordsByKey: KeyTable
  private let wordsByPiece: KeyTable
  private let namesByJoinedKey: KeyTable

  /// Arranges the lists; a second or two for a hundred thousand names.
  /// - Parameter world: tells when words that were searched for are forgotten; nil in a program that ends soon.
  package init(_ lists: [WatchList], countries: CountryNames, world: World? = nil) {
    self.countries = countries
    knownVariants = KnownVariants(world: world)
    versions = lists.map(\.version)
    let arranged = Arrangement(lists)
    (entries, names, firstNames) = (arranged.entries, arranged.names, arranged.firstNames)
    (words, facts, rarities) = (arranged.words, arranged.facts, arranged.rarities)
    gists = zip(facts, rarities).map { WordGist($0, rarity: $1) }
    (wordsOfNames, isWordOfPerson) = (arranged.wordsOfNames, arranged.isWordOfPerson)
    (profiles, wordsByGivenName) = (arranged.profiles, arranged.wordsByGivenName)
    (wordsByKey, wordsByPiece) = (arranged.wordsByKey, arranged.wordsByPiece)
    (namesByJoinedKey, namesByWord) = (arranged.namesByJoinedKey, arranged.namesByWord)
    periodsOfSpans = arranged.periodsOfSpans
    holdInLargePages()
    knownVariants.lookUpCommon(in: self)
  }

  /// What every search reads here and there.
  private func holdInLargePages() {
    LargePages.hold(names)
    LargePages.hold(words)
    LargePages.hold(facts)
    LargePages.hold(gists)
    LargePages.hold(rarities)
    LargePages.hold(wordsOfNames)
    LargePages.hold(profiles)
    LargePages.hold(firstNames)
    entries.holdInLargePages()
    for table in [wordsByKey, wordsByPiece, namesByJoinedKey] { table.holdInLargePages() }
    namesByWord.holdInLargePages()
  }

  static func places(of name: Name) -> Range<Int> {
    Int(name.firstWord)..<Int(name.firstWord) + Int(name.wordCount)
  }

  /// The numbers of a name's words.
  func words(of name: Name) -> ArraySlice<Int32> { wordsOfNames[Self.places(of: name)] }

  /// The names of an entry.
  func names(of entry: Int32) -> Range<Int> { Int(firstNames[Int(entry)])..<Int(firstNames[Int(entry) + 1]) }

  /// Where in `namesByWord` the names with a word stand that have no initials: those that tell little, in order, and
  /// then those that tell much.
  func names(with word: Int32) -> Range<Int> {
    names(with: word, .little).lowerBound..<names(with: word, .much).upperBound
  }

  /// Where in `namesByWord` the others stand.
  func namesWithInitials(with word: Int32) -> Range<Int> { names(with: word, .initials) }

  /// Where in `namesByWord` some of the names with a word stand, in order.
  func names(with word: Int32, _ group: NameGroup) -> Range<Int> { namesByWord.range(group.list(of: word)) }

  private var firstListOfYears: Int32 { NameGroup.firstListOfYears(words: words.count) }

  /// Where in `namesByWord` the names of entries stand that were born on a day of a year, in order.
  /// - Parameter year: its number, as `BirthTable.place` tells.
  func names(bornInYear year: Int) -> Range<Int> { namesByWord.range(firstListOfYears + Int32(year)) }

  /// Words that may be variants of this one; a superset, to be measured. In order, each once.
  func neighbours(of word: ListedName.Word) -> [Int32] {
    var keys: [UInt64] = []
    keys.reserveCapacity(word.letters.count + WordKeys.besidesMax)
    WordKeys.forEach(of: word.letters, sounds: word.spelling.sounds, withCoarse: word.isConsonantal) { keys.append($0) }
    var found = wordsByKey.numbers(of: keys)
    return Self.distinct(&found)
  }

  /// Words that begin or end as this one does, to be measured. A beginning or an end that more words have than that
  /// brings none: it would cost more than all the rest.
  func remoteNeighbours(of word: ListedName.Word) -> [Int32] {
    guard !word.isConsonantal else { return [] }
    var found: [Int32] = []
    WordKeys.forEachPiece(of: word.letters) { key in
      let start = found.count
      wordsByPiece.forEach(of: key) { found.append($0) }
      if found.count - start > Self.remoteNeighboursMax { found.removeSubrange(start...) }
    }
    return Self.distinct(&found)
  }

  /// Words of persons' names of which this one may be made without a blank: for each two that are, the rarer.
  func parts(of word: ListedName.Word) -> [Int32] {
    let letters = word.letters
    guard letters.count >= 6, !word.isConsonantal else { return [] }
    var found: [Int32] = []
    for place in 3...letters.count - 3 {
      guard let one = number(of: letters[..<place]), let other = number(of: letters[place...]) else { continue }
      found.append(rarities[Int(one)] >= rarities[Int(other)] ? one : other)
    }
    return found
  }

  /// The word of persons' names that two words are without their blank.
  func joined(_ one: ListedName.Word, _ other: ListedName.Word) -> Int32? {
    let letters = one.letters + other.letters
    return letters.count >= 6 ? number(of: letters[...]) : nil
  }

  /// The number of a word of persons' names.
  private func number(of letters: ArraySlice<UInt8>) -> Int32? {
    var found: Int32?
    wordsByKey.forEach(of: KeyTable.hash(letters, salt: 0)) { number in
      guard isWordOfPerson[Int(number)] else { return }
      if words[Int(number)].spelling.withLetters({ $0.elementsEqual(letters) }) { found = number }
    }
    return found
  }

  /// Names that are this one but for blanks and one letter that is another, left out, added or swapped with the next,
  /// as they are written or as they are heard. In order, each once.
  func names(joinedLike joined: SpellingCost.Spelling) -> [Int32] {
    let heard = WordKeys.heard(joined.letters)
    let isWhole = heard.count + JoinedKeys.lengthsApartMax <= SpellingCost.lettersMax
    var keys: [UInt64] = []
    JoinedKeys.forEachAlike(heard) { keys.append($0) }
    let numbers = namesByJoinedKey.numbers(of: keys)
    // Of most names what is heard of them tells that they are others, before any letter is read.
    var near: [(number: Int32, apart: Int)] = []
    names.withUnsafeBufferPointer { names in
      for number in numbers {
        let apart = joined.soundSet.apart(from: names[Int(number)].joinedSounds)
        if !isWhole || apart <= JoinedKeys.soundsApartMax { near.append((number, apart)) }
      }
    }
    guard !near.isEmpty, fetchLetters(ofNames: near.lazy.map(\.number)) >= 0 else { return [] }
    var found: [Int32] = []
    var seen: [UInt8] = []
    for (number, apart) in near {
      seen.removeAll(keepingCapacity: true)
      for word in words(of: names[Int(number)]) { words[Int(word)].spelling.withLetters { seen += $0 } }
      if JoinedKeys.isOneEdit(joined.letters, seen)
        || (!isWhole || apart <= 2) && JoinedKeys.isOneEdit(heard, WordKeys.heard(seen))
      {
        found.append(number)
      }
    }
    return Self.distinct(&found)
  }

  static func distinct(_ numbers: inout [Int32]) -> [Int32] {
    numbers.sort()
    var kept = 0
    for number in numbers where kept == 0 || numbers[kept - 1] != number {
      numbers[kept] = number
      kept += 1
    }
    numbers.removeLast(numbers.count - kept)
    return numbers
  }

  /// Words of persons' names that are forms of the given names of some groups. In order, each once.
  func otherForms(of groups: GivenNames.Groups) -> [Int32] {
    guard !groups.isEmpty else { return [] }
    var found = [groups.first, groups.second].flatMap { wordsByGivenName[$0] ?? [] }
    return Self.distinct(&found)
  }
}
