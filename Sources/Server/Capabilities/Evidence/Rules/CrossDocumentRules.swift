// SPDX-License-Identifier: Apache-2.0

import DocumentCore

/// The rules of a verification over all its evidence (identity-documents §8). Pure: the same evidence, the same
/// outcome.
///
/// 1. Any rule that fails → MISMATCH.  2. Else any that is for review → UNDETERMINED.  3. Else MATCH.
/// A face or liveness port without a model is `inconclusive`: it does not stand in the way, but an agent must look.
package struct CrossDocumentRules: Sendable {
  package let policy: VerificationPolicy

  package init(policy: VerificationPolicy) { self.policy = policy }

  package func decide(_ evidence: VerificationEvidence) -> VerificationOutcome {
    var findings = FaceRules().findings(evidence)
    var judged = evidence
    judged.documents = evidence.documents.filter { !$0.value.isOfDoubtfulKind }
    for kind in DocumentKind.allCases {
      guard let reading = evidence.documents[kind] else { continue }
      findings += SingleDocumentRules(policy: policy).findings(kind, reading, sides: judged.sides(beside: kind))
    }
    findings += PairRules().findings(judged)
    findings += ApplicantRules(policy: policy).findings(judged)
    return outcome(of: findings, documents: evidence.documents)
  }

  private func outcome(
    of findings: [RuleFinding], documents: [DocumentKind: DocumentReading]
  ) -> VerificationOutcome {
    let results = findings.map(\.result)
    var status = VerificationOutcome.Status.match
    if results.contains(.review) { status = .undetermined }
    if results.contains(.fail) { status = .mismatch }
    // Nothing was compared with anything: that is no match.
    if documents.isEmpty { status = .undetermined }
    let severity: EvidenceCheck.Result = status == .mismatch ? .fail : .review
    var retake: [CapturedImage] = []
    if status != .match {
      for finding in findings where finding.result == severity {
        for image in finding.images where !retake.contains(image) { retake.append(image) }
      }
    }
    return VerificationOutcome(
      status: status, rules: merged(findings), retake: retake, agentRequired: results.contains(.inconclusive))
  }

  /// One line per rule: the worst of its findings.
  private func merged(_ findings: [RuleFinding]) -> [VerificationOutcome.Rule] {
    VerificationOutcome.RuleCode.allCases.compactMap { code in
      let own = findings.filter { $0.code == code }
      guard let worst = own.max(by: { $0.result.rank < $1.result.rank }) else { return nil }
      var reasons: [String] = []
      for reason in own.flatMap(\.reasons) where !reasons.contains(reason) { reasons.append(reason) }
      return .init(code, worst.result, score: worst.score, threshold: worst.threshold, reasons: reasons)
    }
  }
}

/// What one application of a rule came to, and which images to take again if it was not good.
struct RuleFinding {
  var code: VerificationOutcome.RuleCode
  var result: EvidenceCheck.Result
  var images: [CapturedImage] = []
  var reasons: [String] = []
  var score: Double?
  var threshold: Double?
}

extension EvidenceCheck.Result {
  /// pass < inconclusive < review < fail.
  var rank: Int {
    switch self {
    case .pass: 0
    case .inconclusive: 1
    case .review: 2
    case .fail: 3
    }
  }
}
