// SPDX-License-Identifier: Apache-2.0

import RubixWire

extension FATCARules {
  /// The lines of W-9, in their order.
  static func checkW9(
    _ form: FATCAResults.W9, verified: VerifiedIdentity, at path: FormPath, _ review: inout FormReview
  ) {
    checkName(form.name, verified: verified, at: path / "name", &review)
    FormText.check(form.businessName, at: path / "business_name", required: false, &review)
    if form.taxClassification != "individual" {
      review.refuse(path / "tax_classification", "not-individual", "Only individuals are onboarded here.")
    }
    checkExemptions(form, at: path, &review)
    AddressRules.check(form.address, as: .mailing, at: path / "address", &review)
    checkTIN(form, at: path, &review)
    if form.backupWithholdingNotified {
      review.flag(path / "backup_withholding_notified", "backup-withholding", "Backup withholding applies.")
    }
  }

  /// Payee codes are 1–13, FATCA codes A–M; individuals are seldom exempt.
  private static func checkExemptions(
    _ form: FATCAResults.W9, at path: FormPath, _ review: inout FormReview
  ) {
    if let code = form.exemptPayeeCode, !code.isEmpty {
      if (1...13).contains(where: { String($0) == code }) {
        review.flag(path / "exempt_payee_code", "exempt-individual", "Individuals are seldom exempt.")
      } else {
        review.refuse(path / "exempt_payee_code", "unknown-code", "The code is a number from 1 to 13.")
      }
    }
    if let code = form.fatcaExemptionCode, !code.isEmpty {
      if "ABCDEFGHIJKLM".contains(where: { String($0) == code }) {
        review.flag(path / "fatca_exemption_code", "exempt-individual", "Individuals are seldom exempt.")
      } else {
        review.refuse(path / "fatca_exemption_code", "unknown-code", "The code is a letter from A to M.")
      }
    }
  }

  private static func checkTIN(_ form: FATCAResults.W9, at path: FormPath, _ review: inout FormReview) {
    let number: USTaxpayerNumber
    switch form.tinType {
    case .ssn: number = .ssn
    case .itin: number = .itin
    case .ein: number = .ein
    default: return review.refuse(path / "tin_type", "unknown-type", "The number is an SSN, an ITIN or an EIN.")
    }
    if !number.fits(form.tin) {
      review.refuse(path / "tin", "tin-format", "The number has not the form of its type.")
    } else if number == .ein {
      review.flag(path / "tin", "tin-of-organisation", "An individual gives an SSN or ITIN as a rule.")
    }
  }
}
