// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Ends sessions of many at once, for the hour after an account, a database or a signing key was in wrong hands. What
/// an ended session's access token asks is refused from the commit on, on every node and whichever key signed it,
/// because a token counts only while its session does (`Sessions.requireLive`).
package struct SessionEnding: Sendable {
  /// Whose sessions of a tenant end.
  package enum Holders: Sendable, Equatable {
    case staff, customers
    /// An applicant or a user, by the id.
    case customer(String)

    /// In the audit log.
    var text: String {
      switch self {
      case .staff: "staff"
      case .customers: "customers"
      case .customer(let subject): subject
      }
    }
  }

  /// Sessions of one transaction: others write in between.
  static let batch = 1000

  let core: CoreDependencies

  package init(core: CoreDependencies) { self.core = core }

  /// Ends the sessions that are open now, and those that are opened before the last of them is found: no clock tells
  /// which came first. Their holders sign in again.
  /// - Parameters:
  ///   - tenant: an institution, or for customers also a tenant of Finaptic as sessions name it, `finaptic-7`.
  /// - Returns: how many ended. The audit log has a line for each transaction that ended some, and one where there
  ///   were none.
  package func end(
    _ holders: Holders, of tenant: String, by actor: String, batch: Int = Self.batch
  ) async throws -> Int {
    // Sessions live by the machine's time.
    let (core, now) = (core, core.world.wall())
    var (count, last) = (0, "")
    while true {
      let page = try await core.database.write(retrying: .outdated) { [last, count] tx in
        let store = SessionStore(tx)
        let page = try store.revoke(holders, of: tenant, after: last, limit: batch, at: now)
        guard page.count > 0 || page.last == nil && count == 0 else { return page }
        try core.audit.append(
          "sessions.ended", to: "sessions-\(tenant)", by: actor,
          facts: ["whose": holders.text, "count": "\(page.count)"], in: tx)
        return page
      }
      count += page.count
      // A page with room left was the last: sessions that are opened all the time do not keep this going.
      guard let next = page.last, page.count == batch else { return count }
      last = next
    }
  }
}
