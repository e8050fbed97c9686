// SPDX-License-Identifier: Apache-2.0

import Casework
import Identity
import Kit

/// What waits for the word of the signed-in member, the longest waiting first, and what became of what they asked for
/// themselves.
struct ApprovalsPage: ConsolePage {
  static var template: [UInt8] { PackageResources.ApprovalsPage_mustache }

  struct Row {
    /// Of the heading, by which the buttons are described.
    let anchor: String
    let action: Phrase
    let subject: String
    /// Where what it is about is seen; nil where such acts have no page.
    let look: String?
    /// What is decided, by its fields; where the flow has no words for it, in the spelling of its system.
    let facts: [CaseDetails.Fact]
    /// A colleague's name, or how the audit names a program or an operator.
    let maker: String
    let asked: Moment
    let expires: Moment
    /// Where the form goes.
    let path: String
  }

  /// What the reader asked for.
  struct OwnRequest {
    let action: Phrase
    let subject: String
    let look: String?
    let state: Phrase
    let asked: Moment
    let expires: Moment
    /// Of the words that the button is described by.
    let anchor: String
    /// Where the form goes that takes it back; nil once it is over.
    let withdrawal: String?

    init(_ own: OwnApproval, for visit: StaffVisit) {
      let (asked, act) = (own.asked, own.asked.act)
      (action, subject, look) = (Phrase(act: act.action), act.subject, ApprovalsPage.look(at: act, for: visit))
      state = Phrase(own.isOutdated ? "approval_outdated" : "approval_\(asked.state.rawValue)")
      (self.asked, expires) = (Moment(asked.askedAt), Moment(asked.expiresAt))
      anchor = "own-\(asked.id)"
      withdrawal = own.isOpen ? ApprovalRoutes.withdrawal(of: asked.id) : nil
    }
  }

  let rows: [Row]
  let own: [OwnRequest]
  let hasOwn: Bool
  let fault: Phrase?
  let csrf: String
  let foot: StaffFooter

  /// - Parameters:
  ///   - names: whose names stand in the place of what the audit calls them.
  ///   - facts: what an act decides, by its fields; nil for one that has none.
  init(
    _ waiting: [Approval], own: [OwnApproval], names: [StaffMember] = [], fault: Phrase?,
    facts: (BoundAct) -> [CaseDetails.Fact]?, for visit: StaffVisit
  ) {
    rows = waiting.map { approval in
      let act = approval.act
      return Row(
        anchor: "approval-\(approval.id)", action: Phrase(act: act.action), subject: act.subject,
        look: Self.look(at: act, for: visit),
        facts: facts(act) ?? [.init(labelled: Phrase("approval_content"), Phrase(plain: act.content))],
        maker: CaseRow.name(of: approval.maker, names), asked: Moment(approval.askedAt),
        expires: Moment(approval.expiresAt), path: ApprovalRoutes.path(of: approval.id))
    }
    (self.own, hasOwn) = (own.map { OwnRequest($0, for: visit) }, !own.isEmpty)
    (self.fault, csrf, foot) = (fault, visit.csrf, StaffFooter(visit))
  }

  /// Verdicts have cases, devices the records of their onboardings, which not every reader may see.
  private static func look(at act: BoundAct, for visit: StaffVisit) -> String? {
    if act.action.hasPrefix("activation.") {
      guard visit.member.permissions.contains(.readCustomers) else { return nil }
      return RecordRoutes.path(of: "verifications", named: act.subject, why: .approval)
    }
    let verdicts = ["rubix.", "wultra.review.", "oneassist.review."]
    return verdicts.contains(where: act.action.hasPrefix) ? "\(QueueRoutes.base)?id=\(act.subject)" : nil
  }
}
