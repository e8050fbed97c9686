// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// The rules of a CRS self-certification (Rubix §7.1).
///
/// 1. Names and date of birth are those of the verified document.
/// 2. The residence is no P.O. box, unless there is a reason; a mailing address is given only when it differs.
/// 3. One to five tax residences, countries distinct, each with a number or a reason (`CRSRules+TaxResidence.swift`).
/// 4. A country of residence that is no tax residence is explained, and flagged.
/// 5. A US tax resident states it in the FATCA form too, or explains.
/// 6. The declaration is accepted and signed.
package enum CRSRules {
  /// - Parameters:
  ///   - fatca: the stored FATCA form of the same application, when there is one already.
  ///   - today: the server's day.
  ///   - issuing: which countries issue no numbers.
  package static func check(
    _ results: CRSResults, verified: VerifiedIdentity, fatca: FATCAResults? = nil, today: WireDate,
    issuing: TINIssuingTable = .standard
  ) -> FormReview {
    var review = FormReview()
    let path = FormPath.results
    checkHolder(results.accountHolder, verified: verified, today: today, at: path / "account_holder", &review)
    AddressRules.check(results.residenceAddress, as: .residence, at: path / "residence_address", &review)
    AddressRules.check(
      mailing: results.mailingAddress, besides: results.residenceAddress, at: path / "mailing_address", &review)
    checkTaxResidences(results.taxResidences, issuing: issuing, at: path / "tax_residences", &review)
    checkResidenceCountry(results, at: path, &review)
    if let fatca { checkConsistency(results, with: fatca, at: path, &review) }
    FormText.check(
      results.explanation, at: path / "explanation", required: false, max: FormText.explanationMax, &review)
    SignatureRules.check(results.declaration, by: verified, today: today, at: path / "declaration", &review)
    return review
  }

  private static func checkHolder(
    _ holder: CRSResults.AccountHolder, verified: VerifiedIdentity, today: WireDate, at path: FormPath,
    _ review: inout FormReview
  ) {
    FormText.check(holder.title, at: path / "title", required: false, max: 20, &review)
    let hasOneName = FormText.trimmed(verified.familyName).isEmpty || FormText.trimmed(verified.givenNames).isEmpty
    FormText.check(holder.familyName, at: path / "family_name", required: !hasOneName, &review)
    FormText.check(holder.firstName, at: path / "first_name", required: !hasOneName, &review)
    FormText.check(holder.middleNames, at: path / "middle_names", required: false, &review)
    checkNames(holder, hasOneName: hasOneName, NameRules(verified), at: path, &review)
    checkBirth(holder.dateOfBirth, verified: verified, today: today, at: path / "date_of_birth", &review)
    FormText.check(holder.placeOfBirth.city, at: path / "place_of_birth" / "city", &review)
    FormText.checkCountry(holder.placeOfBirth.country, at: path / "place_of_birth" / "country", &review)
  }

  private static func checkNames(
    _ holder: CRSResults.AccountHolder, hasOneName: Bool, _ rules: NameRules, at path: FormPath,
    _ review: inout FormReview
  ) {
    let given = [holder.firstName, holder.middleNames ?? ""].map(FormText.trimmed).joined(separator: " ")
    if hasOneName {
      let whole = given + " " + FormText.trimmed(holder.familyName)
      if FormText.trimmed(whole).isEmpty {
        review.refuse(path / "family_name", "required", "Please fill this in.")
      } else {
        NameRules.note(rules.compare(fullName: whole), at: path / "family_name", &review)
      }
      return
    }
    if !FormText.trimmed(holder.familyName).isEmpty {
      NameRules.note(rules.compare(familyName: holder.familyName), at: path / "family_name", &review)
    }
    if !FormText.trimmed(holder.firstName).isEmpty {
      NameRules.note(rules.compare(givenNames: given), at: path / "first_name", &review)
    }
  }

  /// The date of birth of a form: in the past, and that of the verified document.
  static func checkBirth(
    _ date: WireDate, verified: VerifiedIdentity, today: WireDate, at path: FormPath, _ review: inout FormReview
  ) {
    if date > today {
      review.refuse(path, "in-future", "The date of birth lies in the future.")
    } else if date != verified.dateOfBirth {
      review.refuse(path, "identity-mismatch", "The date of birth is not the one on the verified document.")
    }
  }

  private static func checkResidenceCountry(
    _ results: CRSResults, at path: FormPath, _ review: inout FormReview
  ) {
    let country = results.residenceAddress.country
    guard !results.taxResidences.contains(where: { $0.country == country }) else { return }
    if FormText.isExplained(results.explanation) {
      review.flag(
        path / "residence_address" / "country", "residence-not-tax-residence",
        "The country of residence is not among the tax residences; the holder explained why.")
    } else {
      FormText.checkExplanation(
        results.explanation, at: path / "explanation",
        "Please explain in at least 10 characters why you are not tax resident where you live.", &review)
    }
  }
}
