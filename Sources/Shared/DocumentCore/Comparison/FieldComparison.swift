// SPDX-License-Identifier: Apache-2.0

/// The comparisons of single fields (identity-documents §8.3). Pure: today comes in, in the institution's time zone.
public enum FieldComparison {
  /// Days before its end from which an expiry is for review.
  public static let expiryReviewDays = 30

  /// Pass: equal, or equal as far as both are known. Review: day and month swapped. Fail: else.
  ///
  /// A date of which nothing is known would agree with every other: it proves nothing, so that is for review too.
  public static func birthDate(_ a: PartialDate, _ b: PartialDate) -> Verdict {
    if a == b { return .pass }
    guard let yearA = a.year, let yearB = b.year else { return .review }
    guard yearA == yearB else { return .fail }
    if agree(a.month, b.month), agree(a.day, b.day) { return .pass }
    let isSwapped = a.day != nil && b.day != nil && a.month == b.day && a.day == b.month
    return isSwapped ? .review : .fail
  }

  private static func agree(_ a: Int?, _ b: Int?) -> Bool {
    a == nil || b == nil || a == b
  }

  /// Pass: equal letters and digits. Review: where no check digit covers it, a difference in look-alikes only, however
  /// many (`Confusables`). Fail: else.
  public static func documentNumber(_ a: String, _ b: String, isCoveredByCheckDigit: Bool) -> Verdict {
    let (x, y) = (lettersAndDigits(a), lettersAndDigits(b))
    guard !x.isEmpty, !y.isEmpty else { return .fail }
    if x == y { return .pass }
    return !isCoveredByCheckDigit && Confusables.explain(x, y) ? .review : .fail
  }

  /// Equal where both carry one: a missing number says nothing.
  public static func personalNumber(_ a: String?, _ b: String?) -> Verdict {
    guard let x = a.map(lettersAndDigits), let y = b.map(lettersAndDigits), !x.isEmpty, !y.isEmpty else { return .pass }
    return x == y ? .pass : .fail
  }

  /// Pass: equal on both sides and not over; no expiry is never over. Review: over within 30 days.
  /// Fail: over, or unequal.
  public static func expiry(_ a: CalendarDate?, _ b: CalendarDate?, today: CalendarDate) -> Verdict {
    a == b ? expiry(a, today: today) : .fail
  }

  /// The same for a date that stands on one side only.
  public static func expiry(_ date: CalendarDate?, today: CalendarDate) -> Verdict {
    guard let date else { return .pass }
    let days = today.days(until: date)
    return days < 0 ? .fail : days <= expiryReviewDays ? .review : .pass
  }

  /// Equal, or either unspecified or unknown.
  public static func sex(_ a: MRZ.Sex?, _ b: MRZ.Sex?) -> Verdict {
    guard let a, let b, a != .unspecified, b != .unspecified else { return .pass }
    return a == b ? .pass : .fail
  }

  /// Equal codes, aliases included: `D` is `DEU`, `XKX` is `RKS`.
  public static func state(_ a: String, _ b: String) -> Verdict {
    StateCode.canonical(a) == StateCode.canonical(b) ? .pass : .fail
  }

  /// Old enough on the day: an unknown day counts as the last one of the known period. Nothing known is for review.
  public static func age(_ birthDate: PartialDate, atLeast years: Int, on today: CalendarDate) -> Verdict {
    guard let latest = birthDate.latest else { return .review }
    return latest.age(on: today) >= years ? .pass : .fail
  }

  /// Pass: the same letters and digits in the same order. Review: else — people move (barcode against visual zone).
  public static func address(_ a: String, _ b: String) -> Verdict {
    addressWords(a) == addressWords(b) ? .pass : .review
  }

  /// A printed line against a barcode's address: cards print it in one line or in several, of which the first is read.
  ///
  /// Pass: the line's letters and digits are a part of the address's, or begin with its street (DAG, at most 35
  /// characters) and hold its city; or the barcode has no street. Review: else.
  public static func addressLine(_ line: String, of address: AAMVA.Address) -> Verdict {
    let seen = addressWords(line), street = addressWords(address.street ?? "")
    guard !street.isEmpty, !seen.isEmpty else { return .pass }
    let whole = [address.street, address.street2, address.city, address.state, address.postalCode]
      .compactMap(\.self).flatMap(addressWords)
    if holds(whole, seen) { return .pass }
    return seen.starts(with: street) && holds(seen, addressWords(address.city ?? "")) ? .pass : .review
  }

  private static func holds(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    part.isEmpty || text.indices.contains { text[$0...].starts(with: part) }
  }

  private static func addressWords(_ text: String) -> [UInt8] {
    lettersAndDigits(String(text.prefix(512)))
  }

  /// Upper-case letters and digits; punctuation and blanks of a printed number do not count (§3.4).
  private static func lettersAndDigits(_ text: String) -> [UInt8] {
    text.uppercased().utf8.filter { $0.isLetter || $0.isDigit }
  }
}
