// SPDX-License-Identifier: Apache-2.0

import Foundation
import RubixWire

/// The rules of addresses: complete, in a country of the list, and a place where a person can live (Rubix §7.1, §7.2).
enum AddressRules {
  enum Kind {
    /// A P.O. box or in care of another person only with a reason, which is flagged.
    case residence
    /// Line 3 of W-8BEN: never a P.O. box, never in care of another person.
    case permanent
    case mailing
  }

  static func check(_ address: ComplianceAddress, as kind: Kind, at path: FormPath, _ review: inout FormReview) {
    FormText.check(address.line1, at: path / "line1", &review)
    FormText.check(address.line2, at: path / "line2", required: false, &review)
    FormText.check(address.city, at: path / "city", &review)
    FormText.check(address.region, at: path / "region", required: false, &review)
    FormText.check(address.postalCode, at: path / "postal_code", required: false, max: 20, &review)
    FormText.checkCountry(address.country, at: path / "country", &review)
    FormText.check(
      address.inCareOfReason, at: path / "in_care_of_reason", required: false, max: FormText.explanationMax, &review)
    if kind != .mailing { checkPlace(address, as: kind, at: path, &review) }
  }

  /// Checks that a mailing address is given only when it differs.
  static func check(
    mailing: ComplianceAddress?, besides address: ComplianceAddress, at path: FormPath, _ review: inout FormReview
  ) {
    guard let mailing else { return }
    check(mailing, as: .mailing, at: path, &review)
    if key(mailing) == key(address) {
      review.refuse(path, "same-address", "Leave the mailing address out when it is the same.")
    }
  }

  private static func checkPlace(
    _ address: ComplianceAddress, as kind: Kind, at path: FormPath, _ review: inout FormReview
  ) {
    let lines = [("line1", address.line1), ("line2", address.line2 ?? ""), ("city", address.city)]
    for (member, line) in lines {
      let code: String
      if PostalPhrase.isBox(line) {
        code = "po-box"
      } else if PostalPhrase.isCareOf(line) {
        code = "in-care-of"
      } else {
        continue
      }
      if kind == .residence && FormText.isExplained(address.inCareOfReason) {
        review.flag(path / member, code, "The residence is a P.O. box or in care of another person, with a reason.")
      } else if kind == .residence {
        review.refuse(path / member, code, "A P.O. box or care-of address is no residence, unless you give the reason.")
      } else {
        review.refuse(path / member, code, "A W-8BEN needs a permanent address without P.O. box and care-of.")
      }
    }
  }

  /// What two spellings of an address have in common: letters and digits, in capitals.
  private static func key(_ address: ComplianceAddress) -> String {
    [address.line1, address.line2 ?? "", address.city, address.region ?? "", address.postalCode ?? "", address.country]
      .joined(separator: " ").uppercased().filter { $0.isLetter || $0.isNumber }
  }
}
