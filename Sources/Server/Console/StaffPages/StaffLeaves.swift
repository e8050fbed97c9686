// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Scheduling
import Storage

/// Leaves of members of staff, as administrators enter them: those whom `StaffAdministration` lets.
package struct StaffLeaves: Sendable {
  private let administration: StaffAdministration
  /// The clock of a tenant's place; nil for an unknown tenant.
  private let zone: @Sendable (_ tenant: String) -> LocalTime?
  /// How many calls are booked with a member of a tenant in a time.
  private let booked:
    @Sendable (_ tenant: String, _ member: StaffMember.ID, Range<Instant>, any SQLTransaction) throws -> Int
  private var core: CoreDependencies { administration.staff.core }

  package init(
    _ administration: StaffAdministration, zone: @escaping @Sendable (String) -> LocalTime?,
    booked: @escaping @Sendable (String, StaffMember.ID, Range<Instant>, any SQLTransaction) throws -> Int
  ) {
    (self.administration, self.zone, self.booked) = (administration, zone, booked)
  }

  /// - Parameters:
  ///   - from: the first day, as in `2026-12-24`.
  ///   - until: the last one.
  /// - Returns: how many calls are booked in the leave; they stay.
  /// - Throws: `Problem` validation, and as `StaffAdministration.authorize`.
  func add(from: String, until: String, of target: StaffMember.ID, by order: StaffOrder) async throws -> Int {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let (actor, member) = try administration.authorize(order.actor, on: target, in: tx)
      guard let zone = self.zone(member.tenant) else { throw Problem.unavailable }
      let now = core.world.now()
      let time = try AgentLeave.time(from: from, until: until, by: zone, now: now)
      try AgentLeaveStore(tx).requireRoom(for: target.rawValue, at: now)
      let leave = AgentLeave(id: .init(core.world), agentID: target.rawValue, time: time)
      try AgentLeaveStore(tx).insert(leave)
      try core.audit.append(
        "staff.leave_added", to: target.rawValue, by: actor.actor,
        facts: facts(order, leave.id), in: tx)
      return try booked(member.tenant, target, leave.time, tx)
    }
  }

  func remove(_ id: AgentLeave.ID, of target: StaffMember.ID, by order: StaffOrder) async throws {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let (actor, _) = try administration.authorize(order.actor, on: target, in: tx)
      guard try ahead(of: target, in: tx).contains(where: { $0.id == id }), try AgentLeaveStore(tx).delete(id) else {
        throw Problem.notFound
      }
      try core.audit.append(
        "staff.leave_removed", to: target.rawValue, by: actor.actor, facts: facts(order, id), in: tx)
    }
  }

  /// Leaves that have not ended, the first one first.
  func ahead(of target: StaffMember.ID) async throws -> [AgentLeave] {
    try await core.database.read { [self] in try ahead(of: target, in: $0) }
  }

  /// How many calls are booked with a member from now on.
  func calls(of target: StaffMember.ID) async throws -> Int {
    try await core.database.read { [self] tx in
      guard let member = try administration.staff.find(target, in: tx) else { return 0 }
      let now = core.world.now()
      return try booked(member.tenant, target, now..<(now + AgentLeave.longest), tx)
    }
  }

  private func ahead(of target: StaffMember.ID, in tx: any SQLTransaction) throws -> [AgentLeave] {
    let now = core.world.now()
    return try AgentLeaveStore(tx).overlapping(now..<(now + AgentLeave.longest), of: target.rawValue)
  }

  private func facts(_ order: StaffOrder, _ leave: AgentLeave.ID) -> [String: String] {
    order.facts.merging(["leave": leave.rawValue]) { one, _ in one }
  }
}
