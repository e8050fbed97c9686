// SPDX-License-Identifier: Apache-2.0

import RubixWire

/// What every submission keeps to, whatever the form: the template that was shown is the one in force (Rubix §6.12).
package enum SubmissionRules {
  /// Checks what stands around the results of a submission.
  package static func check(
    templateID: String, version: Int, remarks: String?, against template: ComplianceTemplate
  ) -> FormReview {
    var review = FormReview()
    if templateID.lowercased() != template.id.lowercased() {
      review.refuse(.body / "template_id", "unknown-template", "This is not the template of this form.")
    } else if version != template.version {
      review.refuse(.body / "version", "outdated-template", "The form has changed. Please fetch it again.")
    }
    FormText.check(remarks, at: .body / "remarks", required: false, max: FormText.explanationMax, &review)
    return review
  }
}

extension FormReview {
  /// Both reviews as one.
  package static func + (left: FormReview, right: FormReview) -> FormReview {
    var sum = left
    sum.errors += right.errors
    sum.flags += right.flags
    sum.validUntil = left.validUntil ?? right.validUntil
    return sum
  }
}
