// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The checks of each document, carried over into the verification.
struct SingleDocumentRules {
  let policy: VerificationPolicy

  /// - Parameter sides: other sides of the same document, which may say again what this one says.
  func findings(
    _ kind: DocumentKind, _ reading: DocumentReading, sides: [DocumentReading] = []
  ) -> [RuleFinding] {
    let image = CapturedImage(kind)
    if reading.isOfDoubtfulKind {
      return [
        RuleFinding(code: .documentType, result: .review, images: [image], reasons: reading.failure?.fields ?? [])
      ]
    }
    var found: [RuleFinding] = []
    if let failure = reading.failure {
      found.append(
        RuleFinding(
          code: .documentType, result: failure.code == .wrongDocumentType ? .fail : .review, images: [image],
          reasons: failure.fields))
    } else {
      found.append(RuleFinding(code: .documentType, result: .pass))
    }
    let carried: [(EvidenceCheck.Code, VerificationOutcome.RuleCode)] = [
      (.mrzCheckDigits, .mrzCheckDigits), (.mrzLegibility, .mrzLegibility), (.mrzVsVisual, .mrzVsVisual),
      (.barcodeVsVisual, .barcodeVsVisual), (.barcodeConsistency, .barcodeConsistency),
      (.qrConsistency, .qrConsistency), (.stateCodes, .stateCodes),
    ]
    for (check, rule) in carried {
      guard let check = reading.check(check) else { continue }
      found.append(
        RuleFinding(code: rule, result: binding(check.result), images: [image], reasons: check.fields))
    }
    found.append(expiry(kind, reading, sides))
    let specimen = reading.specimenVerdict
    if specimen != .pass {
      found.append(
        RuleFinding(code: .specimen, result: policy.acceptsSpecimens ? .pass : .init(specimen), images: [image]))
    }
    return found
  }

  /// Judged again, against the day of the verification: the reading may be older. A date that may be misread decides
  /// neither that the document is over nor that it is valid (decision 75).
  private func expiry(_ kind: DocumentKind, _ reading: DocumentReading, _ sides: [DocumentReading]) -> RuleFinding {
    let image = CapturedImage(kind)
    if let expiry = reading.expiryDate {
      let verdict = FieldComparison.expiry(expiry, today: policy.today)
      let isDoubtful = !reading.isExpirySettled(by: sides)
      return RuleFinding(
        code: .expiry, result: isDoubtful ? .review : .init(verdict), images: [image],
        reasons: isDoubtful ? ["expiry_date"] : [])
    }
    let unlimited =
      reading.mrz?.result.warnings.contains(.expiryDateUnspecified) == true
      || reading.barcode.map { $0.source != .client && $0.licence.expiryDate == nil } == true
    return RuleFinding(
      code: .expiry, result: unlimited ? .pass : .review, images: [image],
      reasons: unlimited ? [] : ["expiry_date"])
  }

  /// Only a missing model may be inconclusive in a verification.
  private func binding(_ result: EvidenceCheck.Result) -> EvidenceCheck.Result {
    result == .inconclusive ? .review : result
  }
}
