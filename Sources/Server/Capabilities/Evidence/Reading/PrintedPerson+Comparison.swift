// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Comparisons of two sources (identity-documents §8.3). Only a difference that was read with certainty on both sides
/// is one; any other is for review.
extension PrintedPerson {
  struct Outcome {
    /// Fields that differ.
    var differing: [Field] = []
    /// Of fields that could not be read on one side, or may have been misread.
    var unclear: [Field] = []
  }

  /// Compares all fields that can be ("MRZ vs visual zone", "barcode vs visual").
  func compare(with other: PrintedPerson) -> Outcome {
    var outcome = Outcome()
    for field in Field.allCases where compares(field, with: other) {
      switch verdict(field, other) {
      case .pass: break
      case .fail: outcome.differing.append(field)
      case .review: outcome.unclear.append(field)
      }
    }
    return outcome
  }

  /// Whether a field is compared: those that not every document has, where both sides have them.
  func compares(_ field: Field, with other: PrintedPerson) -> Bool {
    switch field {
    case .name, .documentNumber, .birthDate, .expiryDate: true
    case .sex, .nationality, .personalNumber: has(field) && other.has(field)
    }
  }

  /// Whether there is something to compare in a field.
  func has(_ field: Field) -> Bool {
    switch field {
    case .name: name != nil
    case .documentNumber: number != nil
    case .birthDate: birthDate != nil
    case .expiryDate: expiryDate != nil
    case .sex: sex != nil && sex != .unspecified
    case .nationality: nationalityCode != nil
    case .personalNumber: personalNumber != nil
    }
  }

  /// Fields that were read here with certainty, that both sides have and whose difference no slip explains.
  func differences(from other: PrintedPerson) -> [Field] {
    Field.allCases.filter { isCertain($0) && plainVerdict($0, other) == .fail && !mayBeSlip($0, other) }
  }

  /// Whether another reading may be the whole of this one. A name that differs is not, be it by a slip: it would take
  /// the place of the one that was read.
  func mayBe(_ other: PrintedPerson) -> Bool {
    plainVerdict(.name, other) != .fail && differences(from: other).isEmpty
  }

  /// 1. Equal passes.  2. A field that one side does not have is for review where both should have it.  3. A difference
  /// in a field that is uncertain on either side is for review.  4. So is one in print that a slip of its reader
  /// explains: print has no check digit.  5. Any other difference fails.
  func verdict(_ field: Field, _ other: PrintedPerson) -> Verdict {
    let verdict = plainVerdict(field, other)
    guard verdict == .fail else { return verdict }
    guard isCertain(field), other.isCertain(field) else { return .review }
    return (isPrint || other.isPrint) && mayBeSlip(field, other) ? .review : .fail
  }

  private func plainVerdict(_ field: Field, _ other: PrintedPerson) -> Verdict {
    switch field {
    case .name: nameVerdict(other)
    case .documentNumber: both(number, other.number) { number($0, $1, other) }
    case .birthDate: both(birthDate, other.birthDate, FieldComparison.birthDate)
    // Whether the date is over is another check's affair.
    case .expiryDate: both(expiryDate, other.expiryDate) { $0 == $1 ? .pass : .fail }
    case .sex: FieldComparison.sex(sex, other.sex)
    case .nationality: both(nationalityCode, other.nationalityCode, FieldComparison.state)
    case .personalNumber: personalNumberVerdict(other)
    }
  }

  private func both<Value>(
    _ mine: Value?, _ theirs: Value?, _ compare: (Value, Value) -> Verdict
  ) -> Verdict {
    guard let mine, let theirs else { return .review }
    return compare(mine, theirs)
  }

  private func number(_ mine: String, _ theirs: String, _ other: PrintedPerson) -> Verdict {
    if isSameToTheEye(mine, theirs, .documentNumber, other) { return .pass }
    return FieldComparison.documentNumber(mine, theirs, isCoveredByCheckDigit: !isPrint && !other.isPrint)
  }

  /// Whether a printed number and one that was read with certainty otherwise are the same but for O and 0, I and 1.
  /// People cannot tell those apart in print either, and the zone's check digit can (O counts 24, I 18).
  private func isSameToTheEye(_ mine: String, _ theirs: String, _ field: Field, _ other: PrintedPerson) -> Bool {
    let isRead = isPrint ? !other.isPrint && other.isCertain(field) : other.isPrint && isCertain(field)
    return isRead && Self.toTheEye(mine) == Self.toTheEye(theirs)
  }

  /// A number as the eye sees it: O as 0, I as 1.
  static func toTheEye(_ number: String) -> String {
    String(
      number.uppercased().filter { $0.isLetter || $0.isNumber }.map { $0 == "O" ? "0" : $0 == "I" ? "1" : $0 })
  }

  /// Given names that were not read are not compared: what is left can differ, and cannot agree.
  private func nameVerdict(_ other: PrintedPerson) -> Verdict {
    guard let name, let theirs = other.name else { return .review }
    if isNameWhole, other.isNameWhole { return NameComparison.compare(name, theirs).verdict }
    let family = NameComparison.compare(
      PersonName(primary: name.primary), PersonName(primary: theirs.primary)
    ).verdict
    guard family == .pass else { return family }
    // The other source knows the person by one name.
    return name.secondary.isEmpty && theirs.secondary.isEmpty ? .pass : .review
  }

  /// The zone's optional data is the issuer's to fill (ICAO 9303-4 §4.2.2.2), so a difference is for a person to judge,
  /// and never a mismatch by itself; a number whose end was not read is the reader's own slip.
  private func personalNumberVerdict(_ other: PrintedPerson) -> Verdict {
    guard let personalNumber, let theirs = other.personalNumber else { return .pass }
    let (one, two) = (
      personalNumber.filter { $0.isLetter || $0.isNumber }, theirs.filter { $0.isLetter || $0.isNumber }
    )
    if isSameToTheEye(one, two, .personalNumber, other) || one == other.furtherNumber { return .pass }
    if abs(one.count - two.count) <= 1, one.hasPrefix(two) || two.hasPrefix(one) { return .pass }
    let verdict = FieldComparison.documentNumber(one, two, isCoveredByCheckDigit: false)
    return verdict == .fail ? .review : verdict
  }

  // MARK: Slips

  /// Whether a reader of print may have made one value of the other: by look-alikes, by one character more, less or
  /// other, and in names by words and by a third of the letters that are lost with their diacritics.
  private func mayBeSlip(_ field: Field, _ other: PrintedPerson) -> Bool {
    switch field {
    case .name:
      guard let name, let theirs = other.name else { return true }
      return Self.mayBeSlip(name.primary, theirs.primary)
        && (!isNameWhole || !other.isNameWhole || Self.mayBeSlip(name.secondary, theirs.secondary))
    case .documentNumber: return Self.mayBeMisread(number, other.number)
    case .birthDate: return Self.mayBeMisread(birthDate?.date?.isoText, other.birthDate?.date?.isoText)
    case .expiryDate: return Self.mayBeMisread(expiryDate?.isoText, other.expiryDate?.isoText)
    case .personalNumber: return true
    case .nationality: return Self.mayBeMisread(nationalityCode, other.nationalityCode)
    // One letter of two: it is read or it is not.
    case .sex: return false
    }
  }

  private static func mayBeMisread(_ mine: String?, _ theirs: String?) -> Bool {
    guard let mine, let theirs else { return true }
    return Confusables.mayBeMisread(mine, as: theirs)
  }

  private static func mayBeSlip(_ mine: String, _ theirs: String) -> Bool {
    let one = NormalizedName(PersonName(primary: mine)).primary
    let two = NormalizedName(PersonName(primary: theirs)).primary
    guard !one.isEmpty, !two.isEmpty else { return one.isEmpty && two.isEmpty }
    if Set(one).isSubset(of: two) || Set(two).isSubset(of: one) { return true }
    let (x, y) = (one.joined(), two.joined())
    let lettersPerSlip = 3
    return Confusables.mayBeMisread(x, as: y, slips: (max(x.count, y.count) + lettersPerSlip - 1) / lettersPerSlip)
  }
}

extension PrintedPerson {
  /// The nationality when it is written as a code. What a zone has is one; of print, what ISO 3166-1 or Doc 9303-3 §5
  /// lists. Words, `UTOPIAN` and an abbreviation such as `RSA` among them, cannot be compared with a code.
  var nationalityCode: String? {
    nationality.flatMap { !isPrint || StateCode.kind(of: $0) != .unknown ? $0 : nil }
  }
}
