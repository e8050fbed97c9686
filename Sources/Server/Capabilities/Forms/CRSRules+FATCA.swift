// SPDX-License-Identifier: Apache-2.0

import RubixWire

/// What the two tax forms of one person must agree on, whichever comes second (Rubix §7.1 last rule, §7.2).
extension CRSRules {
  static func checkConsistency(
    _ results: CRSResults, with fatca: FATCAResults, at path: FormPath, _ review: inout FormReview
  ) {
    let row = results.taxResidences.firstIndex { $0.country == "US" }
    switch (row, fatca.isUSPerson) {
    case (let row?, false):
      let place = path / "tax_residences" / row / "country"
      if FormText.isExplained(results.explanation) || FormText.isExplained(fatca.cure?.explanation) {
        review.flag(place, "us-residence-not-us-person", "A US tax resident who is no US person; the holder explained.")
      } else {
        review.refuse(
          place, "us-person-mismatch",
          "Your FATCA form says that you are no US person. Please correct it or explain in at least 10 characters.")
      }
    case (nil, true):
      review.flag(
        path / "tax_residences", "us-person-without-us-residence", "A US person who names no tax residence in the US.")
    case (let row?, true):
      let tins = [results.taxResidences[row].tin, fatca.w9?.tin].map { TINText($0 ?? "")?.compact ?? [] }
      if !tins[0].isEmpty && !tins[1].isEmpty && tins[0] != tins[1] {
        review.flag(path / "tax_residences" / row / "tin", "tin-differs", "The two forms name different US numbers.")
      }
    case (nil, false): break
    }
    if !fatca.isUSPerson {
      checkIndicia(
        fatca.usIndicia, against: results, path / "residence_address", birth: path / "account_holder", &review)
    }
  }

  /// A holder whose CRS form names a US address or birth ticked the indicium in the FATCA form.
  private static func checkIndicia(
    _ indicia: FATCAResults.USIndicia, against results: CRSResults, _ address: FormPath, birth: FormPath,
    _ review: inout FormReview
  ) {
    if hasUSAddress(results) && !indicia.usAddress {
      review.refuse(
        address / "country", "indicium-undeclared", "Your FATCA form does not mention a US address. Please correct it.")
    }
    if results.accountHolder.placeOfBirth.country == "US" && !indicia.usPlaceOfBirth {
      review.refuse(
        birth / "place_of_birth" / "country", "indicium-undeclared",
        "Your FATCA form does not mention a birth in the US. Please correct it.")
    }
  }

  static func hasUSAddress(_ results: CRSResults) -> Bool {
    results.residenceAddress.country == "US" || results.mailingAddress?.country == "US"
  }
}
