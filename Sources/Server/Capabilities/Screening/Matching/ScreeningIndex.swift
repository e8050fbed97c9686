import DocumentCore
import Foundation

/// The lists, arranged for the search: words by their spelling and its neighbours, names by their words.
package struct ScreeningIndex: Sendable {
  /// Best hits that are kept of one search.
  static let hitsMax = 50

  struct Name: Sendable {
    let entry: Int32
    /// Where the numbers of its words stand.
    let words: Range<Int32>
    let isWeak: Bool
    let isPerson: Bool
    /// Its place among the names of the entry, main names first.
    let place: Int32
    /// What is heard of it without its blanks.
    let joinedSounds: SpellingCost.LetterSet
    /// How much its words tell together.
    fileprivate(set) var rarity = 0.0
  }

  /// The lists that are searched.
  package let versions: [WatchList.Version]
  let countries: CountryNames
  let entries: [(entry: WatchList.Entry, list: Int)]
  private(set) var names: [Name] = []
  /// Every distinct word, by number.
  private(set) var words: [ListedName.Word] = []
  private(set) var facts: [WordPairs.Facts] = []
  /// The numbers of the words of every name, one name after the other.
  private(set) var wordsOfNames: [Int32] = []
  /// Whether a word was read in a person's name; the same letters are another word in an organisation's.
  private(set) var isWordOfPerson: [Bool] = []
  /// How much a word tells: 1 for one that one entry has, less the more share it.
  private(set) var rarities: [Double] = []
  private(set) var namesByWord: [[Int32]] = []
  private var wordsByKey: [UInt64: [Int32]] = [:]
  private var namesByJoinedKey: [UInt64: [Int32]] = [:]
  private(set) var entriesByDocument: [String: [Int32]] = [:]
  private(set) var entriesByReference: [String: [Int32]] = [:]

  /// Arranges the lists; seconds for tens of thousands of names.
  package init(_ lists: [WatchList], countries: CountryNames) {
    self.countries = countries
    versions = lists.map(\.version)
    entries = lists.enumerated().flatMap { number, list in list.entries.map { ($0, number) } }
    var numbers: [WordKey: Int32] = [:]
    for (number, listed) in entries.enumerated() {
      add(listed.entry, Int32(number), numbers: &numbers)
      for document in listed.entry.documentNumbers { entriesByDocument[document, default: []].append(Int32(number)) }
      entriesByReference[listed.entry.reference, default: []].append(Int32(number))
    }
    weigh()
  }

  /// The same letters weigh otherwise in names of persons and of organisations.
  private struct WordKey: Hashable {
    let word: ListedName.Word
    let isPerson: Bool
  }

  /// The numbers of a name's words.
  func words(of name: Name) -> ArraySlice<Int32> {
    wordsOfNames[Int(name.words.lowerBound)..<Int(name.words.upperBound)]
  }

  /// Words that may be variants of this one; a superset, to be measured. In order, each once.
  func neighbours(of word: ListedName.Word) -> [Int32] {
    var found: [Int32] = []
    for key in Self.keys(of: word.letters, withCoarse: word.isConsonantal) {
      if let numbers = wordsByKey[key] { found += numbers }
    }
    return Self.distinct(&found)
  }

  /// Names that may be this one but for blanks; a superset, to be measured. In order, each once.
  func names(joinedLike joined: [UInt8]) -> [Int32] {
    var found: [Int32] = []
    for key in Self.deletionKeys(of: joined) {
      if let numbers = namesByJoinedKey[key] { found += numbers }
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

  /// A name's text as the list writes it.
  func text(of name: Name) -> String {
    let entry = entries[Int(name.entry)].entry
    let place = Int(name.place)
    return place < entry.names.count ? entry.names[place] : entry.weakNames[place - entry.names.count]
  }

  private mutating func add(_ entry: WatchList.Entry, _ number: Int32, numbers: inout [WordKey: Int32]) {
    let spelled = entry.names.map { ($0, false) } + entry.weakNames.map { ($0, true) }
    for isPerson in entry.kind.readings {
      var seen: Set<ListedName> = []
      for (place, (text, isWeak)) in spelled.enumerated() {
        for name in ListedName.alternatives(text, isPerson: isPerson)
        where !name.words.isEmpty && seen.insert(name).inserted {
          add(name, of: number, isWeak: isWeak, place: Int32(place), numbers: &numbers)
        }
      }
    }
  }

  private mutating func add(
    _ name: ListedName, of entry: Int32, isWeak: Bool, place: Int32, numbers: inout [WordKey: Int32]
  ) {
    let id = Int32(names.count)
    let start = Int32(wordsOfNames.count)
    for word in name.words {
      let key = WordKey(word: word, isPerson: name.isPerson)
      let number = numbers[key] ?? Int32(words.count)
      if numbers[key] == nil {
        numbers[key] = number
        words.append(word)
        facts.append(.init(word, number: number))
        isWordOfPerson.append(name.isPerson)
        namesByWord.append([])
        for key in Set(Self.keys(of: word.letters, withCoarse: true)) { wordsByKey[key, default: []].append(number) }
      }
      if namesByWord[Int(number)].last != id { namesByWord[Int(number)].append(id) }
      wordsOfNames.append(number)
    }
    let joined = name.joined
    for key in Set(Self.deletionKeys(of: joined)) { namesByJoinedKey[key, default: []].append(id) }
    names.append(
      Name(
        entry: entry, words: start..<Int32(wordsOfNames.count), isWeak: isWeak, isPerson: name.isPerson, place: place,
        joinedSounds: SpellingCost.LetterSet(SpellingCost.sound(joined))))
  }

  /// Inverse document frequency over entries, not names: a person with ten aliases does not make a word common.
  private mutating func weigh() {
    let all = log(Double(max(entries.count, 100)))
    rarities = words.indices.map { number in
      if words[number].wordClass == .particle { return WordClass.particleRarity }
      var (last, sharers) = (Int32(-1), 0)
      // Names are numbered in the order of their entries.
      for name in namesByWord[number] where names[Int(name)].entry != last {
        last = names[Int(name)].entry
        sharers += 1
      }
      return min(1, max(0.35, 1.15 - log(Double(max(1, sharers))) / all))
    }
    for number in names.indices {
      names[number].rarity = words(of: names[number]).reduce(0) { $0 + rarities[Int($1)] }
    }
  }

  /// Under which a word is found: itself, itself without any one letter, its consonants. Some may repeat.
  private static func keys(of word: [UInt8], withCoarse: Bool) -> [UInt64] {
    var keys = word.count >= 3 ? deletionKeys(of: word) : [hash(word, salt: 0)]
    let bones = WordLikeness.consonants(word)
    if bones.count >= 3 { keys.append(hash(bones, salt: 1)) }
    if withCoarse, bones.count >= 2 { keys.append(hash(ConsonantSkeleton.coarse(bones), salt: 2)) }
    return keys
  }

  private static func deletionKeys(of word: [UInt8]) -> [UInt64] {
    var keys = [hash(word, salt: 0)]
    keys.reserveCapacity(word.count + 3)
    // Without either of two equal neighbours it is the same.
    for index in word.indices where index == 0 || word[index - 1] != word[index] {
      keys.append(hash(word, salt: 0, without: index))
    }
    return keys
  }

  /// FNV-1a; words are measured afterwards, so a collision costs time only.
  private static func hash(_ word: [UInt8], salt: UInt64, without skipped: Int = -1) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ salt
    for index in word.indices where index != skipped { hash = (hash ^ UInt64(word[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
