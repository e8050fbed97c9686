// SPDX-License-Identifier: Apache-2.0

import GatehouseWire
import RubixWire

/// The rules of a KYC form: those of its template, and what an agent must look at (FATF recommendation 12).
package enum KYCRules {
  /// Checks the answers, `results` of a submission, against a template.
  package static func check(
    _ answers: [KYCAnswer], against template: ComplianceTemplate, verified: VerifiedIdentity, today: WireDate
  ) -> FormReview {
    var review = TemplateRules.check(answers, against: template, verified: verified, today: today)
    for (index, answer) in answers.prefix(TemplateRules.answersMax).enumerated() {
      let path = FormPath.results / index
      switch (answer.questionID, answer.truth) {
      case ("pep", true?): review.flag(path, "pep", "A politically exposed person, by the customer's own word.")
      case ("own_account", false?): review.flag(path, "acts-for-another", "The account is for another person.")
      default: break
      }
    }
    return review
  }
}

extension KYCAnswer {
  /// The answer to a boolean question; nil for any other.
  fileprivate var truth: Bool? {
    switch value {
    case .boolean(let boolean): boolean
    case .text("true"): true
    case .text("false"): false
    default: nil
    }
  }
}
