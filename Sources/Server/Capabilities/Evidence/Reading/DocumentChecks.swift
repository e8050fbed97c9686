// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The tests of one reading against itself (identity-documents §8.3), as checks.
struct DocumentChecks {
  let today: CalendarDate

  func checks(of reading: DocumentReading) -> [EvidenceCheck] {
    [
      documentType(reading), mrzCheckDigits(reading), mrzLegibility(reading), notExpired(reading),
      mrzVsVisual(reading), barcodeVsVisual(reading), barcodeConsistency(reading), qrConsistency(reading),
      specimen(reading), stateCodes(reading), portrait(reading), imageQuality(reading),
    ].compactMap(\.self)
  }

  private func documentType(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let expected = reading.expected else { return nil }
    guard let detected = reading.detected else {
      return EvidenceCheck(.documentType, reading.mrz?.isVisa == true ? .fail : .inconclusive)
    }
    return EvidenceCheck(.documentType, detected == expected ? .pass : .fail)
  }

  private func mrzCheckDigits(_ reading: DocumentReading) -> EvidenceCheck? {
    // A client that makes up a zone can also compute its check digits.
    guard let mrz = reading.mrz, mrz.source != .client else { return nil }
    if mrz.result.failsOnlyComposite { return EvidenceCheck(.mrzCheckDigits, .review, fields: ["composite"]) }
    let digits = mrz.result.checkDigits
    return EvidenceCheck(
      .mrzCheckDigits, mrz.result.allCheckDigitsHold ? .pass : .fail, fields: digits?.failingFields ?? [])
  }

  /// Check digits do not cover names, states and sex, and cannot tell 6 from G, 1 from L or 8 from S (§1.3, §2.2). A
  /// field that is printed alike on the same page is not in doubt.
  private func mrzLegibility(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let mrz = reading.mrz else { return nil }
    if mrz.source == .client { return EvidenceCheck(.mrzLegibility, .review, fields: ["mrz"]) }
    let (zone, print) = (PrintedPerson(mrz: mrz), reading.visualZone.map { PrintedPerson(visual: $0) })
    let fields = mrz.doubtfulFields.filter { field in
      guard let print, let same = PrintedPerson.Field(rawValue: field.rawValue) else { return true }
      return print.confidence[same] == nil || zone.verdict(same, print) != .pass
    }
    return EvidenceCheck(.mrzLegibility, fields.isEmpty ? .pass : .review, fields: fields.map(\.rawValue).sorted())
  }

  private func notExpired(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let expiry = reading.expiryDate else {
      let unlimited = reading.mrz?.result.warnings.contains(.expiryDateUnspecified) ?? false
      if unlimited { return EvidenceCheck(.notExpired, .pass) }
      // The back of a card without a zone carries no expiry date, which is no finding.
      return reading.hasContent ? EvidenceCheck(.notExpired, .inconclusive, fields: ["expiry_date"]) : nil
    }
    let verdict = FieldComparison.expiry(expiry, today: today)
    return EvidenceCheck(.notExpired, .init(verdict), fields: verdict == .pass ? [] : ["expiry_date"])
  }

  private func mrzVsVisual(_ reading: DocumentReading) -> EvidenceCheck? {
    guard reading.mrz?.fields != nil, let visual = reading.visualZone, reading.detected == .passport else {
      return nil
    }
    return compared(.mrzVsVisual, reading.mrzPerson, with: PrintedPerson(visual: visual))
  }

  private func barcodeVsVisual(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let barcode = reading.barcode, let visual = reading.visualZone, !visual.values.isEmpty else { return nil }
    var check = compared(.barcodeVsVisual, PrintedPerson(barcode: barcode), with: PrintedPerson(visual: visual))
    // People move, so another address is for review only (§8.3). So are a date of issue and a class, which do not
    // identify the holder.
    let others = ["address": addressDiffers, "issue_date": issueDateDiffers, "categories": classDiffers]
    let differing = others.filter { $0.value(barcode.licence, visual) }.keys.sorted()
    if let found = check, !differing.isEmpty {
      check?.result = found.result == .pass ? .review : found.result
      check?.fields += differing
    }
    return check
  }

  /// An address identifies the holder weakly, so a printed line with a character that may be misread is not compared.
  private func addressDiffers(_ licence: AAMVA.Licence, _ visual: VisualZone) -> Bool {
    guard let printed = certain(.address, visual) else { return false }
    return FieldComparison.addressLine(printed, of: licence.address) == .review
  }

  private func issueDateDiffers(_ licence: AAMVA.Licence, _ visual: VisualZone) -> Bool {
    guard let issued = licence.issueDate, let printed = certain(.issueDate, visual).flatMap({ CalendarDate($0) })
    else { return false }
    return printed != issued && !Confusables.mayBeMisread(printed.isoText, as: issued.isoText)
  }

  /// Classes are a letter or two, in any order, with separators of the issuer between them; a longer text is not a list
  /// of classes and is not compared. Letters that look alike count as the same.
  private func classDiffers(_ licence: AAMVA.Licence, _ visual: VisualZone) -> Bool {
    func letters(_ text: String?) -> [UInt8] {
      Array((text ?? "").uppercased().filter { $0.isASCII && $0.isLetter }.utf8)
    }
    let classesMax = 3
    var (printed, coded) = (letters(certain(.categories, visual)), letters(licence.vehicleClass))
    guard !printed.isEmpty, !coded.isEmpty, max(printed.count, coded.count) <= classesMax else { return false }
    guard printed.count == coded.count else { return true }
    // Equal letters are paired first, so that none of them is paired with another letter that looks like it.
    for isSame in [{ $0 == $1 }, Confusables.areConfusable] as [(UInt8, UInt8) -> Bool] {
      printed.removeAll { letter in
        guard let place = coded.firstIndex(where: { isSame(letter, $0) }) else { return false }
        coded.remove(at: place)
        return true
      }
    }
    return !printed.isEmpty
  }

  private func certain(_ field: VisualZone.Field, _ visual: VisualZone) -> String? {
    visual.values[field].flatMap { $0.confidence >= PrintedPerson.certainMin ? $0.text : nil }
  }

  private func compared(
    _ code: EvidenceCheck.Code, _ machine: PrintedPerson?, with visual: PrintedPerson
  ) -> EvidenceCheck? {
    guard let machine else { return nil }
    return check(code, machine.compare(with: visual))
  }

  private func check(_ code: EvidenceCheck.Code, _ outcome: PrintedPerson.Outcome) -> EvidenceCheck {
    if !outcome.differing.isEmpty { return EvidenceCheck(code, .fail, fields: outcome.differing.map(\.rawValue)) }
    if !outcome.unclear.isEmpty { return EvidenceCheck(code, .review, fields: outcome.unclear.map(\.rawValue)) }
    return EvidenceCheck(code, .pass)
  }

  private func barcodeConsistency(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let barcode = reading.barcode else { return nil }
    if barcode.source == .client { return EvidenceCheck(.barcodeConsistency, .review, fields: ["barcode"]) }
    let impossible: Set<AAMVA.Flag> = [.issuedAfterExpiry, .bornAfterIssue]
    let flags = barcode.licence.flags
    if flags.contains(where: impossible.contains) { return EvidenceCheck(.barcodeConsistency, .fail) }
    return EvidenceCheck(.barcodeConsistency, flags.isEmpty ? .pass : .review)
  }

  /// Only the fields that the template says the code has are compared, and names only where the code has them whole.
  private func qrConsistency(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let code = reading.qr.map({ PrintedPerson(qr: $0) }) else { return nil }
    let others = [reading.mrzPerson, reading.visualZone.map { PrintedPerson(visual: $0) }].compactMap(\.self)
      .filter { !$0.isClaimed }
    var outcome = PrintedPerson.Outcome()
    for field in PrintedPerson.Field.allCases where code.has(field) && (field != .name || code.isNameWhole) {
      let verdicts = others.filter { $0.has(field) }.map { code.verdict(field, $0) }
      switch verdicts.isEmpty ? .pass : Verdict.worst(of: verdicts) {
      case .pass: break
      case .review: outcome.unclear.append(field)
      case .fail: outcome.differing.append(field)
      }
    }
    return check(.qrConsistency, outcome)
  }

  private func specimen(_ reading: DocumentReading) -> EvidenceCheck? {
    guard reading.hasContent else { return nil }
    return EvidenceCheck(.specimen, .init(reading.specimenVerdict))
  }

  private func stateCodes(_ reading: DocumentReading) -> EvidenceCheck? {
    guard let mrz = reading.mrz, mrz.fields != nil else { return nil }
    let findings = DocumentFinding.findings(in: mrz.result)
    var fields: [String] = []
    if findings.contains(.unknownIssuingState) { fields.append("issuing_state") }
    if findings.contains(.unknownNationality) { fields.append("nationality") }
    if findings.contains(.unexpectedDocumentCode) { fields.append("document_code") }
    return EvidenceCheck(.stateCodes, fields.isEmpty ? .pass : .review, fields: fields)
  }

  private func portrait(_ reading: DocumentReading) -> EvidenceCheck? {
    guard (reading.expected ?? reading.detected)?.carriesPortrait == true, let portrait = reading.portrait else {
      return nil
    }
    return EvidenceCheck(.portrait, portrait.faceSeen ? .pass : .inconclusive)
  }

  private func imageQuality(_ reading: DocumentReading) -> EvidenceCheck {
    EvidenceCheck(
      .imageQuality, reading.quality.passes ? .pass : .review,
      fields: reading.quality.issues.filter { $0.severity == .fail }.map(\.code.rawValue))
  }
}

extension MRZ.CheckDigits {
  /// Wire names of the fields whose check digit is wrong.
  var failingFields: [String] {
    let named: [(String, MRZ.CheckDigit?)] = [
      ("document_number", documentNumber), ("birth_date", birthDate), ("expiry_date", expiryDate),
      ("optional_data_1", optionalData), ("composite", composite),
    ]
    return named.compactMap { name, digit in digit?.ok == false ? name : nil }
  }
}
