// SPDX-License-Identifier: Apache-2.0

import Kit

/// The monthly statements of one account, or the question for its number.
struct StatementsPage: ConsolePage {
  static var template: [UInt8] { PackageResources.StatementsPage_mustache }

  struct Row {
    let month: String
    let revision: Count
    let created: Moment
    let digest: String
    /// Where its documents are, without their form.
    let path: String
  }

  /// Where the form goes.
  let path: String
  let account: String
  let isFound: Bool
  let rows: [Row]
  let fault: Phrase?
  let foot: StaffFooter

  /// - Parameter found: nil before an account is asked for.
  init(_ found: [StatementSource.Row]?, of account: String, fault: Phrase?, for visit: StaffVisit) {
    rows = (found ?? []).map {
      Row(
        month: $0.month, revision: Count($0.revision), created: Moment($0.createdAt), digest: $0.digest,
        path: "\(StatementPageRoutes.base)/\(account)/\($0.id)")
    }
    (path, self.account, isFound) = (StatementPageRoutes.base, account, found != nil)
    (self.fault, foot) = (fault, StaffFooter(visit))
  }
}
