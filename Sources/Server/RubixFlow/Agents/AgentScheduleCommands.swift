// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Identity
import Kit
import Scheduling
import Storage

/// When an agent takes calls: leaves, hours of the week, and single days. Agents change their own; members who have
/// `manage:staff` changes those of colleagues. Calls that are booked stay.
package struct AgentScheduleCommands: Sendable {
  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications
  let staff: Staff

  /// Leaves that have not ended, the first one first. The look is audited.
  /// - Parameter member: nil for one's own.
  /// - Throws: `Problem` forbidden; not-found for who is not of this institution.
  package func leaves(of member: StaffMember.ID?, by agent: Agent) async throws -> [AgentLeave] {
    let now = core.world.now()
    return try await core.database.write(retrying: .outdated) { tx in
      let target = try authorize(agent, on: member, in: tx)
      try core.audit.append(
        "leaves.listed", to: target.id.rawValue, by: agent.actor, facts: RecordAccess.list.facts, in: tx)
      return try AgentLeaveStore(tx).overlapping(now..<(now + AgentLeave.longest), of: target.id.rawValue)
    }
  }

  /// Enters a leave; one that is there already stays one.
  /// - Parameters:
  ///   - from: the first day, or an instant.
  ///   - until: the last day, or the instant of the return.
  /// - Returns: the leave, and how many calls are booked in it.
  /// - Throws: `Problem` as `leaves`; validation-failed.
  package func addLeave(
    from: String, until: String, of member: StaffMember.ID?, by agent: Agent
  ) async throws -> (leave: AgentLeave, calls: Int) {
    try await core.database.write(retrying: .outdated) { tx in
      let target = try authorize(agent, on: member, in: tx)
      let calendar = try applications.appointments(of: agent.tenant)
      let now = core.world.now()
      let time = try AgentLeave.time(from: from, until: until, by: calendar.policy.localTime, now: now)
      let calls = try calendar.calls(of: target.id.rawValue, within: time, in: tx).count { $0.status == .scheduled }
      let store = AgentLeaveStore(tx)
      let known = try store.overlapping(time, of: target.id.rawValue).first { $0.time == time }
      if let known { return (known, calls) }
      try store.requireRoom(for: target.id.rawValue, at: now)
      let leave = AgentLeave(id: .init(core.world), agentID: target.id.rawValue, time: time)
      try store.insert(leave)
      try note("staff.leave_added", of: target, ["leave": leave.id.rawValue], by: agent, in: tx)
      return (leave, calls)
    }
  }

  /// Takes a leave back that has not ended.
  /// - Throws: `Problem` forbidden, not-found.
  package func removeLeave(_ id: AgentLeave.ID, by agent: Agent) async throws {
    let now = core.world.now()
    try await core.database.write(retrying: .outdated) { tx in
      let store = AgentLeaveStore(tx)
      guard let leave = try store.overlapping(now..<(now + AgentLeave.longest)).first(where: { $0.id == id }) else {
        throw Problem.notFound
      }
      let target = try authorize(agent, on: .init(rawValue: leave.agentID), in: tx)
      guard try store.delete(id) else { throw Problem.notFound }
      try note("staff.leave_removed", of: target, ["leave": id.rawValue], by: agent, in: tx)
    }
  }

  /// Sets the hours of the week.
  /// - Parameter week: by ISO 8601 day of the week; empty is whenever the institution is open.
  /// - Throws: `Problem` as `leaves`.
  package func setWeek(
    _ week: [Int: WorkingWeek.Hours], of member: StaffMember.ID?, by agent: Agent
  ) async throws {
    try await core.database.write(retrying: .outdated) { tx in
      let target = try authorize(agent, on: member, in: tx)
      try AgentHoursStore(tx).set(week, of: target.id.rawValue)
      try note("staff.hours_set", of: target, ["day": "week"], by: agent, in: tx)
    }
  }

  /// Sets a single day apart from the week.
  /// - Parameter hours: nil has the day be as the week says.
  /// - Throws: `Problem` as `leaves`; validation-failed for a day that is over, or more than a year ahead.
  package func setDay(
    _ hours: AgentHours.Day?, on day: CalendarDate, of member: StaffMember.ID?, by agent: Agent
  ) async throws {
    let clock = try applications.appointments(of: agent.tenant).policy.localTime
    guard let today = clock.date(at: core.world.now()) else { throw Problem.unavailable }
    guard (0...366).contains(today.days(until: day)) else {
      throw Problem.validation([.init("/date", "range", "A day from today to a year ahead.")])
    }
    try await core.database.write(retrying: .outdated) { tx in
      let target = try authorize(agent, on: member, in: tx)
      let store = AgentHoursStore(tx)
      try store.prune(before: today, of: target.id.rawValue)
      try store.set(hours, on: day, of: target.id.rawValue)
      try note("staff.hours_set", of: target, ["day": day.isoText], by: agent, in: tx)
    }
  }

  private func authorize(
    _ agent: Agent, on member: StaffMember.ID?, in tx: any SQLTransaction
  ) throws -> StaffMember {
    try agentSessions.requireLive(agent, in: tx)
    guard let member, member != agent.member.id else {
      try agent.require(.attendVideo)
      return agent.member
    }
    try agent.require(.manageStaff)
    guard let target = try staff.find(member, in: tx), target.tenant == agent.tenant.id else { throw Problem.notFound }
    return target
  }

  private func note(
    _ action: String, of target: StaffMember, _ facts: [String: String], by agent: Agent, in tx: any SQLTransaction
  ) throws {
    try core.audit.append(action, to: target.id.rawValue, by: agent.actor, facts: facts, in: tx)
  }
}
