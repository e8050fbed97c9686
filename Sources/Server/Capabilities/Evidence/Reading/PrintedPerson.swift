// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The holder as one source has them: a machine-readable zone, a barcode, the visual zone or the applicant's own words.
/// A field that was not read is nil, and has no confidence.
struct PrintedPerson {
  enum Field: String, CaseIterable {
    case name
    case documentNumber = "document_number"
    case birthDate = "birth_date"
    case expiryDate = "expiry_date"
    case sex, nationality
    case personalNumber = "personal_number"
  }

  var name: PersonName?
  /// False when the given names could not be read: they are unknown then, and not absent.
  var isNameWhole = true
  var number: String?
  var birthDate: PartialDate?
  var expiryDate: CalendarDate?
  var sex: MRZ.Sex?
  var nationality: String?
  var personalNumber: String?
  /// Optional data of a card's zone beside `personalNumber`: issuers have the number in either (ICAO 9303-5 §4.2.2).
  var furtherNumber: String?
  /// Whether it was read as print, which no check digit and no error correction covers.
  let isPrint: Bool
  /// Whether the app sent it. Then it decides nothing, and confirms nothing.
  var isClaimed = false
  /// 0…1, of the fields that were read.
  var confidence: [Field: Double] = [:]

  /// A difference counts only in fields that were read with at least this confidence on both sides. Misreadings with up
  /// to 0.893 are known.
  static let certainMin = 0.9
  /// Confidence of a field of a zone in which a character is in doubt, or whose check digit does not hold, and of
  /// whatever the app sent.
  private static let doubted = 0.5

  init(mrz: MRZReading) {
    let fields = mrz.fields
    isPrint = false
    isClaimed = mrz.source == .client
    name = PersonName(mrz.result)
    number = fields?.documentNumber
    birthDate = fields?.partialBirthDate
    expiryDate = fields?.expiryDate
    sex = fields?.sex
    nationality = fields?.nationality
    switch fields?.format {
    case .td3: personalNumber = fields?.optionalData1
    case .td1, .td2:
      let optional = [fields?.optionalData1, fields?.optionalData2]
        .compactMap { $0?.filter { $0.isLetter || $0.isNumber } }.filter { !$0.isEmpty }
      (personalNumber, furtherNumber) = (optional.first, optional.dropFirst().first)
    default: break
    }
    let doubtful = mrz.doubtfulFields
    let digits = mrz.result.checkDigits
    let origins: [(Field, MRZ.FieldName, Bool)] = [
      (.name, .name, true), (.documentNumber, .documentNumber, digits?.documentNumber.ok ?? false),
      (.birthDate, .birthDate, digits?.birthDate.ok ?? false),
      (.expiryDate, .expiryDate, digits?.expiryDate?.ok ?? true),
      (.sex, .sex, true), (.nationality, .nationality, true), (.personalNumber, .optionalData, true),
    ]
    for (field, origin, holds) in origins {
      confidence[field] = holds && !isClaimed && !doubtful.contains(origin) ? 1 : Self.doubted
    }
  }

  init(barcode: BarcodeReading) {
    let licence = barcode.licence
    isPrint = false
    isClaimed = barcode.source == .client
    if licence.name.family != nil { name = licence.personName }
    number = licence.number
    birthDate = licence.birthDate.map { PartialDate($0) }
    expiryDate = licence.expiryDate
    sex = licence.sex
    for field in Field.allCases { confidence[field] = isClaimed ? Self.doubted : 1 }
  }

  init(visual: VisualZone) { self.init(values: visual, isPrint: true) }

  init(values visual: VisualZone, isPrint: Bool) {
    self.isPrint = isPrint
    if let surname = visual[.surname] {
      name = PersonName(primary: surname, secondary: visual[.givenNames] ?? "")
      isNameWhole = visual[.givenNames] != nil
    }
    number = visual[.documentNumber]
    birthDate = visual.date(.birthDate).map { PartialDate($0) }
    expiryDate = visual.date(.expiryDate)
    // X is what print has for unspecified; the reader gives nothing else.
    sex = visual[.sex].flatMap { $0 == "X" ? .unspecified : MRZ.Sex(rawValue: $0) }
    nationality = visual[.nationality]
    personalNumber = visual[.personalNumber]
    let origins: [(Field, VisualZone.Field)] = [
      (.documentNumber, .documentNumber), (.birthDate, .birthDate), (.expiryDate, .expiryDate), (.sex, .sex),
      (.nationality, .nationality), (.personalNumber, .personalNumber),
    ]
    for (field, origin) in origins { confidence[field] = visual.values[origin]?.confidence }
    // A name is as sure as the less sure of its two halves, of those that were read.
    if let surname = visual.values[.surname] {
      confidence[.name] = min(surname.confidence, visual.values[.givenNames]?.confidence ?? 1)
    }
  }

  init(declared: ApplicationData) {
    isPrint = false
    name = declared.name
    birthDate = declared.birthDate.map { PartialDate($0) }
    for field in [Field.name, .birthDate] { confidence[field] = 1 }
  }

  /// Whether a field was read, and without doubt.
  /// Look-alikes keep a printed number below the bound, and are no difference where numbers are compared.
  func isCertain(_ field: Field) -> Bool {
    let isNumber = field == .documentNumber || field == .personalNumber
    return (confidence[field] ?? 0) >= (isNumber ? min(Self.certainMin, Certainty.lookAlikeMost) : Self.certainMin)
  }
}

extension PrintedPerson {
  /// Whether another source may be about the same: a side of another document, or of another person, settles nothing.
  /// A birth date is the person's, and stands on documents of several numbers.
  private func isBeside(_ other: PrintedPerson, _ field: Field) -> Bool {
    verdict(.name, other) != .fail && (field == .birthDate || verdict(.documentNumber, other) != .fail)
  }

  /// Whether a field may decide by itself: it was read without doubt, or print and a zone or barcode of the same person
  /// say the same. What was misread in print is not misread in the same way where characters and reader are others.
  func isSettled(_ field: Field, by others: [PrintedPerson]) -> Bool {
    isCertain(field)
      || others.contains {
        !$0.isClaimed && $0.isPrint != isPrint && verdict(field, $0) == .pass && isBeside($0, field)
      }
  }
}
