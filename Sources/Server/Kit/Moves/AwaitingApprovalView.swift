// SPDX-License-Identifier: Apache-2.0

/// The answer on the wire to what a colleague has to agree to first: nothing is decided yet, and the same call decides
/// once they agreed.
package struct AwaitingApprovalView: Encodable, Sendable {
  let status = "AWAITING_APPROVAL"
  let approval_id: String
  /// RFC 3339.
  let expires_at: String

  package init(_ approval: RequestedApproval) {
    (approval_id, expires_at) = (approval.id, approval.expiresAt.rfc3339)
  }
}
