// SPDX-License-Identifier: Apache-2.0

import CrashTrials
import DocumentCore
import Screening

/// More entries in the shape of listed ones: as many names, aliases and parts, each part taken from another entry's
/// name in the same place, so that common parts stay as common as they are. A few parts are altered, so that the number
/// of different words grows as in real lists: about with the 0.7th power of the entries.
struct ScreeningGrowth {
  private static let alteredPercent = 6
  private static let letters = Array("aeiourlnmst".utf8)

  private var generator: SeededGenerator
  private let entries: [WatchList.Entry]
  private let parts: [[Substring]]
  private let persons: [Int]
  private let others: [Int]

  init(_ lists: [WatchList], seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    let entries = lists.flatMap(\.entries)
    self.entries = entries
    parts = entries.map { Self.parts(of: $0.names[0]) }
    persons = entries.indices.filter { entries[$0].kind == .person }
    others = entries.indices.filter { entries[$0].kind != .person }
  }

  private static func parts(of name: String) -> [Substring] { name.split { $0 == " " || $0 == "," } }

  mutating func list(of count: Int, code: String, version: String = "1") -> WatchList {
    var grown: [WatchList.Entry] = []
    grown.reserveCapacity(count)
    for number in 0..<count {
      let model = entries[number % entries.count]
      let pool = model.kind == .person ? persons : others
      grown.append(
        WatchList.Entry(
          reference: "\(code)-\(number)", kind: model.kind, names: model.names.map { name(like: $0, pool) },
          weakNames: model.weakNames.map { name(like: $0, pool) }, sex: model.sex,
          datesOfBirth: model.datesOfBirth.compactMap { _ in date() }, placesOfBirth: model.placesOfBirth,
          nationalities: model.nationalities, programmes: model.programmes))
    }
    return WatchList(version: .init(code: code, version: version), entries: grown)
  }

  private mutating func name(like model: String, _ pool: [Int]) -> String {
    var words: [String] = []
    for place in 0..<max(1, Self.parts(of: model).count) {
      let other = parts[pool[Int.random(in: 0..<pool.count, using: &generator)]]
      guard !other.isEmpty else { continue }
      words.append(altered(other[min(place, other.count - 1)]))
    }
    return words.isEmpty ? model : words.joined(separator: " ")
  }

  private mutating func altered(_ word: Substring) -> String {
    var bytes = Array(word.utf8)
    let isASCII = bytes.allSatisfy { $0 < 0x80 }
    guard isASCII, bytes.count > 3, Int.random(in: 0..<100, using: &generator) < Self.alteredPercent else {
      return String(word)
    }
    let place = Int.random(in: 1..<bytes.count, using: &generator)
    let letter = Self.letters[Int.random(in: 0..<Self.letters.count, using: &generator)]
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: bytes[place] = letter
    case 1: bytes.insert(letter, at: place)
    default: bytes.remove(at: place)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func date() -> BirthDate? {
    let (year, month, day) = (
      Int.random(in: 1930...2004, using: &generator), Int.random(in: 1...12, using: &generator),
      Int.random(in: 1...28, using: &generator)
    )
    return CalendarDate(year: year, month: month, day: day).map { BirthDate($0) }
  }
}
