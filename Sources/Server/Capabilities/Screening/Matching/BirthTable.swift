// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The names of entries by the days on which people were born, so that those whose day is a subject's, even with a
/// slip, are at hand without a look at all who bear a common name. It is a class, for a search asks it for some eighty
/// days, and copies of a structure would count the references to its arrays each time.
final class BirthTable: Sendable {
  /// Those that have places of their own in `starts` and `vague`. A list may give years that no one was born in.
  static let years = 1800...2100

  /// Days in order, as `PackedBirthDate.key` numbers them, and beside each the numbers of names of entries that were
  /// born on it. Entries are numbered by their days, so that one range has the names of most entries of a day.
  private let days: [Int32]
  private let namesOfDays: [Range<Int32>]
  /// Where in `days` each day of some years begins, days before these at the first and days after them at the last: a
  /// search asks for some eighty, and looking for each by halves would wait for the memory twenty times.
  private let starts: [Int32]
  private let firstKey: Int32
  /// Names of entries with a date that is no day, by the years that it may be of, and those of very many years.
  private let vague: NumberLists
  private let endless: [Range<Int32>]
  private static let yearsOfVagueMax = 12

  /// - Parameters:
  ///   - ranges: where the dates of each entry stand.
  ///   - names: for each entry its first name, and behind the last entry how many names there are.
  init(_ dates: [PackedBirthDate], of ranges: [Range<Int>], names: [Int32]) {
    var known: [UInt64] = []
    for (entry, range) in ranges.enumerated() {
      for day in dates[range].lazy.compactMap(\.day) { known.append(UInt64(day) << 32 | UInt64(entry)) }
    }
    known.sort()
    var (some, endless): ([(year: Int, entry: Int)], [Range<Int32>]) = ([], [])
    for (entry, range) in ranges.enumerated() {
      for date in dates[range] where date.isVague {
        if date.years.count > Self.yearsOfVagueMax {
          endless.append(names[entry]..<names[entry + 1])
        } else {
          some += date.years.map { (Self.place(ofYear: $0), entry) }
        }
      }
    }
    self.endless = endless
    vague = NumberLists(count: Self.years.count) { add in
      for (year, entry) in some {
        for name in names[entry]..<names[entry + 1] { add(Int32(year), name) }
      }
    }
    var (days, namesOfDays): ([Int32], [Range<Int32>]) = ([], [])
    for one in known {
      let (day, entry) = (Int32(one >> 32), Int(UInt32(truncatingIfNeeded: one)))
      if let last = namesOfDays.last, days.last == day, last.upperBound == names[entry] {
        namesOfDays[namesOfDays.count - 1] = last.lowerBound..<names[entry + 1]
      } else {
        days.append(day)
        namesOfDays.append(names[entry]..<names[entry + 1])
      }
    }
    (self.days, self.namesOfDays) = (days, namesOfDays)
    let last = PackedBirthDate.key(Self.years.upperBound, 12, 31)
    firstKey = min(last, max(PackedBirthDate.key(Self.years.lowerBound, 1, 1), days.first ?? 0))
    var starts = [Int32](repeating: 0, count: Int(max(firstKey, min(last, days.last ?? 0)) - firstKey) + 2)
    for day in days { starts[Int(min(max(day, firstKey) - firstKey, Int32(starts.count - 2))) + 1] += 1 }
    for place in 1..<starts.count { starts[place] += starts[place - 1] }
    self.starts = starts
  }

  /// Names of entries born on a day that agrees better with another than `BirthDate.Agreement.partial`, and some
  /// others, those of many entries at a time. Some repeat. None when the date is not known to the day.
  func forEachAgreeing(with date: BirthDate, _ body: (Range<Int32>) -> Void) {
    guard date.first == date.last else { return }
    var spans: [Range<Int>] = []
    spans.reserveCapacity(Self.slipsMax)
    // Where all of them stand is asked for first: the memory sends it side by side.
    forEachSlip(of: date.first) { from, to in spans.append(places(from: from, to: to)) }
    for place in spans.joined() { body(namesOfDays[place]) }
  }

  /// Names of entries with a date that is no day and agrees with another as far as both are known, and some others.
  /// Some may repeat.
  func forEachVague(with date: BirthDate, _ body: (Range<Int32>) -> Void) {
    for year in Self.places(of: date.years) { for name in vague[Int32(year)] { body(name..<name + 1) } }
    endless.forEach(body)
  }

  /// How many names or entries these are.
  func vagueCount(with date: BirthDate) -> Int {
    Self.places(of: date.years).reduce(endless.count) { $0 + vague.range(Int32($1)).count }
  }

  /// The numbers of the years of which every day may agree with a date that is no day.
  static func yearsOfDays(with date: BirthDate) -> ClosedRange<Int>? {
    date.first != date.last || date.isApproximate ? places(of: date.years) : nil
  }

  private static func places(of years: ClosedRange<Int>) -> ClosedRange<Int> {
    place(ofYear: years.lowerBound)...place(ofYear: years.upperBound)
  }

  /// The number of a year; those before and behind `years` have the first and the last.
  static func place(ofYear year: Int) -> Int {
    min(max(year, years.lowerBound), years.upperBound) - years.lowerBound
  }

  /// Names of entries that were born on the day, when it is one.
  func forEach(bornOn date: BirthDate, _ body: (Range<Int32>) -> Void) {
    guard date.first == date.last, !date.isApproximate else { return }
    forEach(from: PackedBirthDate.key(date.first), to: PackedBirthDate.key(date.first), body)
  }

  /// Spans of days of which a slip of the pen may make this one: the month with the days beside it, the same day of the
  /// other months, and of years that a digit tells apart.
  private func forEachSlip(of date: CalendarDate, _ body: (_ from: Int32, _ to: Int32) -> Void) {
    let (year, month, day) = (date.year, date.month, date.day)
    let before = month == 1 ? PackedBirthDate.key(year - 1, 12, 28) : PackedBirthDate.key(year, month - 1, 28)
    let after = month == 12 ? PackedBirthDate.key(year + 1, 1, 1) : PackedBirthDate.key(year, month + 1, 1)
    body(
      day == 1 ? before : PackedBirthDate.key(year, month, 1), day >= 28 ? after : PackedBirthDate.key(year, month, 31))
    for other in 1...12 where other != month {
      body(PackedBirthDate.key(year, other, day), PackedBirthDate.key(year, other, day))
    }
    if day <= 12, day != month { body(PackedBirthDate.key(year, day, month), PackedBirthDate.key(year, day, month)) }
    Self.forEachSlip(ofYear: year) { other in
      if other != year { body(PackedBirthDate.key(other, month, day), PackedBirthDate.key(other, month, day)) }
    }
  }

  /// No day has more slips.
  private static let slipsMax = 64

  private static func forEachSlip(ofYear year: Int, _ body: (Int) -> Void) {
    body(year - 1)
    body(year + 1)
    var place = 1
    while place <= 1000 {
      let digit = year / place % 10
      for other in 0...9 { body(year + (other - digit) * place) }
      if place < 1000 {
        let next = year / (place * 10) % 10
        body(year + (next - digit) * place + (digit - next) * place * 10)
      }
      place *= 10
    }
  }

  private func forEach(from: Int32, to: Int32, _ body: (Range<Int32>) -> Void) {
    for place in places(from: from, to: to) { body(namesOfDays[place]) }
  }

  /// Where in `days` some stand.
  private func places(from: Int32, to: Int32) -> Range<Int> { start(of: from)..<start(of: to + 1) }

  /// Where in `days` the first one stands that is no earlier than a day.
  private func start(of key: Int32) -> Int {
    let place = min(max(0, Int(key) - Int(firstKey)), starts.count - 2)
    // At the first and the last place stand days of several years; at the others it is this day.
    guard place == 0 || place == starts.count - 2 else { return Int(starts[place]) }
    var (low, high) = (Int(starts[place]), Int(starts[place + 1]))
    while low < high, days[low] < key {
      let middle = (low + high) / 2
      if days[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
