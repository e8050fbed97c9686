// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// What a zone says, and what is wrong with it. Errors make it invalid; warnings never do.
  public struct Result: Hashable, Sendable {
    /// nil when the lines have no known shape.
    public let format: Format?
    /// In the order of `ErrorCode`, none twice.
    public let errors: [ErrorCode]
    /// In the order of `WarningCode`, none twice.
    public let warnings: [WarningCode]
    /// nil when length or alphabet are wrong.
    public let fields: Fields?
    /// nil exactly when `fields` is.
    public let checkDigits: CheckDigits?
    /// The fields as written, from which `MRZ.lines(of:)` makes the same zone again; nil exactly when `fields` is.
    public let record: Record?

    public var valid: Bool { errors.isEmpty }

    /// True when the format's every check digit is accepted; false when there is nothing to check.
    public var allCheckDigitsHold: Bool {
      checkDigits?.all.allSatisfy(\.ok) ?? false
    }

    /// True when the composite digit is all that is wrong: for review, not for acceptance (identity-documents §5).
    public var failsOnlyComposite: Bool { errors == [.checkDigitComposite] }
  }

  /// The check digits of a format; nil where the format has none.
  public struct CheckDigits: Hashable, Sendable {
    public let documentNumber: CheckDigit
    public let birthDate: CheckDigit
    public let expiryDate: CheckDigit?
    public let optionalData: CheckDigit?
    public let composite: CheckDigit?

    /// The check digits that the format has.
    public var all: [CheckDigit] {
      [documentNumber, birthDate, expiryDate, optionalData, composite].compactMap(\.self)
    }
  }

  /// The fields of a zone, for people and for comparison: fillers between words are one space, empty fields nil.
  public struct Fields: Hashable, Sendable {
    public let format: Format
    public let documentCode: String?
    public let issuingState: String?
    /// The primary identifier (Doc 9303-3 §3.4).
    public let surname: String?
    /// The secondary identifier; nil for a person with one name.
    public let givenNames: String?
    /// Long numbers are joined (identity-documents §2.3).
    public let documentNumber: String?
    /// nil on the French card of 1988 too.
    public let nationality: String?
    /// Six characters as written.
    public let birthDateRaw: String
    /// nil when incomplete or impossible.
    public let birthDate: CalendarDate?
    /// What is known of the birth date; nil when impossible.
    public let partialBirthDate: PartialDate?
    /// `F`, `M`, `unspecified`, or the character found when it is another.
    public let sexText: String
    /// Six characters as written; nil on the French card of 1988.
    public let expiryDateRaw: String?
    /// nil when unspecified or impossible.
    public let expiryDate: CalendarDate?
    /// Each inner filler is a space, also several in a row.
    public let optionalData1: String?
    public let optionalData2: String?

    /// nil when the zone holds another character.
    public var sex: Sex? { Sex(rawValue: sexText) }
  }
}
