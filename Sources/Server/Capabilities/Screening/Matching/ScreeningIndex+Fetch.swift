// SPDX-License-Identifier: Apache-2.0

/// Names and what belongs to them are scattered over the memory. What is read of many is asked for at once here, so that
/// the memory sends it side by side: read one after the other, each would be waited for.
///
/// What is returned is of no interest; it is there so that the reading is not left out.
extension ScreeningIndex {
  /// Names that are fetched at a time: what is fetched of them stays in the processor's own memory until it is read.
  static let fetchedMax = 128

  /// What every search asks of names before it reads them.
  func profiles(of some: ArraySlice<NameTally.Told>) -> [NameProfile] {
    profiles.withUnsafeBufferPointer { profiles in
      some.map { NameProfile(rawValue: profiles[Int($0.name)]) }
    }
  }

  /// Names with the numbers of their words.
  func fetch(_ some: ArraySlice<Int32>) -> Int {
    var sum = 0
    profiles.withUnsafeBufferPointer { profiles in
      for number in some { sum &+= Int(profiles[Int(number)]) }
    }
    names.withUnsafeBufferPointer { names in
      for number in some { sum &+= Int(names[Int(number)].firstWord) }
      wordsOfNames.withUnsafeBufferPointer { words in
        for number in some {
          let name = names[Int(number)]
          if name.wordCount > 0 { sum &+= Int(words[Int(name.firstWord)]) }
        }
      }
    }
    return sum
  }

  /// The most important of what is known of words.
  func fetchGists(of some: [Int32]) -> Int {
    gists.withUnsafeBufferPointer { gists in
      var sum = 0
      for word in some { sum &+= Int(gists[Int(word)].rarity) }
      return sum
    }
  }

  /// What is written of words: it takes two lines of the memory, and of some words three.
  func fetchLetters(of some: [Int32]) -> Int {
    words.withUnsafeBufferPointer { words in
      var sum = 0
      for number in some { sum &+= words[Int(number)].spelling.touched }
      return sum
    }
  }

  /// The same of the words of names, with the names.
  func fetchLetters(ofNames some: some Sequence<Int32>) -> Int {
    var numbers: [Int32] = []
    names.withUnsafeBufferPointer { names in
      for number in some { numbers += wordsOfNames[Self.places(of: names[Int(number)])] }
    }
    return fetchLetters(of: numbers)
  }

  /// What is known of the words of names, and of their entries.
  func fetchFacts(of some: [NameSearch.Candidate]) -> Int {
    var sum = 0
    for candidate in some { sum &+= entries.fetchFacts(Int(names[Int(candidate.name)].entry)) }
    for candidate in some { sum &+= entries.fetchBirths(Int(names[Int(candidate.name)].entry)) }
    facts.withUnsafeBufferPointer { facts in
      for candidate in some {
        let name = names[Int(candidate.name)]
        for place in Int(name.firstWord)..<Int(name.firstWord) + Int(name.wordCount) {
          sum &+= Int(facts[Int(wordsOfNames[place])].count)
        }
      }
    }
    return sum
  }
}
