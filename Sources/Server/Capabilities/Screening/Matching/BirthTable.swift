import DocumentCore

/// Entries by their dates of birth, so that those whose date agrees with a subject's are at hand without a look at all
/// who bear a common name.
struct BirthTable: Sendable {
  private static let years = 1800...2100

  /// Days in order, as `key` writes them, and beside each its entry.
  private let days: [Int32]
  private let entriesOfDays: [Int32]
  /// Entries whose dates are not known to the day, under each year that they may be of.
  private let entriesByYear: NumberLists

  /// - Parameter ranges: where the dates of each entry stand.
  init(_ dates: [BirthDate], of ranges: [Range<Int>]) {
    var known: [UInt64] = []
    for (entry, range) in ranges.enumerated() {
      for date in dates[range] where date.first == date.last {
        known.append(UInt64(Self.key(date.first)) << 32 | UInt64(entry))
      }
    }
    known.sort()
    days = known.map { Int32($0 >> 32) }
    entriesOfDays = known.map { Int32(truncatingIfNeeded: $0) }
    entriesByYear = NumberLists(count: Self.years.count) { add in
      for (entry, range) in ranges.enumerated() {
        for date in dates[range] where date.isApproximate || date.first != date.last {
          for year in Self.years(of: date) { add(Int32(year - Self.years.lowerBound), Int32(entry)) }
        }
      }
    }
  }

  /// Entries that have a date which agrees better than `BirthDate.Agreement.close`, and some others. Some repeat.
  func forEachAgreeing(with date: BirthDate, _ body: (Int32) -> Void) {
    for year in Self.years(of: date) {
      for entry in entriesByYear[Int32(year - Self.years.lowerBound)] { body(entry) }
    }
    if date.isApproximate, let first = Self.years(of: date).first, let last = Self.years(of: date).last {
      forEach(from: Self.key(first, 1, 1), to: Self.key(last, 12, 31), body)
    } else if date.first != date.last {
      forEach(from: Self.key(date.first), to: Self.key(date.last), body)
    }
    guard date.first == date.last else { return }
    forEachSlip(of: date.first) { from, to in forEach(from: from, to: to, body) }
  }

  /// Entries that were born on the day, when it is one.
  func forEach(bornOn date: BirthDate, _ body: (Int32) -> Void) {
    guard date.first == date.last, !date.isApproximate else { return }
    forEach(from: Self.key(date.first), to: Self.key(date.first), body)
  }

  /// Spans of days of which a slip of the pen may make this one: the month with the days beside it, the same day of the
  /// other months, and of years that a digit tells apart.
  private func forEachSlip(of date: CalendarDate, _ body: (_ from: Int32, _ to: Int32) -> Void) {
    let (year, month, day) = (date.year, date.month, date.day)
    let before = month == 1 ? Self.key(year - 1, 12, 28) : Self.key(year, month - 1, 28)
    let after = month == 12 ? Self.key(year + 1, 1, 1) : Self.key(year, month + 1, 1)
    body(day == 1 ? before : Self.key(year, month, 1), day >= 28 ? after : Self.key(year, month, 31))
    for other in 1...12 where other != month { body(Self.key(year, other, day), Self.key(year, other, day)) }
    if day <= 12, day != month { body(Self.key(year, day, month), Self.key(year, day, month)) }
    for other in Self.slips(of: year) { body(Self.key(other, month, day), Self.key(other, month, day)) }
  }

  private static func slips(of year: Int) -> [Int] {
    var others: Set<Int> = [year - 1, year + 1]
    for place in [1, 10, 100, 1000] {
      let digit = year / place % 10
      for other in 0...9 { others.insert(year + (other - digit) * place) }
      guard place < 1000 else { continue }
      let next = year / (place * 10) % 10
      others.insert(year + (next - digit) * place + (digit - next) * place * 10)
    }
    return others.filter { $0 != year && years.contains($0) }
  }

  private func forEach(from: Int32, to: Int32, _ body: (Int32) -> Void) {
    var (low, high) = (0, days.count)
    while low < high {
      let middle = (low + high) / 2
      if days[middle] < from { low = middle + 1 } else { high = middle }
    }
    while low < days.count, days[low] <= to {
      body(entriesOfDays[low])
      low += 1
    }
  }

  /// Years that a date may be of, `circa` with two more on both sides.
  private static func years(of date: BirthDate) -> Range<Int> {
    let slack = date.isApproximate ? BirthDate.approximateYears : 0
    let first = max(years.lowerBound, date.first.year - slack)
    return first..<max(first, min(years.upperBound, date.last.year + slack) + 1)
  }

  private static func key(_ date: CalendarDate) -> Int32 { key(date.year, date.month, date.day) }

  private static func key(_ year: Int, _ month: Int, _ day: Int) -> Int32 { Int32(year << 9 | month << 5 | day) }
}
