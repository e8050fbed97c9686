// SPDX-License-Identifier: Apache-2.0

import Activations
import Casework
import Console
import Kit
import OneAssistFlow
import RubixFlow
import RubixWire
import WultraFlow

/// What takes two persons, by its fields, for who agrees to it: on its case, and on the page of approvals.
extension [CaseDetails.Fact] {
  /// Of a verdict of staff, of letting a blocked device in again, of an export or an erasure, or of what a bank does
  /// about money and accounts; nil for other acts, whose content is in words already.
  static func all(of act: BoundAct) -> [CaseDetails.Fact]? {
    if let verdict = AgentVerificationRequest(act) { return all(of: verdict) }
    if Activation.isUnblocking(act) {
      let words = Phrase("stop_\(act.content.lowercased())", otherwise: act.content)
      return [CaseDetails.Fact(labelled: Phrase("reason"), words)]
    }
    if let words = BankActTexts(act) { return words.facts }
    if let summary = RightsRequest.Summary(act) { return all(of: summary) }
    guard ReviewCase.isVerdict(act) || MembershipVerdict(act) != nil else { return nil }
    return reason(of: act)
  }

  /// The verdict of a call.
  static func all(of verdict: AgentVerificationRequest) -> [CaseDetails.Fact] {
    let answers = verdict.checklist.map { item in
      CaseDetails.Fact(
        labelled: Phrase("question_" + item.code.replacing("-", with: "_"), otherwise: item.code),
        Phrase("answer_\(item.result.rawValue)", otherwise: item.result.rawValue))
    }
    let reason = verdict.failureReason.map { Phrase("failure_\($0.rawValue)", otherwise: $0.rawValue) }
    return answers
      + [
        reason.map { CaseDetails.Fact(labelled: Phrase("failure_reason"), $0) },
        verdict.notes.map { CaseDetails.Fact(labelled: Phrase("case_notes"), Phrase(plain: $0)) },
      ].compactMap(\.self)
  }

  /// What a person asked of the institution.
  private static func all(of summary: RightsRequest.Summary) -> [CaseDetails.Fact] {
    var facts = [
      CaseDetails.Fact(labelled: Phrase("rights_subject"), Phrase(plain: summary.person)),
      CaseDetails.Fact(
        labelled: Phrase("rights_place"), Phrase(plain: "\(summary.place.flow): \(summary.place.tenant)")),
      CaseDetails.Fact(labelled: Phrase("reason"), Phrase(plain: summary.reason)),
    ]
    if summary.despiteDuty {
      facts.append(CaseDetails.Fact(labelled: Phrase("approval_content"), Phrase("rights_despite")))
    }
    if let way = summary.money {
      let words = Phrase("rights_money_" + way.replacing("-", with: "_"), otherwise: way)
      facts.append(CaseDetails.Fact(labelled: Phrase("rights_money"), words))
    }
    return facts
  }

  /// The verdict of a review, whose content is its reason; empty without one.
  static func reason(of act: BoundAct) -> [CaseDetails.Fact] {
    act.content.isEmpty ? [] : [CaseDetails.Fact(labelled: Phrase("reason"), Phrase(plain: act.content))]
  }
}
