// SPDX-License-Identifier: Apache-2.0

/// Whether a reading carries what its kind must carry.
enum Readability {
  /// - Returns: nil when the reading can be used; else why not, with the fields that are missing or do not validate.
  static func failure(of reading: DocumentReading) -> DocumentReading.Failure? {
    if let mrz = reading.mrz, mrz.isVisa, mrz.isShownByDigits {
      return .init(code: .wrongDocumentType, fields: ["document_code"], shows: .visa)
    }
    if let expected = reading.expected, let detected = reading.detected, expected != detected {
      return .init(code: .wrongDocumentType, fields: ["document_code"])
    }
    // What was not read might have differed from the zone or the barcode.
    let cut = reading.isPrintCut == true ? ["visual_zone"] : []
    guard let kind = reading.expected ?? reading.detected else {
      return .init(code: .documentUnreadable, fields: cut)
    }
    let fields = cut + (kind.carriesMRZ ? zoneFields(reading) : printedFields(reading))
    return fields.isEmpty ? nil : .init(code: .documentUnreadable, fields: fields)
  }

  private static func zoneFields(_ reading: DocumentReading) -> [String] {
    guard let mrz = reading.mrz else { return ["mrz"] }
    if mrz.isCutPassport { return ["mrz"] }
    if mrz.result.valid || mrz.result.failsOnlyComposite { return [] }
    var fields = mrz.result.checkDigits?.failingFields ?? []
    if mrz.fields?.surname == nil { fields.append("surname") }
    return fields.isEmpty ? ["mrz"] : fields
  }

  /// The barcode of a licence stands for its print.
  private static func printedFields(_ reading: DocumentReading) -> [String] {
    let barcode = reading.barcode?.licence, visual = reading.visualZone
    var fields: [String] = []
    if barcode?.name.family == nil, visual?[.surname] == nil { fields.append("surname") }
    if barcode?.number == nil, visual?[.documentNumber] == nil { fields.append("document_number") }
    if barcode?.birthDate == nil, visual?.date(.birthDate) == nil { fields.append("birth_date") }
    return fields
  }
}

extension DocumentReading {
  /// Whether print alone tells a kind that was not asked for, and no machine-readable zone does. Captions and titles
  /// may be misread: that is for another picture or a person, and is no refusal (decision 101). The fields of such a
  /// picture were read by the captions and the order of dates of that kind, and decide nothing.
  var isOfDoubtfulKind: Bool {
    guard failure?.code == .wrongDocumentType else { return false }
    guard let mrz, mrz.source != .client else { return true }
    return !mrz.isVisa && DocumentReader.kind(of: mrz) == nil
  }
}
