// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension SessionStore {
  /// By how much the clocks of nodes may differ.
  static let skewMax = Duration.minutes(5)

  /// Revokes the next open sessions of a tenant, in the order of their ids. Those of staff are found by the member:
  /// sessions of the console, and sign-ins that wait for a second factor, have `console` for their tenant.
  ///
  /// When a session was opened is not asked: the node that opened it may have a clock that is ahead of this one.
  /// - Returns: how many, and the id of the last one; nil when there are no more.
  func revoke(
    _ holders: SessionEnding.Holders, of tenant: String, after last: String, limit: Int, at now: Instant
  ) throws -> (count: Int, last: String?) {
    let areWhose: SQL =
      switch holders {
      case .staff: "subject_id IN (SELECT id FROM staff WHERE tenant = \(tenant))"
      case .customers: "tenant_id = \(tenant) AND subject_id NOT IN (SELECT id FROM staff)"
      case .customer(let subject):
        "tenant_id = \(tenant) AND subject_id = \(subject) AND subject_id NOT IN (SELECT id FROM staff)"
      }
    let ids = try tx.query(
      """
      SELECT id FROM session_family
      WHERE id > \(last) AND revoked_at IS NULL AND expires_at > \(now - Self.skewMax) AND \(areWhose)
      ORDER BY id LIMIT \(limit)
      """
    ).map { try $0.get("id", as: String.self) }
    guard let end = ids.last else { return (0, nil) }
    try tx.execute(
      """
      UPDATE session_family SET revoked_at = \(now), revoked_reason = \(SessionFamily.RevokedReason.superseded)
      WHERE id IN \(list: ids) AND revoked_at IS NULL
      """)
    return (ids.count, end)
  }
}
