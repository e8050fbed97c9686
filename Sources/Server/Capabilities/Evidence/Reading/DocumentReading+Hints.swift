// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// What the app says that it read (rubix-onboarding §6.7). It is the applicant's word: it fills in where reading failed
/// here, never takes the place of what was read, and always asks for a person.
extension DocumentReading {
  /// - Parameters:
  ///   - text: of the zone. One of another kind of document is left out, and one of another holder than the zone that
  ///     was read in part.
  ///   - payload: of the barcode. Where this reading is usable without it, it is left out too; when it names another
  ///     holder, that is for review.
  package func completed(mrz text: String?, barcode payload: String?, on day: CalendarDate) -> DocumentReading {
    guard let kind = expected, failure?.code != .wrongDocumentType else { return self }
    let nowhere = Region(x: 0, y: 0, width: 0, height: 0)
    var completed = self
    if kind.carriesMRZ, mrz == nil || failure?.fields.contains("mrz") == true, let text,
      case .accepted(let hint) = MRZRecognition.repair(ocrText: text, referenceDate: day)
    {
      let zone = MRZReading(
        lines: hint.lines, referenceDate: day, confidence: 0, region: nowhere, source: .client)
      let agrees = mrz.map { PrintedPerson(mrz: $0).mayBe(PrintedPerson(mrz: zone)) } ?? true
      if DocumentReader.kind(of: zone) == kind, agrees { completed.mrz = zone }
    }
    var differing: [PrintedPerson.Field] = []
    if kind == .drivingLicence, let payload,
      let hint = try? BarcodeReading(payload: payload, region: nowhere, source: .client)
    {
      if failure == nil {
        differing = person?.differences(from: PrintedPerson(barcode: hint)) ?? []
      } else if barcode == nil {
        completed.barcode = hint
      }
    }
    if completed != self {
      completed.checks = DocumentChecks(today: day).checks(of: completed)
      completed.failure = Readability.failure(of: completed)
    }
    if !differing.isEmpty, check(.barcodeConsistency)?.result != .fail {
      completed.checks.removeAll { $0.code == .barcodeConsistency }
      completed.checks.append(EvidenceCheck(.barcodeConsistency, .review, fields: differing.map(\.rawValue)))
    }
    return completed
  }

  /// The reading without what only the app says.
  package var withoutHints: DocumentReading {
    var own = self
    if mrz?.source == .client { own.mrz = nil }
    if barcode?.source == .client { own.barcode = nil }
    return own
  }
}
