// SPDX-License-Identifier: Apache-2.0

extension MRZ {
  /// The fields of a zone as an issuer writes them, with the issuer's free choices; without padding or check digits.
  ///
  /// `MRZ.lines(of:)` makes the lines. Fillers inside a field stay; those at its end are left out.
  public struct Record: Hashable, Sendable {
    public var format: Format
    /// One or two characters.
    public var documentCode: String
    /// One or three letters.
    public var issuingState: String
    /// The whole name field; the surname field on the French card.
    public var nameField: String
    /// French card only.
    public var givenNamesField: String?
    /// Department and office; French card only.
    public var issuingOffice: String?
    /// More than nine characters on TD1 and TD2 only.
    public var documentNumber: String
    /// nil on the French card.
    public var nationality: String?
    /// Six characters, fillers for unknown parts.
    public var birthDate: String
    /// `F`, `M`, `<`, or `X` as some issuers write.
    public var sex: String
    /// Six characters, all fillers for none; nil on the French card.
    public var expiryDate: String?
    public var optionalData1: String
    public var optionalData2: String
    /// The digit of a long number counts the filler between its two parts.
    public var numberDigitIncludesFiller: Bool
    /// A filler stands where the digit of the optional data would be 0 (TD3).
    public var optionalDigitIsFiller: Bool
    /// A filler stands where the digit of an empty expiry would be 0.
    public var expiryDigitIsFiller: Bool
  }

  /// Why a record cannot be written.
  public enum EncodingFailure: Error, Hashable, Sendable {
    /// The named field has more characters than the format has room for.
    case tooLong(field: String)
    /// The named field holds a character outside A–Z, 0–9 and the filler.
    case invalidCharacter(field: String)
    /// The named field must not be empty, or has the wrong length.
    case malformed(field: String)
  }
}

extension MRZ.Record {
  /// The record of a new document, for specimens and tests: names are transliterated, punctuation of numbers vanishes.
  ///
  /// - Parameters:
  ///   - expiryDate: nil for a document that does not expire.
  ///   - sex: unspecified is written as a filler.
  public init(
    format: MRZ.Format, documentCode: String, issuingState: String, surname: String, givenNames: String,
    documentNumber: String, nationality: String, birthDate: PartialDate, sex: MRZ.Sex, expiryDate: CalendarDate?,
    optionalData1: String = "", optionalData2: String = ""
  ) throws(MRZ.EncodingFailure) {
    let isFrench = format == .frenchID1988
    let name =
      isFrench
      ? MRZ.NameField.encode(surname: surname, givenNames: "", length: format.nameFieldLength)
      : MRZ.NameField.encode(surname: surname, givenNames: givenNames, length: format.nameFieldLength)
    guard let name else { throw .malformed(field: "surname") }
    self.init(
      format: format, documentCode: documentCode, issuingState: issuingState, nameField: trimmed(Array(name.utf8)),
      givenNamesField: isFrench ? Self.frenchGivenNames(givenNames, span: format.layout.givenNames) : nil,
      issuingOffice: isFrench ? "" : nil,
      documentNumber: text(documentNumber.uppercased().utf8.filter { $0.isLetter || $0.isDigit }),
      nationality: isFrench ? nil : nationality,
      birthDate: Self.sixCharacters(birthDate), sex: sex == .unspecified ? "<" : sex.rawValue,
      expiryDate: isFrench ? nil : expiryDate.map { Self.sixCharacters(PartialDate($0)) } ?? "<<<<<<",
      optionalData1: optionalData1, optionalData2: optionalData2, numberDigitIncludesFiller: false,
      optionalDigitIsFiller: format == .td3 && optionalData1.isEmpty,
      expiryDigitIsFiller: !isFrench && expiryDate == nil)
  }

  private static func sixCharacters(_ date: PartialDate) -> String {
    [date.year.map { $0 % 100 }, date.month, date.day].map { $0.map { padded($0, to: 2) } ?? "<<" }.joined()
  }

  /// The French card puts two fillers between given names and cuts where the room ends.
  private static func frenchGivenNames(_ givenNames: String, span: MRZSpan?) -> String {
    let written = MRZ.NameField.components(of: givenNames, language: .standard).joined(separator: "<<")
    return trimmed(Array(written.utf8.prefix(span?.range.count ?? 0)))
  }
}
