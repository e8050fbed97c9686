// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import Foundation
import GatehouseWire
import RubixWire

extension ProcessedDocument {
  /// An image that is still being read.
  init(reading image: CapturedImage) {
    self.init(
      id: image.id.rawValue, type: image.type, status: .processing, mrz: nil, visualZone: nil, barcode: nil,
      portraitID: nil, checks: [])
  }

  /// What was read, without what only agents see.
  init(_ image: CapturedImage, _ reading: DocumentReading) {
    self.init(
      id: image.id.rawValue, type: image.type, status: DocumentStatus(rawValue: image.state.rawValue),
      mrz: reading.mrz.flatMap(RubixWire.MRZReading.init),
      visualZone: reading.visualZone.map(RubixWire.VisualZone.init),
      barcode: reading.barcode.map(RubixWire.BarcodeReading.init),
      // Ids are UUIDs (§1), and this one opens its preview with `extracted-image`.
      portraitID: image.hasPortrait ? image.id.rawValue : nil,
      checks: reading.checks.map { DocumentCheck(code: $0.code.rawValue, result: CheckResult($0.result)) })
  }
}

extension CheckResult {
  /// What is for review is not decided: `inconclusive` on the wire.
  init(_ result: EvidenceCheck.Result) {
    switch result {
    case .pass: self = .pass
    case .fail: self = .fail
    case .review, .inconclusive: self = .inconclusive
    }
  }
}

extension RubixWire.MRZReading {
  init?(_ reading: Evidence.MRZReading) {
    guard let format = reading.result.format, let fields = reading.fields else { return nil }
    let digits = reading.result.checkDigits
    let named: [(String, MRZ.CheckDigit?)] = [
      ("document_number", digits?.documentNumber), ("birth_date", digits?.birthDate),
      ("expiry_date", digits?.expiryDate), ("optional_data", digits?.optionalData), ("composite", digits?.composite),
    ]
    self.init(
      format: format.rawValue, lines: reading.lines, valid: reading.result.valid,
      fields: MRZFields(
        documentCode: fields.documentCode ?? "", issuingState: fields.issuingState ?? "", surname: fields.surname ?? "",
        givenNames: fields.givenNames ?? "", documentNumber: fields.documentNumber ?? "",
        nationality: fields.nationality ?? "", birthDate: fields.birthDate?.isoText, sex: fields.sexText,
        expiryDate: fields.expiryDate?.isoText, optionalData1: fields.optionalData1, optionalData2: fields.optionalData2
      ),
      checkDigits: Dictionary(
        uniqueKeysWithValues: named.compactMap { name, digit in
          digit.map { (name, MRZCheckDigit(present: $0.present, computed: $0.computed, ok: $0.ok)) }
        }),
      warnings: reading.result.warnings.map(\.rawValue), source: reading.source == .client ? .client : .server)
  }
}

extension RubixWire.VisualZone {
  init(_ zone: Evidence.VisualZone) {
    self.init(
      surname: zone[.surname], givenNames: zone[.givenNames], documentNumber: zone[.documentNumber],
      birthDate: zone[.birthDate].flatMap { WireDate($0) }, expiryDate: zone[.expiryDate].flatMap { WireDate($0) },
      issueDate: zone[.issueDate].flatMap { WireDate($0) }, nationality: zone[.nationality], sex: zone[.sex],
      personalNumber: zone[.personalNumber], issuingState: nil)
  }
}

extension RubixWire.BarcodeReading {
  init(_ reading: Evidence.BarcodeReading) {
    let licence = reading.licence
    let fields: [(String, String?)] = [
      ("document_number", licence.number), ("surname", licence.name.family), ("given_names", reading.givenNames),
      ("birth_date", licence.birthDate?.isoText), ("expiry_date", licence.expiryDate?.isoText),
      ("issue_date", licence.issueDate?.isoText), ("sex", licence.sex?.rawValue),
    ]
    self.init(
      format: "PDF417", version: licence.version, issuer: licence.issuerNumber,
      fields: Dictionary(uniqueKeysWithValues: fields.compactMap { name, value in value.map { (name, $0) } }),
      source: reading.source == .client ? .client : .server)
  }
}
