// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// What administrators do with the staff of their own tenant. Who may do it, and to whom, is decided in the transaction
/// that does it, whichever page or call asks.
///
/// No member may do any of it to their own account, so that an active administrator is always left, and no one gives
/// permissions to themselves.
package struct StaffAdministration: Sendable {
  /// A member as a list shows them.
  package struct Entry: Sendable {
    package enum Status: String, Sendable { case invited, active, suspended }

    package let member: StaffMember
    package let status: Status
    package let hasAuthenticator: Bool
  }

  /// How a member is reached: where the link of an invitation leads, and whether it goes by mail.
  package struct Links: Sendable {
    /// `https://console.bank.example/console/invitation/`; the token follows.
    package let prefix: String
    /// Whether there is a gateway for mail; without it the administrator hands the link over.
    package let goByMail: Bool

    package init(prefix: String, goByMail: Bool) { (self.prefix, self.goByMail) = (prefix, goByMail) }
  }

  package let staff: Staff
  package let links: Links
  var core: CoreDependencies { staff.core }

  package init(_ staff: Staff, links: Links) { (self.staff, self.links) = (staff, links) }

  // MARK: Who may

  /// - Returns: who acts, as they are now.
  /// - Throws: `Problem` forbidden without `manage:staff`.
  package func administrator(_ actor: StaffMember.ID, in tx: any SQLTransaction) throws -> StaffMember {
    guard let member = try staff.find(actor, in: tx), member.isActive, member.permissions.contains(.manageStaff) else {
      throw Problem(.forbidden, "forbidden", "Your account does not have the permission for this.")
    }
    return member
  }

  /// - Returns: who acts, and who is acted on.
  /// - Throws: `Problem` forbidden, not found for members of other tenants too, conflict `own-account`.
  package func authorize(
    _ actor: StaffMember.ID, on target: StaffMember.ID, in tx: any SQLTransaction
  ) throws -> (actor: StaffMember, target: StaffMember) {
    let administrator = try administrator(actor, in: tx)
    guard let member = try staff.find(target, in: tx), member.tenant == administrator.tenant else {
      throw Problem.notFound
    }
    guard member.id != administrator.id else {
      throw Problem.ownAccount
    }
    return (administrator, member)
  }

  private func change<Value: Sendable>(
    _ target: StaffMember.ID, by order: StaffOrder,
    _ body: @escaping @Sendable (_ member: StaffMember, _ actor: StaffMember, any SQLTransaction) throws -> Value
  ) async throws -> Value {
    // Serializable, so that two administrators who suspend each other at once do not both succeed.
    try await core.database.write(retrying: .outdated, .serializable) { [self] tx in
      let (actor, member) = try authorize(order.actor, on: target, in: tx)
      return try body(member, actor, tx)
    }
  }

  /// Permissions whose holders see or change what is of every institution of the installation.
  private static let beyondTenant: Set<StaffPermission> = [
    .init(rawValue: "read:webhooks"), .init(rawValue: "redeliver:webhooks"), .init(rawValue: "manage:tenants"),
    .init(rawValue: "read:figures"), .init(rawValue: "read:audit"), .init(rawValue: "manage:outbox"),
  ]

  /// An administrator of one institution cannot give permissions beyond it, nor reset a member who has such, or let them
  /// in again.
  /// - Throws: `Problem` forbidden `role-beyond-tenant` for such a permission that the administrator does not hold.
  func requireGivable(_ permissions: Set<StaffPermission>, by actor: StaffMember) throws {
    guard permissions.intersection(Self.beyondTenant).isSubset(of: actor.permissions) else {
      throw Problem(
        .forbidden, "role-beyond-tenant",
        "This role reaches beyond your institution. The installation's operator gives it.")
    }
  }

  // MARK: Looks

  /// Everybody of the administrator's tenant, the oldest first. The look is a line of the administrator's audit chain.
  package func list(seenBy actor: StaffMember.ID) async throws -> [Entry] {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let administrator = try administrator(actor, in: tx)
      try core.audit.append(
        "staff.listed", to: actor.rawValue, by: administrator.actor,
        facts: ["tenant": administrator.tenant, "why": RecordAccess.overview.rawValue], in: tx)
      let enrolled = try StaffDeskStore(tx).enrolled(tenant: administrator.tenant)
      return try staff.list(tenant: administrator.tenant, in: tx).map {
        Entry(member: $0.member, status: $0.status, hasAuthenticator: enrolled.contains($0.member.id))
      }
    }
  }

  /// One member and their sessions that have not ended, the oldest first. The look is a line of the member's chain.
  package func detail(
    of target: StaffMember.ID, seenBy actor: StaffMember.ID
  ) async throws -> (entry: Entry, sessions: [SessionRecord]) {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let administrator = try administrator(actor, in: tx)
      guard let found = try staff.entry(target, in: tx), found.member.tenant == administrator.tenant else {
        throw Problem.notFound
      }
      try core.audit.append(
        "staff.looked_at", to: target.rawValue, by: administrator.actor, facts: RecordAccess.list.facts, in: tx)
      let now = core.world.wall()
      let enrolled = try StaffFactorStore(tx).authenticator(of: target) != nil
      let sessions = try SessionStore(tx).records(of: target.rawValue)
        .filter { $0.revokedAt == nil && $0.expiresAt > now }
      return (Entry(member: found.member, status: found.status, hasAuthenticator: enrolled), sessions)
    }
  }

  // MARK: Changes

  /// - Parameter roles: what the member may do from now on, beside permissions that belong to no role.
  /// - Throws: `Problem` as `authorize`.
  package func setRoles(_ roles: Set<StaffRole>, of target: StaffMember.ID, by order: StaffOrder) async throws {
    try await change(target, by: order) { [self] member, actor, tx in
      let permissions = StaffRole.permissions(of: roles).union(member.otherPermissions)
      try requireGivable(permissions.subtracting(member.permissions), by: actor)
      try staff.setPermissions(permissions, of: target, by: actor.actor, facts: order.facts, in: tx)
    }
  }

  /// One who is suspended is signed out at once; their link is void. Who lets a member in again gives what they may.
  /// - Throws: `Problem` as `authorize` and `requireGivable`.
  package func setActive(_ isActive: Bool, of target: StaffMember.ID, by order: StaffOrder) async throws {
    try await change(target, by: order) { [self] member, actor, tx in
      if isActive, !member.isActive { try requireGivable(member.permissions, by: actor) }
      if !isActive { try StaffDeskStore(tx).deleteLink(of: target) }
      try staff.setActive(isActive, of: target, by: actor.actor, facts: order.facts, in: tx)
    }
  }

  /// Takes the second factor away, for a member who lost it.
  /// - Returns: what the next app is set up with, shown once.
  package func resetFactors(of target: StaffMember.ID, by order: StaffOrder) async throws -> StaffFactors.EnrolmentCode
  {
    try await change(target, by: order) { [self] member, actor, tx in
      try requireGivable(member.permissions, by: actor)
      return try staff.factors.reset(target, by: actor.actor, facts: order.facts, in: tx)
    }
  }

  /// - Parameter session: nil ends all.
  package func endSessions(
    of target: StaffMember.ID, _ session: SessionFamily.ID? = nil, by order: StaffOrder
  ) async throws {
    try await change(target, by: order) { [self] _, actor, tx in
      let (store, now) = (SessionStore(tx), core.world.now())
      var facts = order.facts
      if let session {
        guard try store.family(session)?.subject == target.rawValue else { throw Problem.notFound }
        facts["session"] = session.rawValue
        try store.revoke(session, reason: .superseded, at: now)
      } else {
        try store.revokeAll(of: target.rawValue, at: now)
      }
      try core.audit.append("staff.sessions_ended", to: target.rawValue, by: actor.actor, facts: facts, in: tx)
    }
  }
}

extension Problem {
  /// What decides what a member may do is done by another one.
  package static let ownAccount = Problem(
    .conflict, "own-account", "You cannot administer your own account. Ask another administrator.")
}
