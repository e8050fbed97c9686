// SPDX-License-Identifier: Apache-2.0

import Kit

/// The most that one caller books, by posting and by day of UTC. Another person's approval does not raise it.
package struct PostingLimit: Sendable, Equatable {
  /// Whose limit it is where no other one is set for the caller alone.
  package enum Role: String, Sendable, CaseIterable {
    /// Every client of the tenant, each for itself.
    case clients
    /// Every member of staff, each for themselves.
    case staff
    /// Users of the machine.
    case operators

    /// - Parameter actor: as the audit log names them.
    init(of actor: String) {
      self =
        switch actor.prefix(while: { $0 != ":" }) {
        case "client": .clients
        case "agent": .staff
        default: .operators
        }
    }
  }

  /// In minor units; nil for no bound.
  package let posting: Int64?
  package let day: Int64?

  package init(posting: Int64?, day: Int64?) { (self.posting, self.day) = (posting, day) }

  /// 1 000 000.00: the most, in minor units, that a client or a member of staff in production books on one day, until an
  /// operator says otherwise.
  package static let standardDay: Int64 = 100_000_000

  /// Where customers are real, a stolen secret of a client or a stolen session of staff moves no more than that.
  /// Operators and sandboxes have no bound.
  static func standard(of role: Role, _ kind: FinapticTenant.Kind) -> PostingLimit? {
    role != .operators && kind == .production ? PostingLimit(posting: nil, day: standardDay) : nil
  }

  static let exceeded = Problem(
    .forbidden, "over-limit", "This is more than this caller may book, at once or on one day.")
}

extension FourEyesSettings {
  /// The most that a caller, or each caller of a role, books.
  /// - Parameter holder: a role, or a caller as the audit log names them: `client:` and the id, `agent:` and the id.
  /// - Throws: `Problem` not found; validation.
  package func setLimit(
    _ limit: PostingLimit, of holder: String, in currency: String = InternalAccounts.currency, tenant: Int,
    by actor: String
  ) async throws {
    let isCaller = ["client:", "agent:"].contains { holder.hasPrefix($0) && holder.count > $0.count }
    guard isCaller || PostingLimit.Role(rawValue: holder) != nil else {
      throw Problem.validation([.init("/holder", "unknown", "clients, staff, operators, or client:ID or agent:ID.")])
    }
    guard (limit.posting ?? 0) >= 0, (limit.day ?? 0) >= 0 else {
      throw Problem.validation([.init("/limit", "range", "0 or more.")])
    }
    _ = try await tenants.find(tenant)
    try await core.database.write(retrying: .outdated) { [core] tx in
      try PostingLimitStore(tx).set(limit, of: holder, in: currency, tenant: tenant)
      try core.note(
        "tenant.callerLimit", "tenant-\(tenant)", by: actor,
        [
          "holder": holder, "currency": currency, "posting": limit.posting.map { "\($0)" } ?? "none",
          "day": limit.day.map { "\($0)" } ?? "none",
        ], in: tx)
    }
  }
}
