// SPDX-License-Identifier: Apache-2.0

import Kit

/// What a client that approves sends and gets: the members of the desk's own calls (`CaseworkHTTP`).
enum ApprovalBodies {
  struct Decision: Decodable, Sendable {
    let decision: String

    /// Nil for any other word.
    var agreeing: Bool? {
      switch decision {
      case "approved": true
      case "refused": false
      default: nil
      }
    }
  }

  /// Nothing has to be said.
  struct Withdrawal: Decodable, Sendable {}

  struct List: Encodable, Sendable { let approvals: [View] }

  struct View: Encodable, Sendable {
    let approval_id: String
    /// What is asked for, `finaptic.action`.
    let action: String
    let subject_id: String
    /// Of the subject, as it was when it was asked for.
    let version: Int64
    /// What is asked for: amount, purpose, reason, reference, and how the subject stood.
    let content: String
    let state: String
    let maker: String
    let checker: String?
    let asked_at: String
    let expires_at: String

    init(_ approval: RequestedApproval) {
      (approval_id, action) = (approval.id, approval.act.action)
      (subject_id, version, content) = (approval.act.subject, approval.act.version, approval.act.content)
      (state, maker, checker) = (approval.state.rawValue, approval.maker, approval.checker)
      (asked_at, expires_at) = (approval.askedAt.rfc3339, approval.expiresAt.rfc3339)
    }
  }
}
