// SPDX-License-Identifier: Apache-2.0

import Foundation

extension ScreeningIndex {
  /// What an index holds, while the lists are read into it.
  struct Arrangement {
    private(set) var entries = PackedEntries(.init(), names: [0])
    private(set) var names: [Name] = []
    private(set) var firstNames: [Int32] = []
    private(set) var words: [ListedName.Word] = []
    private(set) var facts: [WordPairs.Facts] = []
    private(set) var wordsOfNames: [Int32] = []
    private(set) var isWordOfPerson: [Bool] = []
    private(set) var rarities: [Double] = []
    private(set) var profiles: [UInt32] = []
    private(set) var namesByWord = NumberLists(count: 0) { _ in }
    private(set) var periodsOfSpans: [UInt16] = []
    private(set) var wordsByGivenName: [UInt16: [Int32]] = [:]
    private(set) var wordsByKey = KeyTable()
    private(set) var wordsByPiece = KeyTable()
    private(set) var namesByJoinedKey = KeyTable()
  }
}

extension ScreeningIndex.Arrangement {
  /// What is needed while the lists are read only.
  private struct Draft {
    var numbers = WordNumbers()
    var wordKeys = KeyTable.Draft()
    var pieceKeys = KeyTable.Draft()
    var joinedKeys = KeyTable.Draft()
  }

  init(_ lists: [WatchList]) {
    self.init()
    var packed = PackedEntries.Draft()
    var draft = Draft()
    for (order, list, place) in Self.byYears(lists) {
      let entry = lists[list].entries[place]
      firstNames.append(Int32(names.count))
      add(entry, packed.add(entry, list: list, order: Int32(order)), &draft)
    }
    firstNames.append(Int32(names.count))
    entries = PackedEntries(packed, names: firstNames)
    sortWords(&draft)
    addFacts()
    wordsByKey = KeyTable(draft.wordKeys)
    wordsByPiece = KeyTable(draft.pieceKeys)
    namesByJoinedKey = KeyTable(draft.joinedKeys)
    weigh()
    listNames()
    divide()
  }

  /// Notes of each span of names what a search asks of it.
  private mutating func divide() {
    let size = 1 << NameTally.spanBits
    periodsOfSpans = stride(from: 0, through: profiles.count, by: size).map { first in
      profiles[first..<min(profiles.count, first + size)].reduce(0) { known, profile in
        let periods = NameProfile(rawValue: profile).periods
        return known | (periods == 0 ? .max : periods)
      }
    }
    let spans = periodsOfSpans.count
    namesByWord.divide(spans: spans, bits: NameTally.spanBits, least: NameTally.longMin(spans))
  }

  /// The entries in the order of their numbers: organisations, persons without a date of birth, persons with dates of
  /// several years or about then, and behind these whatever has dates of one year, by the first of them. So a search
  /// knows of many names with neighbouring numbers at once that their dates are far from the subject's.
  /// - Returns: of each its place among all, its list, and its place there.
  private static func byYears(_ lists: [WatchList]) -> [(order: Int, list: Int, place: Int)] {
    var all: [(key: Int32, order: Int, list: Int, place: Int)] = []
    for (number, list) in lists.enumerated() {
      for (place, entry) in list.entries.enumerated() {
        let dates = entry.datesOfBirth
        let key = dates.first.map { PackedBirthDate.key($0.first.year, $0.first.month, $0.first.day) }
        let isOneYear = BirthYear.code(of: dates) != BirthYear.unknown
        // Dates of several years come before all others.
        let base: Int32 = isOneYear ? 0 : entry.kind.readings.contains(true) ? -(1 << 29) : -(1 << 30)
        all.append((base + (key ?? -(1 << 28)), all.count, number, place))
      }
    }
    all.sort { ($0.key, $0.order) < ($1.key, $1.order) }
    return all.map { ($0.order, $0.list, $0.place) }
  }

  /// Numbers the words anew, so that those that sound alike stand side by side: a search asks for the variants of a
  /// word together, and each far from the others would be waited for. Whatever holds the number of a word by then and
  /// is kept has to be changed here. Words that begin with the same consonants and letters stay in their order.
  private mutating func sortWords(_ draft: inout Draft) {
    let keys = words.map { word in
      (Self.key(ConsonantSkeleton.of(word.letters)), Self.key(word.letters))
    }
    let order = words.indices.sorted { (keys[$0].0, keys[$0].1, $0) < (keys[$1].0, keys[$1].1, $1) }
    var numbers = [Int32](repeating: 0, count: words.count)
    for (number, former) in order.enumerated() { numbers[former] = Int32(number) }
    words = order.map { words[$0] }
    isWordOfPerson = order.map { isWordOfPerson[$0] }
    for place in wordsOfNames.indices { wordsOfNames[place] = numbers[Int(wordsOfNames[place])] }
    draft.wordKeys.renumber(numbers)
    draft.pieceKeys.renumber(numbers)
  }

  private mutating func addFacts() {
    facts = words.indices.map { WordPairs.Facts(words[$0], number: Int32($0)) }
    for word in facts where isWordOfPerson[Int(word.number)] {
      for group in [word.given.first, word.given.second] where group != 0 {
        wordsByGivenName[group, default: []].append(word.number)
      }
    }
  }

  /// The first eight letters, as a number that orders words as these do.
  private static func key(_ letters: [UInt8]) -> UInt64 {
    var key: UInt64 = 0
    for place in 0..<8 { key = key << 8 | (place < letters.count ? UInt64(letters[place]) : 0) }
    return key
  }

  private mutating func listNames() {
    let (names, wordsOfNames, entries, firstNames) = (names, wordsOfNames, entries, firstNames)
    let firstYear = NameGroup.firstListOfYears(words: words.count)
    namesByWord = NumberLists(count: Int(firstYear) + BirthTable.years.count) { add in
      for (number, name) in names.enumerated() {
        let group = NameGroup.of(name)
        // A name that has a word twice is listed twice.
        for place in ScreeningIndex.places(of: name) { add(group.list(of: wordsOfNames[place]), Int32(number)) }
      }
      var years: [Int] = []
      for entry in 0..<entries.count {
        // Each year once: otherwise the names of an entry with two days of a year were out of order.
        years.removeAll(keepingCapacity: true)
        for date in entries.births(of: entry) where date.day != nil {
          let year = BirthTable.place(ofYear: date.firstYear)
          if !years.contains(year) { years.append(year) }
        }
        for year in years {
          for name in firstNames[entry]..<firstNames[entry + 1] { add(firstYear + Int32(year), name) }
        }
      }
    }
  }

  private mutating func add(_ entry: WatchList.Entry, _ number: Int32, _ draft: inout Draft) {
    let dates = KnownDates(entry.datesOfBirth)
    let (year, periods) = (BirthYear.code(of: entry.datesOfBirth), BirthYear.periods(of: entry.datesOfBirth))
    let spelled = entry.names.map { ($0, false) } + entry.weakNames.map { ($0, true) }
    for isPerson in entry.kind.readings {
      var seen: Set<ListedName> = []
      for (place, (text, isWeak)) in spelled.enumerated() {
        let read = ListedName.alternatives(text, isPerson: isPerson) { letters, isConsonantal in
          draft.numbers.number(of: letters, isConsonantal, isPerson).map { words[Int($0)] }
        }
        for name in read
        where !name.words.isEmpty && (spelled.count == 1 && seen.isEmpty || seen.insert(name).inserted) {
          add(name, of: number, isWeak: isWeak, place: Int32(place), &draft)
          let hasInitials = names[names.count - 1].hasInitials
          profiles.append(NameProfile(dates, year: year, periods: periods, hasInitials: hasInitials).rawValue)
        }
      }
    }
  }

  private mutating func add(
    _ name: ListedName, of entry: Int32, isWeak: Bool, place: Int32, _ draft: inout Draft
  ) {
    let id = Int32(names.count)
    let start = UInt32(wordsOfNames.count)
    for word in name.words {
      if let number = draft.numbers.number(of: word, name.isPerson, in: words) {
        wordsOfNames.append(number)
        continue
      }
      let number = Int32(words.count)
      draft.numbers.add(number, of: word, name.isPerson)
      words.append(word)
      isWordOfPerson.append(name.isPerson)
      WordKeys.forEach(of: word.letters, sounds: word.spelling.sounds, withCoarse: true) {
        draft.wordKeys.add(number, under: $0)
      }
      WordKeys.forEachPiece(of: word.letters) { draft.pieceKeys.add(number, under: $0) }
      wordsOfNames.append(number)
    }
    let joined = name.joined
    let sounds = SpellingCost.sound(joined)
    JoinedKeys.forEach(of: WordKeys.heard(ofSounds: sounds)) { draft.joinedKeys.add(id, under: $0) }
    names.append(
      ScreeningIndex.Name(
        entry: entry, firstWord: start, place: place,
        joinedSounds: SpellingCost.LetterSet(sounds), wordCount: UInt8(name.words.count),
        isWeak: isWeak, isPerson: name.isPerson,
        hasInitials: name.isConsonantal || name.words.contains(where: \.mayBeInitials)))
  }

  /// Inverse document frequency over entries, not names: a person with ten aliases does not make a word common.
  private mutating func weigh() {
    let all = log(Double(max(entries.count, 100)))
    // Names are numbered in the order of their entries.
    var last = [Int32](repeating: -1, count: words.count)
    var sharers = [Int32](repeating: 0, count: words.count)
    for name in names {
      for word in wordsOfNames[ScreeningIndex.places(of: name)].lazy.map(Int.init) where last[word] != name.entry {
        last[word] = name.entry
        sharers[word] += 1
      }
    }
    rarities = words.indices.map { number in
      if words[number].wordClass == .particle { return WordClass.particleRarity }
      return min(1, max(0.35, 1.15 - log(Double(max(1, sharers[number]))) / all))
    }
    for number in names.indices {
      var rarity = 0.0
      for word in wordsOfNames[ScreeningIndex.places(of: names[number])] { rarity += rarities[Int(word)] }
      names[number].rarity = rarity
      profiles[number] = NameProfile(rawValue: profiles[number]).telling(rarity).rawValue
    }
  }
}
