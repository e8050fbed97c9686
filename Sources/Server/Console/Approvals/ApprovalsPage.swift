// SPDX-License-Identifier: Apache-2.0

import Casework
import Kit

/// What waits for the word of whoever is signed in, the longest waiting first.
struct ApprovalsPage: DeskPage {
  static var template: [UInt8] { PackageResources.ApprovalsPage_mustache }

  struct Row {
    let action: Phrase
    let subject: String
    /// Where the case of the subject is listed; nil where such acts have no case.
    let queue: String?
    /// What is decided, by its fields; where the flow has no words for it, in the spelling of its system.
    let facts: [CaseMaterial.Fact]
    let maker: String
    let asked: Moment
    let expires: Moment
    /// Where the form goes.
    let path: String
  }

  let rows: [Row]
  let fault: Phrase?
  let csrf: String
  let foot: StaffFoot

  /// - Parameter facts: what an act decides, by its fields; nil for one that has none.
  init(
    _ waiting: [Approval], fault: Phrase?, facts: (BoundAct) -> [CaseMaterial.Fact]?, for visit: StaffVisit
  ) {
    rows = waiting.map { approval in
      let act = approval.act
      return Row(
        action: Phrase(act: act.action), subject: act.subject,
        queue: approval.checkerPermission == .approveVerdicts ? "\(QueueRoutes.base)?id=\(act.subject)" : nil,
        facts: facts(act) ?? [.init(labelled: Phrase("approval_content"), Phrase(plain: act.content))],
        maker: approval.maker, asked: Moment(approval.askedAt), expires: Moment(approval.expiresAt),
        path: ApprovalRoutes.path(of: approval.id))
    }
    (self.fault, csrf, foot) = (fault, visit.csrf, StaffFoot(visit))
  }
}
