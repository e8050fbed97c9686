// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import Kit
import OneAssistCore
import Storage

/// Finds memberships and moves them.
struct MembershipService: Sendable {
  let core: CoreDependencies
  let policy: OneAssistPolicy

  /// One that was not erased, with who sold it.
  /// - Throws: `Problem` not-found, also for another tenant's.
  func find(
    _ id: Membership.ID, tenant: String, in tx: any SQLTransaction
  ) throws -> (membership: Membership, partner: Partner) {
    guard let membership = try MembershipStore(tx, vault: core.vault).find(id), !membership.isErased,
      let partner = try PartnerStore(tx, vault: core.vault).find(membership.partner), partner.tenant == tenant
    else { throw Problem.notFound }
    return (membership, partner)
  }

  /// Whether what is kept of a membership can be read.
  enum Readability: Sendable {
    case readable, erased
    /// Its key is gone and its rows are here: a copy from before its erasure was restored.
    case unreadable
  }

  /// - Throws: `Problem` not-found, also for another tenant's.
  func readability(_ id: Membership.ID, tenant: String, in tx: any SQLTransaction) throws -> Readability {
    let store = MembershipStore(tx, vault: core.vault)
    guard let membership = try store.find(id),
      let partner = try PartnerStore(tx, vault: core.vault).find(membership.partner), partner.tenant == tenant
    else { throw Problem.notFound }
    guard membership.isErased else { return .readable }
    return try store.isKept(id) ? .unreadable : .erased
  }

  /// - Throws: `Problem` 3001, also for a membership that is not the caller's.
  func find(order name: String?, of caller: SDKTokens.Caller, in tx: any SQLTransaction) throws -> Membership {
    let found = try owned(by: caller, name) { try MembershipStore(tx, vault: core.vault).find(order: $0) }
    guard let found else { throw Problem.orderUnknown }
    return found
  }

  /// - Throws: `Problem` not-found, also for a membership that is not the caller's.
  func find(activity name: String?, of caller: SDKTokens.Caller, in tx: any SQLTransaction) throws -> Membership {
    let found = try owned(by: caller, name) { try MembershipStore(tx, vault: core.vault).find(activityReference: $0) }
    guard let found else { throw Problem.notFound }
    return found
  }

  private func owned(
    by caller: SDKTokens.Caller, _ name: String?, _ find: (String) throws -> Membership?
  ) throws -> Membership? {
    guard let name, name.utf8.count <= 128, let membership = try find(name), membership.partner == caller.partner,
      membership.customer == caller.customer, !membership.isErased
    else { return nil }
    return membership
  }

  /// Moves a membership on an event.
  /// - Parameters:
  ///   - verdict: of a reviewer, for a move that is theirs.
  ///   - approval: of a colleague, where two persons decide.
  /// - Throws: `IllegalMove`; `SQLError.outdated`; `Problem` approval-required.
  func move(
    _ membership: inout Membership, on event: MembershipEvent, by actor: String, facts: [String: String] = [:],
    verdict: MembershipVerdict? = nil, approval: String? = nil, in tx: any SQLTransaction
  ) throws {
    var machine = MembershipMachine(memberships: self, verdict: verdict)
    if !policy.tenantsOfTwo.isEmpty, let tenant = try machine.tenant(of: membership, in: tx) {
      machine.needsTwo = policy.tenantsOfTwo.contains(tenant)
    }
    try core.mover.move(
      &membership, on: event, of: machine, by: actor, facts: facts, approval: approval, in: tx)
  }

  func save(_ membership: inout Membership, in tx: any SQLTransaction) throws {
    try MembershipStore(tx, vault: core.vault).save(membership, at: core.world.now())
    membership.version += 1
  }

  /// Raises a flag for the reviewer, and answers whether it is new.
  @discardableResult
  func flag(
    _ flag: Membership.Flag, _ membership: inout Membership, by actor: String, in tx: any SQLTransaction
  ) throws -> Bool {
    guard membership.flags.insert(flag).inserted else { return false }
    try core.audit.note("flag.raised", membership.id, by: actor, ["flag": flag.rawValue], in: tx)
    return true
  }

  /// Moves on when everything that the user owes is there.
  func advance(_ membership: inout Membership, by actor: String, in tx: any SQLTransaction) throws {
    if membership.status == .detailsPending, membership.hasDetails {
      try move(&membership, on: .detailsStored, by: actor, in: tx)
    }
    guard membershipFlow.allows(.documentsComplete, from: membership.status),
      try RequiredPhoto.isComplete(DocumentStore(tx).current(of: membership.id))
    else { return }
    try move(&membership, on: .documentsComplete, by: actor, in: tx)
    // A phone that is reported stolen is refused without a reviewer (§3).
    if membership.flags.contains(.blacklisted) {
      try move(&membership, on: .blacklisted, by: "system", facts: ["reason": "blacklisted"], in: tx)
    }
  }

  /// Ends memberships whose photos are late. A scheduled job.
  func sweepLate() async throws {
    let now = core.world.now()
    let statuses = MembershipStatus.allCases.filter { membershipFlow.allows(.lapsed, from: $0) }
    try await core.database.writeEachDue(
      retrying: .outdated,
      { [core] page, tx in
        let store = MembershipStore(tx, vault: core.vault)
        return try page.items { limit in try statuses.flatMap { try store.late($0, before: now, limit: limit) } }
      }
    ) { [self] id, tx in
      guard var membership = try MembershipStore(tx, vault: core.vault).find(id),
        membership.documentsUntil <= now, membershipFlow.allows(.lapsed, from: membership.status)
      else { return }
      try move(&membership, on: .lapsed, by: "system", in: tx)
    }
  }

  /// Begins plans whose first day has come. A scheduled job.
  func sweepStarting() async throws {
    let today = core.today
    try await core.database.writeEachDue(
      retrying: .outdated,
      { [core] page, tx in
        let store = MembershipStore(tx, vault: core.vault)
        return try page.items { try store.starting(by: today.description, limit: $0) }
      }
    ) { [self] id, tx in
      guard var membership = try MembershipStore(tx, vault: core.vault).find(id),
        membership.startsOn <= today, membershipFlow.allows(.startReached, from: membership.status)
      else { return }
      try move(&membership, on: .startReached, by: "system", in: tx)
    }
  }
}
