// SPDX-License-Identifier: Apache-2.0

/// A request for a second person's approval on the wire. The calls of an institution's consoles and those of a bank's
/// programs answer with the same members.
package struct ApprovalView: Encodable, Sendable {
  let approval_id: String
  /// What is asked for: the flow and the event, such as `finaptic.posting`.
  let action: String
  let subject_id: String
  /// Of the subject, as it was when it was asked for.
  let version: Int64
  /// What is decided, in the flow's own spelling.
  let content: String
  let state: String
  let maker: String
  let checker: String?
  let asked_at: String
  let expires_at: String

  package init(_ approval: RequestedApproval) {
    (approval_id, action) = (approval.id, approval.act.action)
    (subject_id, version, content) = (approval.act.subject, approval.act.version, approval.act.content)
    (state, maker, checker) = (approval.state.rawValue, approval.maker, approval.checker)
    (asked_at, expires_at) = (approval.askedAt.rfc3339, approval.expiresAt.rfc3339)
  }
}

/// Several of them.
package struct ApprovalListView: Encodable, Sendable {
  let approvals: [ApprovalView]

  package init(_ approvals: [RequestedApproval]) { self.approvals = approvals.map(ApprovalView.init) }
}
