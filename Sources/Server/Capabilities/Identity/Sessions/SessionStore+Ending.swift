// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension SessionStore {
  /// Revokes the next open sessions of a tenant, in the order of their ids. Those of staff are found by the member:
  /// sessions of the console, and sign-ins that wait for a second factor, have `console` for their tenant.
  /// - Returns: how many, and the id of the last one; nil when there are no more.
  func revoke(
    _ holders: SessionEnding.Holders, of tenant: String, after last: String, limit: Int, at now: Instant
  ) throws -> (count: Int, last: String?) {
    let rows =
      switch holders {
      case .staff:
        try tx.query(
          """
          SELECT id FROM session_family
          WHERE id > \(last) AND revoked_at IS NULL AND expires_at > \(now) AND created_at <= \(now)
            AND subject_id IN (SELECT id FROM staff WHERE tenant = \(tenant))
          ORDER BY id LIMIT \(limit)
          """)
      case .customers:
        try tx.query(
          """
          SELECT id FROM session_family
          WHERE id > \(last) AND tenant_id = \(tenant) AND revoked_at IS NULL AND expires_at > \(now)
            AND created_at <= \(now) AND subject_id NOT IN (SELECT id FROM staff)
          ORDER BY id LIMIT \(limit)
          """)
      case .customer(let subject):
        try tx.query(
          """
          SELECT id FROM session_family
          WHERE id > \(last) AND tenant_id = \(tenant) AND revoked_at IS NULL AND expires_at > \(now)
            AND created_at <= \(now) AND subject_id = \(subject) AND subject_id NOT IN (SELECT id FROM staff)
          ORDER BY id LIMIT \(limit)
          """)
      }
    let ids = try rows.map { try $0.get("id", as: String.self) }
    guard let end = ids.last else { return (0, nil) }
    try tx.execute(
      """
      UPDATE session_family SET revoked_at = \(now), revoked_reason = \(SessionFamily.RevokedReason.superseded)
      WHERE id IN \(list: ids) AND revoked_at IS NULL
      """)
    return (ids.count, end)
  }
}
