// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

@testable import Screening

/// Of an entry with several names the one counts that resembles the subject most. Which names a search left out before
/// must not matter.
@Suite("Screening: which name of an entry counts", .storeless)
struct CountedNameTests {
  private static let given = [
    "Mohamed", "Mohammad", "Mahmud", "Ali", "Hassan", "Hasan", "Khan", "Omar", "Umar", "Yusuf",
  ]
  private static let family = ["Ashgrove", "Ashgrov", "Okavello", "Vanterpool", "Quindaro", "Tamsin", "Van Der Velde"]

  private static func name(_ generator: inout SeededGenerator) -> String {
    let count = Int.random(in: 1...3, using: &generator)
    var words = (0..<count).map { _ in given[Int.random(in: 0..<10, using: &generator)] }
    if Bool.random(using: &generator) { words.append(family[Int.random(in: 0..<7, using: &generator)]) }
    return words.joined(separator: " ")
  }

  private static func date(_ generator: inout SeededGenerator) -> BirthDate? {
    let year = 1960 + Int.random(in: 0..<4, using: &generator)
    let texts = ["\(year)", "\(year)-03-11", "circa \(year)", "\(year)-11-03", ""]
    return BirthDate(texts[Int.random(in: 0..<5, using: &generator)])
  }

  private static func index(_ generator: inout SeededGenerator) -> ScreeningIndex {
    let entries = (0..<500).map { number in
      let names = (0..<Int.random(in: 1...4, using: &generator)).map { _ in name(&generator) }
      let weak = (0..<Int.random(in: 0...1, using: &generator)).map { _ in name(&generator) }
      return WatchList.Entry(
        reference: "C.\(number)", names: names, weakNames: weak, datesOfBirth: date(&generator).map { [$0] } ?? [])
    }
    let list = WatchList(version: .init(code: "C", version: "1"), entries: entries)
    return ScreeningIndex([list], countries: InventedList.countries)
  }

  @Test(
    "an answer has the score of its entry's name that resembles the subject most, however many answers are wanted",
    arguments: 1...3 as ClosedRange<UInt64>)
  func scores(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed &+ 41)
    let index = Self.index(&generator)
    let policy = MatchingPolicy.standard
    var compared = 0
    for round in 0..<60 {
      let names = round % 3 == 0 ? [Self.name(&generator), Self.name(&generator)] : [Self.name(&generator)]
      let subject = Screening.Subject(
        names: names, dateOfBirth: Self.date(&generator), nationalities: [], documentNumbers: [], kind: .person)
      let all = index.everyMatch(of: subject, SubjectFacts(subject, in: index), policy)
      for limit in [1, 3, 10] {
        let found = try #require(index.matches(of: subject, policy: policy, limit: limit, least: policy.nameMin))
        for match in found where match.score >= policy.nameMin {
          let expected = try #require(all[Int32(match.entry)])
          #expect(match.score == expected.score, "\(names) and entry \(match.entry), \(limit) answers")
          #expect(match.found?.name == expected.found?.name, "\(names) and entry \(match.entry), \(limit) answers")
          compared += 1
        }
      }
    }
    #expect(compared > 100, "\(compared)")
  }
}
