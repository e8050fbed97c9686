// SPDX-License-Identifier: Apache-2.0

import Evidence
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: what a rule of documents means for an applicant", .storeless)
struct IdentityEvaluatorTests {
  @Test(
    "a barcode with another address, date of issue or class than the print is no failure, and beside it others are",
    arguments: [
      (["address"], true), (["issue_date"], true), (["address", "categories", "issue_date"], true),
      (["name", "issue_date"], false), (["document_number"], false), ([], false),
    ] as [([String], Bool)])
  func barcode(reasons: [String], isAside: Bool) {
    let rule = VerificationOutcome.Rule(.barcodeVsVisual, .review, reasons: reasons)
    #expect(IdentityEvaluator.codes(of: rule) == (isAside ? [] : [.idVerification]))
    let failed = VerificationOutcome.Rule(.barcodeVsVisual, .fail, reasons: reasons)
    #expect(IdentityEvaluator.codes(of: failed) == [.idValidation])
  }
}
