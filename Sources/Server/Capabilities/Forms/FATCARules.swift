// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// The rules of a FATCA form (Rubix §7.2).
///
/// 1. A US person gives a W-9, any other person a W-8BEN, and never both.
/// 2. Indicia of a person who is no US person are cured by a document of the application that the US did not issue; a
///    birth in the US also by the certificate of loss of nationality or an explanation.
/// 3. What the CRS form says of US residence, address and birth is said here too.
/// 4. The certification is accepted and signed.
/// 5. A W-8BEN counts until the end of the third calendar year after signing (26 CFR 1.1441-1(e)(4)(ii)).
package enum FATCARules {
  /// - Parameters:
  ///   - crs: the stored CRS form of the same application, when there is one already.
  ///   - today: the server's day.
  package static func check(
    _ results: FATCAResults, verified: VerifiedIdentity, crs: CRSResults? = nil, today: WireDate
  ) -> FormReview {
    var review = FormReview()
    let path = FormPath.results
    if results.isUSPerson {
      checkUSPerson(results, verified: verified, at: path, &review)
    } else {
      checkForeigner(results, verified: verified, crs: crs, today: today, at: path, &review)
    }
    if let crs { checkConsistency(results, with: crs, at: path, &review) }
    SignatureRules.check(results.certification, by: verified, today: today, at: path / "certification", &review)
    if !results.isUSPerson { review.validUntil = validUntil(signedOn: results.certification.signedOn) }
    return review
  }

  /// The last day on which a W-8BEN counts: 31 December of the third calendar year after the year of signing.
  package static func validUntil(signedOn: WireDate) -> WireDate? {
    WireDate(year: signedOn.year + 3, month: 12, day: 31)
  }

  private static func checkUSPerson(
    _ results: FATCAResults, verified: VerifiedIdentity, at path: FormPath, _ review: inout FormReview
  ) {
    if results.form != .w9 { review.refuse(path / "form", "wrong-form", "A US person gives a W-9.") }
    if results.w8ben != nil {
      review.refuse(path / "w8ben", "not-applicable", "A US person gives no W-8BEN.")
    }
    if results.cure != nil {
      review.refuse(path / "cure", "not-applicable", "Only a person who is no US person explains indicia.")
    }
    guard let w9 = results.w9 else { return review.refuse(path / "w9", "required", "A US person gives a W-9.") }
    checkW9(w9, verified: verified, at: path / "w9", &review)
  }

  private static func checkForeigner(
    _ results: FATCAResults, verified: VerifiedIdentity, crs: CRSResults?, today: WireDate, at path: FormPath,
    _ review: inout FormReview
  ) {
    if results.form != .w8ben {
      review.refuse(path / "form", "wrong-form", "A person who is no US person gives a W-8BEN.")
    }
    if results.w9 != nil {
      review.refuse(path / "w9", "not-applicable", "Only a US person gives a W-9.")
    }
    checkCure(results, verified: verified, at: path, &review)
    guard let w8ben = results.w8ben else {
      return review.refuse(path / "w8ben", "required", "A person who is no US person gives a W-8BEN.")
    }
    checkW8BEN(w8ben, verified: verified, crs: crs, today: today, at: path / "w8ben", &review)
    let hasUSAddress = w8ben.permanentAddress.country == "US" || w8ben.mailingAddress?.country == "US"
    if hasUSAddress && !results.usIndicia.usAddress {
      review.refuse(
        path / "us_indicia" / "us_address", "indicium-undeclared", "The form names a US address; please say so here.")
    }
  }

  private static func checkCure(
    _ results: FATCAResults, verified: VerifiedIdentity, at path: FormPath, _ review: inout FormReview
  ) {
    let indicia = results.usIndicia
    let place = path / "cure"
    FormText.check(
      results.cure?.explanation, at: place / "explanation", required: false, max: FormText.explanationMax, &review)
    guard indicia.isAny else { return }
    if indicia.usCitizen || indicia.usResidentOrGreenCard {
      review.flag(path / "is_us_person", "us-person-doubtful", "A US citizen or resident is a US person as a rule.")
    }
    guard let cure = results.cure else {
      return review.refuse(place, "required", "What points to the US needs a document or an explanation.")
    }
    checkDocument(cure.documentID, verified: verified, at: place / "document_id", &review)
    if let id = cure.lossOfNationalityID {
      FormText.checkID(id, at: place / "loss_of_nationality_id", required: "This is not the id of a document.", &review)
    } else if indicia.usPlaceOfBirth {
      FormText.checkExplanation(
        cure.explanation, at: place / "explanation",
        "A birth in the US needs the certificate of loss of nationality or an explanation of at least 10 characters.",
        &review)
    }
    review.flag(place, "us-indicia-cured", "Something points to the US; the holder gave documents against it.")
  }

  /// A passport of this application that the United States did not issue.
  private static func checkDocument(
    _ id: String?, verified: VerifiedIdentity, at path: FormPath, _ review: inout FormReview
  ) {
    guard let id, !id.isEmpty else {
      return review.refuse(path, "required", "Please name the passport of another country than the US.")
    }
    guard let document = verified.documents.first(where: { $0.id == id }) else {
      return review.refuse(path, "unknown-document", "This is no document of this application.")
    }
    switch (document.type, document.issuingState) {
    case (_, "USA"), (.drivingLicense, _), (.selfie, _), (.liveness, _):
      review.refuse(path, "wrong-document", "A passport of another country than the US is needed.")
    case (.passport, .some): break
    default:
      // Annex I, II.B.4(a) of the model agreement also lets another official document show the nationality.
      review.flag(path, "cure-by-other-document", "The document against US indicia is no passport, or was not read.")
    }
  }

  private static func checkConsistency(
    _ results: FATCAResults, with crs: CRSResults, at path: FormPath, _ review: inout FormReview
  ) {
    let isUSResident = crs.taxResidences.contains { $0.country == "US" }
    switch (isUSResident, results.isUSPerson) {
    case (true, false):
      if FormText.isExplained(results.cure?.explanation) || FormText.isExplained(crs.explanation) {
        review.flag(
          path / "is_us_person", "us-residence-not-us-person", "A US tax resident who is no US person, with a reason.")
      } else {
        review.refuse(
          path / "is_us_person", "us-person-mismatch",
          "Your CRS form names the US as a tax residence. Please correct it or explain in at least 10 characters.")
      }
    case (false, true):
      review.flag(
        path / "is_us_person", "us-person-without-us-residence", "A US person who names no tax residence in the US.")
    default: break
    }
    guard !results.isUSPerson else { return }
    if CRSRules.hasUSAddress(crs) && !results.usIndicia.usAddress {
      review.refuse(
        path / "us_indicia" / "us_address", "indicium-undeclared",
        "Your CRS form names a US address; please say so here.")
    }
    if crs.accountHolder.placeOfBirth.country == "US" && !results.usIndicia.usPlaceOfBirth {
      review.refuse(
        path / "us_indicia" / "us_place_of_birth", "indicium-undeclared",
        "Your CRS form names a birth in the US; please say so here.")
    }
  }
}

extension FATCAResults.USIndicia {
  /// Whether anything points to the United States.
  var isAny: Bool {
    usCitizen || usResidentOrGreenCard || usPlaceOfBirth || usAddress || usPhone || usStandingInstructions
      || usPowerOfAttorney || usHoldMailOnly
  }
}
