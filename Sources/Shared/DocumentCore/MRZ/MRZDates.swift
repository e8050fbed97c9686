// SPDX-License-Identifier: Apache-2.0

/// The two-digit years of the zone, resolved (identity-documents §3.2).
enum MRZDates {
  /// Years after the reference year beyond which an expiry belongs to the last century.
  private static let expiryYearsAheadMax = 50

  /// A birth date, in the latest century that does not lie in the future; unknown parts are fillers from the right.
  ///
  /// - Returns: nil for a gap in the middle, a half-known part, or a day that the calendar does not have.
  static func birthDate(_ field: ArraySlice<UInt8>, referenceDate: CalendarDate) -> PartialDate? {
    let known = field.prefix { !$0.isFiller }
    guard field[known.endIndex...].allSatisfy(\.isFiller) else { return nil }
    switch known.count {
    case 0: return .unknown
    case 2, 4, 6: break
    default: return nil
    }
    let parts = stride(from: known.startIndex, to: known.endIndex, by: 2).map { decimal(known[$0..<$0 + 2]) }
    guard !parts.contains(nil), let yearOfCentury = parts[0] else { return nil }
    for century in [referenceDate.year / 100 * 100, referenceDate.year / 100 * 100 - 100] {
      guard
        let date = PartialDate(
          year: century + yearOfCentury,
          month: parts.count > 1 ? parts[1] : nil,
          day: parts.count > 2 ? parts[2] : nil),
        let earliest = date.earliest, earliest <= referenceDate
      else { continue }
      return date
    }
    return nil
  }

  /// An expiry date: this century, or the last one when that lies too far ahead.
  static func expiryDate(_ field: ArraySlice<UInt8>, referenceDate: CalendarDate) -> CalendarDate? {
    guard let number = decimal(field) else { return nil }
    var year = 2000 + number / 10_000
    if year > referenceDate.year + expiryYearsAheadMax { year -= 100 }
    return CalendarDate(year: year, month: number / 100 % 100, day: number % 100)
  }
}
