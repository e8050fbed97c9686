// SPDX-License-Identifier: Apache-2.0

import Forms
import Foundation
import GatehouseWire
import HTTP
import RubixWire

/// The body of one compliance form, read but not yet checked (rubix-onboarding §6.12).
enum FormAnswers: Sendable {
  case crs(CRSSubmission)
  case fatca(FATCASubmission)
  case kyc(KYCSubmission)

  /// - Throws: `Problem` invalid-json, unknown-field or validation-failed.
  init(_ body: RequestContent, as kind: ComplianceFormKind) throws {
    switch kind {
    case .crs: self = .crs(try body.decode(as: CRSSubmission.self))
    case .fatca: self = .fatca(try body.decode(as: FATCASubmission.self))
    case .kyc: self = .kyc(try body.decode(as: KYCSubmission.self))
    }
  }

  /// Reads what `encoded()` wrote.
  init(_ stored: Data, as kind: ComplianceFormKind) throws {
    switch kind {
    case .crs: self = .crs(try WireJSON.decode(CRSSubmission.self, stored: stored))
    case .fatca: self = .fatca(try WireJSON.decode(FATCASubmission.self, stored: stored))
    case .kyc: self = .kyc(try WireJSON.decode(KYCSubmission.self, stored: stored))
    }
  }

  func encoded() throws -> Data {
    switch self {
    case .crs(let submission): try WireJSON.encode(submission)
    case .fatca(let submission): try WireJSON.encode(submission)
    case .kyc(let submission): try WireJSON.encode(submission)
    }
  }

  /// The form whose stored answers this one must agree with (rubix-onboarding §7.1, §7.2).
  static func counterpart(of kind: ComplianceFormKind) -> ComplianceFormKind? {
    switch kind {
    case .crs: .fatca
    case .fatca: .crs
    case .kyc: nil
    }
  }

  /// Applies the rules of the form and those around it.
  /// - Parameters:
  ///   - counterpart: the other form of the same application, when there is one already.
  ///   - issuing: which countries issue no numbers.
  func review(
    against template: ComplianceTemplate, counterpart: FormAnswers?, verified: VerifiedIdentity, today: WireDate,
    issuing: TINIssuingTable = .standard
  ) -> FormReview {
    switch self {
    case .crs(let submission):
      var fatca: FATCAResults?
      if case .fatca(let other) = counterpart { fatca = other.results }
      return around(submission, template)
        + CRSRules.check(submission.results, verified: verified, fatca: fatca, today: today, issuing: issuing)
    case .fatca(let submission):
      var crs: CRSResults?
      if case .crs(let other) = counterpart { crs = other.results }
      return around(submission, template)
        + FATCARules.check(submission.results, verified: verified, crs: crs, today: today)
    case .kyc(let submission):
      return around(submission, template)
        + KYCRules.check(submission.results, against: template, verified: verified, today: today)
    }
  }

  private func around<Results>(
    _ submission: ComplianceSubmission<Results>, _ template: ComplianceTemplate
  ) -> FormReview {
    SubmissionRules.check(
      templateID: submission.templateID, version: submission.version, remarks: submission.remarks, against: template)
  }
}
