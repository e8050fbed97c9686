// SPDX-License-Identifier: Apache-2.0

/// The machine-readable zone of ICAO Doc 9303 parts 3–7: parsed, encoded and checked, with no clock and no I/O.
public enum MRZ {
  /// The layouts that are read (identity-documents §1 and §5).
  public enum Format: String, Hashable, Sendable, Codable, CaseIterable {
    /// ID-1 card, 3 × 30 (Doc 9303-5).
    case td1 = "TD1"
    /// ID-2 document, 2 × 36 (Doc 9303-6).
    case td2 = "TD2"
    /// Passport, 2 × 44 (Doc 9303-4).
    case td3 = "TD3"
    /// Full-size visa, 2 × 44 (Doc 9303-7).
    case mrva = "MRVA"
    /// Small visa, 2 × 36 (Doc 9303-7).
    case mrvb = "MRVB"
    /// French identity card of 1988–2021, 2 × 36; not an ICAO layout.
    case frenchID1988 = "FRA_ID_1988"

    /// How many lines the zone has.
    public var lineCount: Int { layout.lineCount }
    /// How many characters each line has.
    public var lineLength: Int { layout.lineLength }
    /// How many characters the name field has (the surname field on the French card).
    public var nameFieldLength: Int { layout.name.range.count }
  }

  /// What makes a zone invalid.
  public enum ErrorCode: String, Hashable, Sendable, Codable, CaseIterable {
    case invalidLength = "INVALID_LENGTH"
    case invalidCharacter = "INVALID_CHARACTER"
    case checkDigitDocumentNumber = "CHECK_DIGIT_DOCUMENT_NUMBER"
    case checkDigitBirthDate = "CHECK_DIGIT_BIRTH_DATE"
    case checkDigitExpiryDate = "CHECK_DIGIT_EXPIRY_DATE"
    case checkDigitOptionalData = "CHECK_DIGIT_OPTIONAL_DATA"
    case checkDigitComposite = "CHECK_DIGIT_COMPOSITE"
    case invalidBirthDate = "INVALID_BIRTH_DATE"
    case invalidExpiryDate = "INVALID_EXPIRY_DATE"
    case invalidSex = "INVALID_SEX"
    case invalidStateCode = "INVALID_STATE_CODE"
    case invalidNationalityCode = "INVALID_NATIONALITY_CODE"
    case nameEmpty = "NAME_EMPTY"
    case nameContainsDigit = "NAME_CONTAINS_DIGIT"
    case unsupportedFormat = "UNSUPPORTED_FORMAT"
  }

  /// What is tolerated, and told.
  public enum WarningCode: String, Hashable, Sendable, Codable, CaseIterable {
    case namePossiblyTruncated = "NAME_POSSIBLY_TRUNCATED"
    case birthDateIncomplete = "BIRTH_DATE_INCOMPLETE"
    case expiryDateUnspecified = "EXPIRY_DATE_UNSPECIFIED"
    case sexXInMRZ = "SEX_X_IN_MRZ"
    case fillerUsedForZeroCheckDigit = "FILLER_USED_FOR_ZERO_CHECK_DIGIT"
    case longNumberCheckDigitIncludesFiller = "LONG_NUMBER_CHECK_DIGIT_INCLUDES_FILLER"
  }

  /// The sex field of Doc 9303-3: unspecified is `<` in the zone and `X` on the printed page.
  public enum Sex: String, Hashable, Sendable, Codable, CaseIterable {
    case female = "F"
    case male = "M"
    case unspecified
  }
}
