// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// What a name can reach by its letters is known before it is aligned; a bound that is too low would lose hits.
@Suite("Screening: what letters allow", .storeless)
struct LetterBoundTests {
  private static let words = """
    Mohamed Mohammad Mahmud Hassan Hussein Hasan Khan Kahn Ali Aliya Iman Amin William Bill Vander Velde Van Der Al Jan \
    Jean Yusuf Josef Ivanovich Ivan Quindaro Ashgrove Ashgrov Okavello Okavelloe Tamsin Tamsyn Petrovna Petrov Abdel Rahman
    """.split(separator: " ").map(String.init)

  private static func name(_ generator: inout SeededGenerator) -> String {
    (0..<Int.random(in: 1...4, using: &generator)).map { _ in
      var letters = Array(words[Int.random(in: 0..<words.count, using: &generator)])
      let place = Int.random(in: 0..<letters.count, using: &generator)
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: letters[place] = "e"
      case 1: letters.insert(letters[place], at: place)
      default: break
      }
      return String(letters)
    }.joined(separator: " ")
  }

  @Test("no name scores more than its letters allow", arguments: 1...3 as ClosedRange<UInt64>)
  func bound(seed: UInt64) {
    var generator = SeededGenerator(seed: seed)
    let entries = (0..<400).map { WatchList.Entry(reference: "L.\($0)", names: [Self.name(&generator)]) }
    let list = WatchList(version: .init(code: "L", version: "1"), entries: entries)
    let index = ScreeningIndex([list], countries: InventedList.countries)
    let policy = MatchingPolicy.standard
    let alone = Circumstances(
      date: nil, isSameNationality: false, isOtherNationality: false, isOtherSex: false, isSameDocument: false)
    var bounded = 0
    for _ in 0..<60 {
      let text = Self.name(&generator)
      let search = NameSearch(ListedName(text), in: index, policy: policy)
      for number in index.names.indices {
        let found = search.measure(Int32(number))
        guard found.score >= policy.nameMin else { continue }
        let most = search.mostByLetters(Int32(number), doubt: 1, weight: 0)
        if most < 1 { bounded += 1 }
        let score = index.score(of: found, search.name, alone, policy)
        #expect(score <= max(0, most) + 1e-9, "\(text) and \(entries[Int(index.names[number].entry)].names[0])")
      }
    }
    #expect(bounded > 50)
  }
}
