import DocumentCore
import Foundation

/// The lists, arranged for the search: words by their spelling and its neighbours, names by their words.
package struct ScreeningIndex: Sendable {
  /// Best hits that are kept of one search.
  static let hitsMax = 50

  struct Name: Sendable {
    let entry: Int32
    let words: [Int32]
    let joined: [UInt8]
    let isWeak: Bool
  }

  /// The lists that are searched.
  package let versions: [WatchList.Version]
  let countries: CountryNames
  let entries: [(entry: WatchList.Entry, list: Int)]
  private(set) var names: [Name] = []
  /// Every distinct word, by number.
  private(set) var words: [[UInt8]] = []
  /// How much a word tells: 1 for one that one person has, less the more share it.
  private(set) var weights: [Double] = []
  private(set) var namesByWord: [[Int32]] = []
  private var wordsByKey: [UInt64: [Int32]] = [:]
  private var namesByJoinedKey: [UInt64: [Int32]] = [:]
  private(set) var entriesByDocument: [String: [Int32]] = [:]

  /// Arranges the lists; seconds for tens of thousands of names.
  package init(_ lists: [WatchList], countries: CountryNames) {
    self.countries = countries
    versions = lists.map(\.version)
    // Only names of persons are compared so far: by the same rules every trading company resembles every other.
    entries = lists.enumerated().flatMap { number, list in
      list.entries.filter { [.person, .unspecified].contains($0.kind) }.map { ($0, number) }
    }
    var numbers: [[UInt8]: Int32] = [:]
    for (number, listed) in entries.enumerated() {
      let spelled = listed.entry.names.map { ($0, false) } + listed.entry.weakNames.map { ($0, true) }
      var seen: Set<ListedName> = []
      for (text, isWeak) in spelled {
        let name = ListedName(text)
        if !name.words.isEmpty, seen.insert(name).inserted {
          add(name, of: Int32(number), isWeak: isWeak, numbers: &numbers)
        }
      }
      for document in listed.entry.documentNumbers { entriesByDocument[document, default: []].append(Int32(number)) }
    }
    weigh()
  }

  /// Words that may be variants of this one; a superset, to be measured.
  func neighbours(of word: [UInt8]) -> Set<Int32> {
    var found: Set<Int32> = []
    for key in Self.keys(of: word) { found.formUnion(wordsByKey[key] ?? []) }
    return found
  }

  /// Names that may be this one but for blanks; a superset, to be measured.
  func names(joinedLike joined: [UInt8]) -> Set<Int32> {
    var found: Set<Int32> = []
    for key in Self.deletionKeys(of: joined) { found.formUnion(namesByJoinedKey[key] ?? []) }
    return found
  }

  /// The weight of a word of the subject that no list has.
  func weight(ofUnlisted word: [UInt8]) -> Double { NameParticle.isParticle(word) ? NameParticle.weight : 1 }

  private mutating func add(_ name: ListedName, of entry: Int32, isWeak: Bool, numbers: inout [[UInt8]: Int32]) {
    let id = Int32(names.count)
    var ids: [Int32] = []
    for word in name.words {
      let number = numbers[word] ?? Int32(words.count)
      if numbers[word] == nil {
        numbers[word] = number
        words.append(word)
        namesByWord.append([])
        for key in Self.keys(of: word) { wordsByKey[key, default: []].append(number) }
      }
      if namesByWord[Int(number)].last != id { namesByWord[Int(number)].append(id) }
      ids.append(number)
    }
    let joined = name.joined
    for key in Self.deletionKeys(of: joined) { namesByJoinedKey[key, default: []].append(id) }
    names.append(Name(entry: entry, words: ids, joined: joined, isWeak: isWeak))
  }

  /// Inverse document frequency over people, not names: a person with ten aliases does not make a word common.
  private mutating func weigh() {
    let all = Double(max(entries.count, 100))
    weights = words.indices.map { number in
      if NameParticle.isParticle(words[number]) { return NameParticle.weight }
      let people = Double(Set(namesByWord[number].map { names[Int($0)].entry }).count)
      return min(1, max(0.35, 1.15 - log(people) / log(all)))
    }
  }

  /// Under which a word is found: itself, itself without any one letter, its consonants.
  private static func keys(of word: [UInt8]) -> Set<UInt64> {
    var keys = word.count >= 3 ? deletionKeys(of: word) : [hash(word, salt: 0)]
    let bones = WordLikeness.consonants(word)
    if bones.count >= 3 { keys.insert(hash(bones, salt: 1)) }
    return keys
  }

  private static func deletionKeys(of word: [UInt8]) -> Set<UInt64> {
    var keys: Set<UInt64> = [hash(word, salt: 0)]
    for index in word.indices { keys.insert(hash(word, salt: 0, without: index)) }
    return keys
  }

  /// FNV-1a; words are measured afterwards, so a collision costs time only.
  private static func hash(_ word: [UInt8], salt: UInt64, without skipped: Int = -1) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ salt
    for index in word.indices where index != skipped { hash = (hash ^ UInt64(word[index])) &* 0x0000_0100_0000_01b3 }
    return hash
  }
}
