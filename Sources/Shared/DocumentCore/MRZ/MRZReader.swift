// SPDX-License-Identifier: Apache-2.0

/// One pass over a zone of known format whose characters are all of the alphabet.
struct MRZReader {
  let format: MRZ.Format
  let layout: MRZLayout
  let lines: [[UInt8]]
  let referenceDate: CalendarDate
  private var errors: Set<MRZ.ErrorCode> = []
  private var warnings: Set<MRZ.WarningCode> = []

  init(format: MRZ.Format, lines: [[UInt8]], referenceDate: CalendarDate) {
    self.format = format
    layout = format.layout
    self.lines = lines
    self.referenceDate = referenceDate
  }

  mutating func read() -> MRZ.Result {
    let number = readNumber()
    let birth = readBirthDate()
    let expiry = readExpiryDate()
    let name = readName()
    let sex = readSex()
    checkStates()
    let checkDigits = MRZ.CheckDigits(
      documentNumber: number.digit,
      birthDate: check(layout.birthDate, layout.birthDigit, else: .checkDigitBirthDate),
      expiryDate: checkExpiry(), optionalData: checkOptionalData(), composite: checkComposite())
    let fields = MRZ.Fields(
      format: format,
      documentCode: words(bytes(layout.documentCode)), issuingState: words(bytes(layout.issuingState)),
      surname: name.surname, givenNames: name.givenNames,
      documentNumber: words(number.characters), nationality: layout.nationality.flatMap { words(bytes($0)) },
      birthDateRaw: text(bytes(layout.birthDate)), birthDate: birth?.date, partialBirthDate: birth, sexText: sex,
      expiryDateRaw: layout.expiryDate.map { text(bytes($0)) }, expiryDate: expiry,
      optionalData1: spaced(number.optionalData), optionalData2: layout.optionalData2.flatMap { spaced(bytes($0)) })
    return MRZ.Result(
      format: format,
      errors: MRZ.ErrorCode.allCases.filter(errors.contains),
      warnings: MRZ.WarningCode.allCases.filter(warnings.contains),
      fields: fields, checkDigits: checkDigits, record: record(number))
  }

  // MARK: Number

  private mutating func readNumber() -> MRZNumber {
    let number = MRZNumber(layout: layout, lines: lines)
    if !number.digit.ok { errors.insert(.checkDigitDocumentNumber) }
    if number.digitIncludesFiller { warnings.insert(.longNumberCheckDigitIncludesFiller) }
    return number
  }

  // MARK: Dates

  private mutating func readBirthDate() -> PartialDate? {
    guard let date = MRZDates.birthDate(bytes(layout.birthDate), referenceDate: referenceDate) else {
      errors.insert(.invalidBirthDate)
      return nil
    }
    if date.date == nil { warnings.insert(.birthDateIncomplete) }
    return date
  }

  private mutating func readExpiryDate() -> CalendarDate? {
    guard let span = layout.expiryDate else { return nil }
    if bytes(span).allSatisfy(\.isFiller) {
      warnings.insert(.expiryDateUnspecified)
      return nil
    }
    let date = MRZDates.expiryDate(bytes(span), referenceDate: referenceDate)
    if date == nil { errors.insert(.invalidExpiryDate) }
    return date
  }

  // MARK: Letters

  private mutating func readName() -> (surname: String?, givenNames: String?) {
    let field = bytes(layout.name)
    let given = layout.givenNames.map { bytes($0) }
    if field.contains(where: \.isDigit) || given?.contains(where: \.isDigit) == true {
      errors.insert(.nameContainsDigit)
    }
    if field.last?.isFiller == false || given?.last?.isFiller == false {
      warnings.insert(.namePossiblyTruncated)
    }
    let name: (surname: String?, givenNames: String?)
    if let given {
      name = (words(field), words(given))
    } else {
      let split = MRZ.NameField.split(Array(field))
      name = (words(split.primary), words(split.secondary))
    }
    if name.surname == nil { errors.insert(.nameEmpty) }
    return name
  }

  private mutating func readSex() -> String {
    switch bytes(layout.sex).first {
    case UInt8(ascii: "F"): return MRZ.Sex.female.rawValue
    case UInt8(ascii: "M"): return MRZ.Sex.male.rawValue
    case MRZ.filler: return MRZ.Sex.unspecified.rawValue
    case UInt8(ascii: "X"):
      warnings.insert(.sexXInMRZ)
      return MRZ.Sex.unspecified.rawValue
    default:
      errors.insert(.invalidSex)
      return text(bytes(layout.sex))
    }
  }

  private mutating func checkStates() {
    if !StateCode.isWellFormed(bytes(layout.issuingState)) { errors.insert(.invalidStateCode) }
    if let nationality = layout.nationality, !StateCode.isWellFormed(bytes(nationality)) {
      errors.insert(.invalidNationalityCode)
    }
  }

  // MARK: Check digits

  private mutating func check(_ field: MRZSpan, _ digit: MRZSpan, else error: MRZ.ErrorCode) -> MRZ.CheckDigit {
    let computed = MRZ.checkDigit(of: bytes(field))
    let present = bytes(digit)
    let ok = present.first == computed
    if !ok { errors.insert(error) }
    return MRZ.CheckDigit(present: text(present), computed: text([computed]), ok: ok)
  }

  /// A filler stands for the digit of an expiry that is itself wholly filler (§2.4).
  private mutating func checkExpiry() -> MRZ.CheckDigit? {
    guard let field = layout.expiryDate, let digit = layout.expiryDigit else { return nil }
    if bytes(field).allSatisfy(\.isFiller), bytes(digit).first == MRZ.filler {
      return MRZ.CheckDigit(present: "<", computed: "0", ok: true)
    }
    return check(field, digit, else: .checkDigitExpiryDate)
  }

  /// A filler stands for the digit of empty data, and with a warning for a digit that would be 0 (§2.4).
  private mutating func checkOptionalData() -> MRZ.CheckDigit? {
    guard let field = layout.optionalData1, let digit = layout.optionalDigit else { return nil }
    if bytes(digit).first == MRZ.filler, MRZ.checkDigit(of: bytes(field)) == UInt8(ascii: "0") {
      if !bytes(field).allSatisfy(\.isFiller) { warnings.insert(.fillerUsedForZeroCheckDigit) }
      return MRZ.CheckDigit(present: "<", computed: "0", ok: true)
    }
    return check(field, digit, else: .checkDigitOptionalData)
  }

  private mutating func checkComposite() -> MRZ.CheckDigit? {
    guard let digit = layout.compositeDigit else { return nil }
    let computed = MRZ.checkDigit(of: layout.compositeCover.flatMap { bytes($0) })
    let present = bytes(digit)
    let ok = present.first == computed
    if !ok { errors.insert(.checkDigitComposite) }
    return MRZ.CheckDigit(present: text(present), computed: text([computed]), ok: ok)
  }

  // MARK: As written

  private func record(_ number: MRZNumber) -> MRZ.Record {
    MRZ.Record(
      format: format,
      documentCode: trimmed(bytes(layout.documentCode)), issuingState: trimmed(bytes(layout.issuingState)),
      nameField: trimmed(bytes(layout.name)), givenNamesField: layout.givenNames.map { trimmed(bytes($0)) },
      issuingOffice: layout.issuingOffice.map { trimmed(bytes($0)) },
      documentNumber: trimmed(number.characters), nationality: layout.nationality.map { trimmed(bytes($0)) },
      birthDate: text(bytes(layout.birthDate)), sex: text(bytes(layout.sex)),
      expiryDate: layout.expiryDate.map { text(bytes($0)) },
      optionalData1: trimmed(number.optionalData),
      optionalData2: layout.optionalData2.map { trimmed(bytes($0)) } ?? "",
      numberDigitIncludesFiller: number.digitIncludesFiller,
      optionalDigitIsFiller: layout.optionalDigit.map { bytes($0).first == MRZ.filler } ?? false,
      expiryDigitIsFiller: layout.expiryDigit.map { bytes($0).first == MRZ.filler } ?? false)
  }

  private func bytes(_ span: MRZSpan) -> ArraySlice<UInt8> { lines[span.line][span.range] }
}

/// The bytes as text.
func text(_ bytes: some Sequence<UInt8>) -> String {
  String(decoding: Array(bytes), as: UTF8.self)
}

/// The text without the fillers at its end.
func trimmed(_ bytes: some Collection<UInt8>) -> String {
  var end = Array(bytes)
  while end.last == MRZ.filler { end.removeLast() }
  return text(end)
}

/// The text with each run of fillers as one space and none at the ends; nil when nothing is left.
func words(_ bytes: some Collection<UInt8>) -> String? {
  let parts = bytes.split(separator: MRZ.filler)
  return parts.isEmpty ? nil : parts.map { text($0) }.joined(separator: " ")
}

/// The text with each inner filler as a space and none at the ends; nil when nothing is left. What issuers put into
/// optional data may count its places, so that the number of fillers tells something there.
private func spaced(_ bytes: some Collection<UInt8>) -> String? {
  var kept = Array(bytes.drop { $0 == MRZ.filler })
  while kept.last == MRZ.filler { kept.removeLast() }
  return kept.isEmpty
    ? nil
    : kept.split(separator: MRZ.filler, omittingEmptySubsequences: false)
      .map { text($0) }.joined(separator: " ")
}
