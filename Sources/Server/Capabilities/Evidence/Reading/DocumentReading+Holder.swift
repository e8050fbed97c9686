// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// Who holds the document and until when, by each of its sources.
extension DocumentReading {
  var mrzPerson: PrintedPerson? { mrz.map { PrintedPerson(mrz: $0) } }

  /// The holder by each source, the best first: zone, barcode, print, QR code, which has the fields of its template
  /// only; behind them what the app says.
  var people: [PrintedPerson] {
    let people = [
      mrz?.fields == nil ? nil : mrzPerson, barcode.map { PrintedPerson(barcode: $0) },
      visualZone.map { PrintedPerson(visual: $0) }, qr.map { PrintedPerson(qr: $0) },
    ].compactMap(\.self)
    return people.filter { !$0.isClaimed } + people.filter(\.isClaimed)
  }

  /// The holder by the best source.
  var person: PrintedPerson? { people.first }

  /// When the document ends to be valid, by its best source.
  package var expiryDate: CalendarDate? { people.lazy.compactMap(\.expiryDate).first }

  /// Whether the date of `expiryDate` may decide whether the document is over.
  /// - Parameter sides: other sides of the same document. Those that cannot be used settle nothing.
  func isExpirySettled(by sides: [DocumentReading]) -> Bool {
    guard let best = people.first(where: { $0.expiryDate != nil }) else { return false }
    return best.isSettled(.expiryDate, by: people + sides.filter { $0.failure == nil }.flatMap(\.people))
  }

  /// What the comparison of zone or barcode with the print makes of a field, by its wire name.
  /// - Returns: nil where no check compared it.
  package func comparison(of field: String) -> EvidenceCheck.Result? {
    guard let field = PrintedPerson.Field(rawValue: field), let print = visualZone.map({ PrintedPerson(visual: $0) })
    else { return nil }
    let machine =
      check(.mrzVsVisual) != nil
      ? mrzPerson : check(.barcodeVsVisual).flatMap { _ in barcode.map { PrintedPerson(barcode: $0) } }
    guard let machine, machine.compares(field, with: print) else { return nil }
    return .init(machine.verdict(field, print))
  }

  /// Anything that says who the holder is.
  var hasContent: Bool { mrz?.fields != nil || barcode != nil || visualZone?.values.isEmpty == false }

  /// Whether the document is one of Utopia, the state of specimens (identity-documents §3.1): fail when it was read
  /// with certainty, review when it may have been misread.
  var specimenVerdict: Verdict {
    if let mrz, mrz.source != .client, let fields = mrz.fields {
      let signs: [(code: String?, field: MRZ.FieldName)] = [
        (fields.issuingState, .issuingState), (fields.nationality, .nationality),
      ]
      let seen = signs.filter { $0.code.map(StateCode.kind(of:)) == .specimen }
      guard !seen.isEmpty else { return .pass }
      let doubtful = mrz.doubtfulFields
      return seen.contains { !doubtful.contains($0.field) } ? .fail : .review
    }
    guard let printed = visualZone?.values[.nationality], printed.text.hasPrefix("UTO") else { return .pass }
    return printed.confidence >= PrintedPerson.certainMin ? .fail : .review
  }
}
