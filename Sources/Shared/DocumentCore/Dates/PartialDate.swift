// SPDX-License-Identifier: Apache-2.0

/// A date of which the end may be unknown: whole, year and month, year only, or nothing
/// (identity-documents §3.2).
public struct PartialDate: Hashable, Sendable {
  /// nil when nothing is known.
  public let year: Int?
  /// 1–12; nil when unknown.
  public let month: Int?
  /// 1–31; nil when unknown.
  public let day: Int?

  /// Nothing known.
  public static let unknown = PartialDate(checkedYear: nil, month: nil, day: nil)

  /// A date that is known to the day.
  public init(_ date: CalendarDate) {
    self.init(checkedYear: date.year, month: date.month, day: date.day)
  }

  /// - Returns: nil when the parts name no period of the calendar, or a part is unknown before a known one.
  public init?(year: Int?, month: Int? = nil, day: Int? = nil) {
    switch (year, month, day) {
    case (nil, nil, nil): break
    case (let year?, nil, nil): guard CalendarDate(year: year, month: 1, day: 1) != nil else { return nil }
    case (let year?, let month?, let day):
      guard CalendarDate(year: year, month: month, day: day ?? 1) != nil else { return nil }
    default: return nil
    }
    self.init(checkedYear: year, month: month, day: day)
  }

  private init(checkedYear: Int?, month: Int?, day: Int?) {
    self.year = checkedYear
    self.month = month
    self.day = day
  }

  /// The whole date; nil when any part is unknown.
  public var date: CalendarDate? {
    guard let year, let month, let day else { return nil }
    return CalendarDate(year: year, month: month, day: day)
  }

  /// The first day of the known period; nil when nothing is known.
  public var earliest: CalendarDate? {
    guard let year else { return nil }
    return CalendarDate(year: year, month: month ?? 1, day: day ?? 1)
  }

  /// The last day of the known period; nil when nothing is known.
  public var latest: CalendarDate? {
    guard let year else { return nil }
    let last = month ?? 12
    return CalendarDate(year: year, month: last, day: day ?? CalendarDate.dayCount(month: last, year: year))
  }
}
