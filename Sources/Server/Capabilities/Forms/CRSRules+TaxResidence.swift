// SPDX-License-Identifier: Apache-2.0

import RubixWire

extension CRSRules {
  /// The most countries of tax residence that a form holds.
  package static let taxResidencesMax = 5

  static func checkTaxResidences(
    _ residences: [CRSResults.TaxResidence], issuing: TINIssuingTable, at path: FormPath, _ review: inout FormReview
  ) {
    if residences.isEmpty {
      review.refuse(path, "required", "Please name at least one country of tax residence.")
    }
    if residences.count > taxResidencesMax {
      review.refuse(path, "too-many", "At most \(taxResidencesMax) countries fit here.")
    }
    var seen: Set<String> = []
    // Beyond the most, the rows are refused as a whole: what they hold does not matter.
    for (index, residence) in residences.prefix(taxResidencesMax).enumerated() {
      let row = path / index
      FormText.checkCountry(residence.country, at: row / "country", &review)
      if !seen.insert(residence.country).inserted {
        review.refuse(row / "country", "duplicate", "This country is named twice.")
      }
      checkNumber(residence, issuing: issuing, at: row, &review)
    }
  }

  /// Exactly one of number and reason.
  private static func checkNumber(
    _ residence: CRSResults.TaxResidence, issuing: TINIssuingTable, at row: FormPath, _ review: inout FormReview
  ) {
    let tin = FormText.trimmed(residence.tin)
    switch (tin.isEmpty, residence.noTINReason) {
    case (true, nil):
      review.refuse(row / "tin", "tin-or-reason-required", "Please give the taxpayer number, or why there is none.")
    case (false, .some):
      review.refuse(row / "no_tin_reason", "tin-and-reason", "Give either the number or why there is none, not both.")
    case (true, let reason?):
      checkReason(reason, of: residence, issuing: issuing, at: row, &review)
    case (false, nil):
      checkFormat(tin, of: residence.country, at: row / "tin", &review)
      if issuing.countries[residence.country]?.issuesToIndividuals == false {
        review.flag(row / "tin", "tin-unexpected", "This country seldom issues numbers to individuals.")
      }
    }
    FormText.check(
      residence.noTINExplanation, at: row / "no_tin_explanation", required: false, max: FormText.explanationMax,
      &review)
  }

  /// Reasons A, B and C of the model form.
  private static func checkReason(
    _ reason: CRSResults.NoTINReason, of residence: CRSResults.TaxResidence, issuing: TINIssuingTable,
    at row: FormPath, _ review: inout FormReview
  ) {
    switch reason {
    case .notIssued:
      if issuing.issuesToIndividuals(residence.country) == true {
        review.flag(row / "no_tin_reason", "reason-doubtful", "This country issues numbers to individuals.")
      }
    case .notObtainable:
      FormText.checkExplanation(
        residence.noTINExplanation, at: row / "no_tin_explanation",
        "Please explain in at least 10 characters why you cannot obtain a number.", &review)
    case .notRequired:
      if issuing.countries[residence.country]?.requiresCollection != false {
        review.flag(row / "no_tin_reason", "reason-doubtful", "It is not known that this country's law allows that.")
      }
    default:
      review.refuse(row / "no_tin_reason", "unknown-reason", "The reason is one of A, B and C.")
    }
  }

  /// The format of a number, as an error or a flag.
  static func checkFormat(_ tin: String, of country: String, at path: FormPath, _ review: inout FormReview) {
    switch TINFormat.check(tin, of: country) {
    case .wellFormed: break
    case .wellFormedForOrganisation:
      review.flag(path, "tin-of-organisation", "The number has the form of a company's, not of a person's.")
    case .malformed:
      review.refuse(path, "tin-format", "The number has not the form that this country gives out.")
    case .wrongCheckDigit:
      review.refuse(path, "tin-check-digit", "The number has a slip: its check digit does not fit.")
    }
  }
}
