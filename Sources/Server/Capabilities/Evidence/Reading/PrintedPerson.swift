import DocumentCore

/// The holder as one source has them: a machine-readable zone, a barcode or the visual zone.
struct PrintedPerson {
  var name: PersonName?
  var number: String?
  var birthDate: PartialDate?
  var expiryDate: CalendarDate?
  var sex: MRZ.Sex?
  var nationality: String?
  var personalNumber: String?
  /// Confidence of fields that no check digit or symbol error correction covers, by wire name.
  var confidence: [String: Double] = [:]

  /// Below this a differing field is taken for a misreading, not for a difference.
  static let confidenceMin = 0.6

  init(mrz: MRZReading) {
    let fields = mrz.fields
    name = PersonName(mrz.result)
    number = fields?.documentNumber
    birthDate = fields?.partialBirthDate
    expiryDate = fields?.expiryDate
    sex = fields?.sex
    nationality = fields?.nationality
    if fields?.format == .td3 { personalNumber = fields?.optionalData1 }
  }

  init(barcode: BarcodeReading) {
    let licence = barcode.licence
    if licence.name.family != nil { name = licence.personName }
    number = licence.number
    birthDate = licence.birthDate.map { PartialDate($0) }
    expiryDate = licence.expiryDate
    sex = licence.sex
  }

  init(visual: VisualZone) {
    if let surname = visual[.surname] { name = PersonName(primary: surname, secondary: visual[.givenNames] ?? "") }
    number = visual[.documentNumber]
    birthDate = visual.date(.birthDate).map { PartialDate($0) }
    expiryDate = visual.date(.expiryDate)
    sex = visual[.sex].map { MRZ.Sex(rawValue: $0) ?? .unspecified }
    nationality = visual[.nationality]
    personalNumber = visual[.personalNumber]
    for (field, value) in visual.values { confidence[field.rawValue] = value.confidence }
    // A name is as sure as the less sure of its two halves.
    confidence["name"] = min(confidence["surname"] ?? 1, confidence["given_names"] ?? 1)
  }

  struct Outcome {
    /// Wire names of fields that differ.
    var differing: [String] = []
    /// Of fields that could not be read on one side, or may have been misread.
    var unclear: [String] = []
  }

  /// Compares name, number, dates and sex (identity-documents §8.3, "MRZ vs visual zone").
  func compare(with other: PrintedPerson) -> Outcome {
    var outcome = Outcome()
    func note(_ field: String, _ verdict: Verdict) {
      let sure = min(confidence[field] ?? 1, other.confidence[field] ?? 1) >= Self.confidenceMin
      switch verdict {
      case .pass: break
      case .fail where sure: outcome.differing.append(field)
      case .fail, .review: outcome.unclear.append(field)
      }
    }
    note("name", nameVerdict(other))
    note("document_number", numberVerdict(other))
    note("birth_date", birthDateVerdict(other))
    // One date unread is unclear; whether it is over is another check's affair.
    if let expiryDate, let theirs = other.expiryDate {
      note("expiry_date", expiryDate == theirs ? .pass : .fail)
    } else {
      note("expiry_date", .review)
    }
    note("sex", FieldComparison.sex(sex, other.sex))
    note("personal_number", personalNumberVerdict(other))
    return outcome
  }

  /// The zone's optional data is the issuer's to fill (ICAO 9303-4 §4.2.2.2), so a difference is for a person to judge,
  /// and never a mismatch by itself; a number whose end was not read is the reader's own slip.
  private func personalNumberVerdict(_ other: PrintedPerson) -> Verdict {
    guard let personalNumber, let theirs = other.personalNumber else { return .pass }
    let (one, two) = (
      personalNumber.filter { $0.isLetter || $0.isNumber }, theirs.filter { $0.isLetter || $0.isNumber }
    )
    if abs(one.count - two.count) <= 1, one.hasPrefix(two) || two.hasPrefix(one) { return .pass }
    let verdict = FieldComparison.documentNumber(one, two, isCoveredByCheckDigit: false)
    return verdict == .fail ? .review : verdict
  }

  func nameVerdict(_ other: PrintedPerson) -> Verdict {
    guard let name, let theirs = other.name else { return .review }
    return NameComparison.compare(name, theirs).verdict
  }

  /// The print has no check digit, so one look-alike may be the reader's own slip.
  func numberVerdict(_ other: PrintedPerson) -> Verdict {
    guard let number, let theirs = other.number else { return .review }
    return FieldComparison.documentNumber(number, theirs, isCoveredByCheckDigit: false)
  }

  func birthDateVerdict(_ other: PrintedPerson) -> Verdict {
    guard let birthDate, let theirs = other.birthDate else { return .review }
    return FieldComparison.birthDate(birthDate, theirs)
  }
}

extension DocumentReading {
  var mrzPerson: PrintedPerson? { mrz.map { PrintedPerson(mrz: $0) } }

  /// The best source for the holder: zone, then barcode, then print.
  var person: PrintedPerson? {
    if let mrz, mrz.fields != nil { return PrintedPerson(mrz: mrz) }
    if let barcode { return PrintedPerson(barcode: barcode) }
    return visualZone.map { PrintedPerson(visual: $0) }
  }

  /// When the document ends to be valid, by its best source.
  package var expiryDate: CalendarDate? {
    mrz?.fields?.expiryDate ?? barcode?.licence.expiryDate ?? visualZone?.date(.expiryDate)
  }

  /// Anything that says who the holder is.
  var hasContent: Bool { mrz?.fields != nil || barcode != nil || visualZone?.values.isEmpty == false }

  /// Issued by Utopia, or printed as such (identity-documents §3.1).
  package var isSpecimen: Bool {
    if let fields = mrz?.fields {
      return [fields.issuingState, fields.nationality].contains { $0.map(StateCode.kind(of:)) == .specimen }
    }
    return visualZone?[.nationality].map { $0.hasPrefix("UTO") } ?? false
  }
}
