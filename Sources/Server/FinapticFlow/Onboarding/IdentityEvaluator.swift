// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Evidence
import FinapticWire
import Foundation

/// Judges the evidence of an applicant by codes of failure (finaptic §5.5). Pure; doubtful evidence never passes.
struct IdentityEvaluator {
  let personal: FinapticAPI.PersonalDetails
  let today: CalendarDate

  /// 1. A picture that cannot be read: verification. 2. Of the wrong kind, forged, of another state, at odds with
  /// itself or with the other side: validation. 3. Expired. 4. Another name. 5. Another date of birth.
  func documents(_ documents: IdentityEvidence.Documents) -> [FailureCode] {
    var codes: Set<FailureCode> = []
    for index in documents.submitted.indices {
      let sides = documents.sides.filter { $0.document == index }
      if sides.isEmpty || !sides.contains(where: { $0.isFront && $0.hasPortrait }) { codes.insert(.idVerification) }
      for (place, side) in sides.enumerated() {
        guard let reading = side.reading else {
          codes.insert(.idVerification)
          continue
        }
        let others = sides.indices.filter { $0 != place }.compactMap { sides[$0].reading }
        codes.formUnion(failures(reading, side.kind, others: others))
      }
    }
    return FailureCode.first(of: codes)
  }

  /// - Parameter others: the other sides of the document.
  private func failures(
    _ reading: DocumentReading, _ kind: Evidence.DocumentKind, others: [DocumentReading]
  ) -> Set<FailureCode> {
    if let failure = reading.failure { return [failure.code == .wrongDocumentType ? .idValidation : .idVerification] }
    var codes: Set<FailureCode> = []
    if let state = reading.mrz?.fields?.issuingState, FieldComparison.state(state, "CAN") != .pass {
      codes.insert(.idValidation)
    }
    // The age is another rule's, and specimens are for sandboxes.
    let policy = VerificationPolicy(today: today, minimumAge: nil, acceptsSpecimens: false)
    let outcome = CrossDocumentRules(policy: policy).decide(
      VerificationEvidence(documents: [kind: reading], otherSides: [kind: others], application: declared))
    for rule in outcome.rules where rule.result != .pass {
      codes.formUnion(Self.codes(of: rule))
    }
    return codes
  }

  private var declared: ApplicationData {
    ApplicationData(
      name: PersonName(
        primary: personal.lastName ?? "",
        secondary: [personal.firstName, personal.middleName].compactMap(\.self).joined(separator: " ")),
      birthDate: personal.dateOfBirth.flatMap { CalendarDate($0) })
  }

  /// Fields of a licence that say nothing of who its holder is.
  private static let asideOfHolder: Set = ["address", "issue_date", "categories"]

  static func codes(of rule: VerificationOutcome.Rule) -> Set<FailureCode> {
    switch rule.code {
    // Faces are judged by themselves; the age is judged by province.
    case .faceSelfieVsDocument, .faceSelfieVsLiveness, .faceAcrossDocuments, .liveness, .selfieLooks, .minimumAge: []
    case .applicationVsDocument:
      Set(rule.reasons.compactMap { ["name": .idNameMatch, "birth_date": .idBirthDateMatch][$0] })
    // A document that ends soon is still valid; a date that could not be read does not count.
    case .expiry:
      rule.result == .fail ? [.idExpired] : rule.reasons.isEmpty ? [] : [.idVerification]
    // Where the applicant lives is asked for by itself; since when and what they may drive does not matter.
    case .barcodeVsVisual
    where rule.result != .fail && !rule.reasons.isEmpty && Self.asideOfHolder.isSuperset(of: rule.reasons):
      []
    case .documentType, .mrzCheckDigits, .mrzLegibility, .mrzVsVisual, .barcodeVsVisual, .qrConsistency,
      .documentNumberFrontBack, .specimen, .sex, .nationality, .personalNumber, .nameAcrossDocuments,
      .birthDateAcrossDocuments:
      [rule.result == .fail ? .idValidation : .idVerification]
    // What is odd in its form only is for a person to look at, whom this flow does not have.
    case .barcodeConsistency, .stateCodes: rule.result == .fail ? [.idValidation] : []
    }
  }

  /// A living person, for certain.
  func selfie(_ selfie: IdentityEvidence.Selfie) -> [FailureCode] {
    selfie.liveness?.result == .live ? [] : [.selfieValidation]
  }

  /// The same person, for certain.
  func faces(_ comparison: FaceComparisonResult?) -> [FailureCode] {
    comparison?.result == .match ? [] : [.idSelfieMatch]
  }
}
