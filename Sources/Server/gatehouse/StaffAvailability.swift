// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import Foundation
import GatehouseApp
import Identity
import Kit
import RubixFlow
import Scheduling
import Storage

/// What operators change about who works and when. Each change is a line in the member's audit chain.
struct StaffAvailability {
  let app: App

  /// - Returns: calls that stay booked with a member who was suspended.
  func setActive(_ isActive: Bool, of id: StaffMember.ID, by actor: String) async throws -> [Appointment] {
    try await app.database.write { tx in
      let member = try member(id, in: tx)
      try app.staff.setActive(isActive, of: id, by: actor, in: tx)
      let now = app.world.now()
      return isActive ? [] : try calls(of: member, within: now..<(now + AgentLeave.longest), in: tx)
    }
  }

  /// - Returns: the leave, and calls that are booked in it: they stay.
  func addLeave(
    from: String, until: String, of id: StaffMember.ID, by actor: String
  ) async throws -> (leave: AgentLeave, calls: [Appointment]) {
    try await app.database.write { tx in
      let member = try member(id, in: tx)
      guard let zone = LocalTime(zone: try app.tenants.find(member.tenant).timeZone) else { throw Problem.unavailable }
      let time: Range<Instant>
      do {
        time = try AgentLeave.time(from: from, until: until, by: zone, now: app.world.now())
        try AgentLeaveStore(tx).requireRoom(for: id.rawValue, at: app.world.now())
      } catch let problem as Problem {
        throw ValidationError(problem.fields.first?.message ?? problem.detail)
      }
      let leave = AgentLeave(id: .init(app.world), agentID: id.rawValue, time: time)
      try AgentLeaveStore(tx).insert(leave)
      try app.core.audit.append(
        "staff.leave_added", to: id.rawValue, by: actor, facts: ["leave": leave.id.rawValue], in: tx)
      return (leave, try calls(of: member, within: leave.time, in: tx))
    }
  }

  func leaves() async throws -> [AgentLeave] {
    let now = app.world.now()
    return try await app.database.read { try AgentLeaveStore($0).overlapping(now..<(now + AgentLeave.longest)) }
  }

  func removeLeave(_ id: AgentLeave.ID, by actor: String) async throws {
    let now = app.world.now()
    try await app.database.write { tx in
      let store = AgentLeaveStore(tx)
      guard let leave = try store.overlapping(now..<(now + AgentLeave.longest)).first(where: { $0.id == id }),
        try store.delete(id)
      else { throw CommandFailure.notFound("there is no such leave ahead") }
      try app.core.audit.append(
        "staff.leave_removed", to: leave.agentID, by: actor, facts: ["leave": id.rawValue], in: tx)
    }
  }

  private func member(_ id: StaffMember.ID, in tx: any SQLTransaction) throws -> StaffMember {
    guard let member = try app.staff.find(id, in: tx) else {
      throw CommandFailure.notFound("there is no such member of staff")
    }
    return member
  }

  private func calls(
    of member: StaffMember, within time: Range<Instant>, in tx: any SQLTransaction
  ) throws -> [Appointment] {
    try app.rubix.applications.appointments(of: app.tenants.find(member.tenant)).calls(
      of: member.id.rawValue, within: time, in: tx
    )
    .filter { $0.status == .scheduled }
  }
}
