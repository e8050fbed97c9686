// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation

/// What people and offices do to names and dates: how an entry of a list is disguised to see whether it is still found.
package enum NamePerturbation: String, Sendable, CaseIterable, Codable {
  /// As the list has it.
  case none
  /// One letter is another one.
  case typo
  /// Two neighbouring letters are swapped.
  case swappedLetters = "swapped-letters"
  /// One letter is left out.
  case leftOutLetter = "left-out-letter"
  /// The last word comes first.
  case order
  /// In Cyrillic letters, as Russian writes foreign names.
  case transliteration
  /// The year of birth is one off.
  case year
  /// Day and month of birth are swapped.
  case dayAndMonth = "day-and-month"
  /// Born a day earlier or later.
  case day
  /// The month of birth is one off, within the year.
  case month

  /// Words of a name that are long enough for a slip.
  static let wordMin = 4

  /// Disguises an entry.
  /// - Returns: nil for an entry that this cannot happen to.
  func subject(of entry: WatchList.Entry, _ random: inout SelfTestRandomness) -> Screening.Subject? {
    guard let listed = entry.names.first else { return nil }
    let name = Self.spoken(listed, of: entry.kind)
    let words = name.split(separator: " ")
    guard words.count >= 2, name.unicodeScalars.allSatisfy({ $0.isASCII }) else { return nil }
    let born = entry.datesOfBirth.first { $0.precision == .day && !$0.isApproximate }
    func subject(_ name: String, _ date: BirthDate?) -> Screening.Subject {
      Screening.Subject(
        names: [name], dateOfBirth: date, nationalities: [], documentNumbers: [], kind: entry.kind)
    }
    switch self {
    case .none: return subject(name, born)
    case .typo, .swappedLetters, .leftOutLetter:
      return slipped(words, &random).map { subject($0, born) }
    case .order:
      guard entry.kind == .person else { return nil }
      return subject((words.suffix(1) + words.dropLast()).joined(separator: " "), born)
    case .transliteration:
      let other = CyrillicSpelling.spelling(of: name)
      guard entry.kind == .person, other != name.uppercased() else { return nil }
      return subject(other, born)
    case .year, .dayAndMonth, .day, .month:
      guard let date = born?.first, let other = slipped(date, &random) else { return nil }
      return subject(name, BirthDate(other))
    }
  }

  /// `FAMILY, Given` of a person as it is typed into a form.
  private static func spoken(_ listed: String, of kind: WatchList.Kind) -> String {
    let parts = listed.split(separator: ",", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    let name = kind == .person && parts.count == 2 ? "\(parts[1]) \(parts[0])" : listed
    return name.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// One word with a slip, behind its first letter.
  private func slipped(_ words: [Substring], _ random: inout SelfTestRandomness) -> String? {
    let long = words.indices.filter { index in
      words[index].count >= Self.wordMin && words[index].allSatisfy { $0.isASCII && $0.isLetter }
    }
    guard let index = random.pick(long) else { return nil }
    var letters = Array(words[index])
    let place = 1 + random.below(letters.count - 2)
    switch self {
    case .typo:
      let others = Array("abcdefghijklmnopqrstuvwxyz").filter { String($0) != letters[place].lowercased() }
      letters[place] = others[random.below(others.count)]
    case .swappedLetters:
      guard letters[place].lowercased() != letters[place + 1].lowercased() else { return nil }
      letters.swapAt(place, place + 1)
    case .leftOutLetter:
      guard letters[place].lowercased() != letters[place + 1].lowercased() else { return nil }
      letters.remove(at: place)
    case .none, .order, .transliteration, .year, .dayAndMonth, .day, .month: return nil
    }
    var changed = words.map(String.init)
    changed[index] = String(letters)
    return changed.joined(separator: " ")
  }

  private func slipped(_ date: CalendarDate, _ random: inout SelfTestRandomness) -> CalendarDate? {
    let step = random.below(2) == 0 ? -1 : 1
    return switch self {
    case .year: date.adding(years: step)
    case .day: date.adding(days: step)
    case .month: CalendarDate(year: date.year, month: date.month + step, day: date.day)
    case .dayAndMonth:
      date.day == date.month ? nil : CalendarDate(year: date.year, month: date.day, day: date.month)
    default: nil
    }
  }
}

/// Repeatable randomness (SplitMix64): the same seed disguises the same entries in the same way.
package struct SelfTestRandomness: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  private mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// - Parameter bound: above 0.
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(1, bound))) }

  mutating func pick<Value>(_ values: [Value]) -> Value? { values.isEmpty ? nil : values[below(values.count)] }
}
