// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import GatehouseWire
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// The calendar of agents, and the calls that agents book and move for customers.
package struct AgentCalendar: Sendable {
  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications
  let staff: Staff

  /// What an agent books.
  package struct Booking: Sendable {
    /// The application.
    package let customerID: String
    package let callTime: Instant
    package let reason: Appointment.Reason
    /// With whom; nil is the agent of the call that is moved where they are free, else whom others would miss least.
    package let agentID: String?
    package let why: CallChangeReason

    package init(
      customerID: String, callTime: Instant, reason: Appointment.Reason, agentID: String?, why: CallChangeReason
    ) {
      (self.customerID, self.callTime, self.reason) = (customerID, callTime, reason)
      (self.agentID, self.why) = (agentID, why)
    }
  }

  /// The week in which a day lies. The look is audited.
  /// - Parameter day: nil for today.
  /// - Throws: `Problem` forbidden: one's own needs `attend:video`, others need `manage:staff`; not-found for who takes
  ///   no calls here.
  package func week(around day: CalendarDate?, of part: AgentWeek.Part, by agent: Agent) async throws -> AgentWeek {
    let takers = try await staff.callTakers(of: agent.tenant)
    let chosen = try choose(part, of: takers, by: agent)
    return try await core.database.write(retrying: .outdated) { tx in
      try agentSessions.requireLive(agent, in: tx)
      let calendar = try applications.appointments(of: agent.tenant)
      let (policy, clock) = (calendar.policy, calendar.policy.localTime)
      let days = (day ?? clock.date(at: core.world.now())).map(AgentWeek.days) ?? []
      guard let first = days.first, let last = days.last, let after = last.adding(days: 1) else {
        throw Problem.validation([.init("/date", "range", "No calls can be in that week.")])
      }
      let time = clock.instant(first, minutes: 0, reading: .first)..<clock.instant(after, minutes: 0, reading: .first)
      try core.audit.append(
        "calls.listed", to: agent.member.id.rawValue, by: agent.actor,
        facts: ["week": first.isoText, "of": part.text, "why": RecordAccess.overview.rawValue], in: tx)
      let roster = try AgentRoster(takers.map(\.callTaker), within: time, by: clock, in: tx)
      let free = try calendar.free(from: first, through: last, roster: roster, in: tx)
      let (hours, leaves) = (try AgentHoursStore(tx).all(from: first), try AgentLeaveStore(tx).overlapping(time))
      let rows = try chosen.map { member in
        let id = member.id.rawValue
        let own = hours[id] ?? AgentHours()
        let calls = try calendar.calls(of: id, within: time, in: tx).map { call in
          AgentWeek.Call(call, name: part == .everybody ? nil : try name(of: call, for: agent, in: tx))
        }
        let byDay = Dictionary(grouping: calls) { clock.date(at: $0.call.callTime) }
        let freeByDay = Dictionary(grouping: free[id] ?? []) { clock.date(at: $0) }
        return AgentWeek.Row(
          id, name: member.name, week: own.week,
          days: days.map { day in
            AgentWeek.Day(
              day, hours: policy.hours(on: day).flatMap { $0.overlapping(own.hours(on: day)) },
              isSingle: own.days[day] != nil, calls: byDay[day] ?? [], free: freeByDay[day] ?? [])
          }, leaves: leaves.filter { $0.agentID == id })
      }
      return AgentWeek(days, rows, isOfOne: part != .everybody, clock: clock)
    }
  }

  /// What can be booked for a customer on a day. The look is audited.
  /// - Parameter day: nil for today.
  /// - Throws: `Problem` forbidden without `attend:video` or in one's own case; not-found.
  package func offer(
    to customer: String, _ reason: Appointment.Reason, on day: CalendarDate?, by agent: Agent
  ) async throws -> CallOffer {
    try agent.require(.attendVideo)
    let takers = try await staff.callTakers(of: agent.tenant)
    return try await core.database.write(retrying: .outdated) { tx in
      let dossier = try admit(agent, to: customer, in: tx)
      let calendar = try applications.appointments(of: agent.tenant)
      let (clock, id) = (calendar.policy.localTime, dossier.application.id.rawValue)
      let now = core.world.now()
      guard let day = day ?? clock.date(at: now), let after = day.adding(days: 1) else { throw Problem.notFound }
      let why = try core.cases.lookFact(at: id, by: agent.actor, in: tx)
      try core.audit.append(
        "calls.offered", to: id, by: agent.actor, facts: ["day": day.isoText, "why": why], in: tx)
      let booked = try calendar.current(for: id, reason: reason, in: tx)
      let time = clock.instant(day, minutes: 0, reading: .first)..<clock.instant(after, minutes: 0, reading: .first)
      let slots = try calendar.slots(
        from: day, through: day, suiting: booked?.preference ?? .anyone,
        roster: AgentRoster(takers.map(\.callTaker), within: time, by: clock, in: tx), in: tx)
      return CallOffer(
        customer: id, name: dossier.application.fullName, day: day, starts: slots.map(\.start), booked: booked,
        agents: takers.map { (id: $0.id.rawValue, name: $0.name) }, clock: clock)
    }
  }

  /// Books a call for a customer, or moves the one that is booked for the same reason; the customer is told. The same
  /// again gives what is booked.
  /// - Returns: the call, and whether it is another one than was booked before.
  /// - Throws: `Problem` forbidden without `attend:video` or in one's own case; not-found for a customer of another
  ///   institution and an agent who takes no calls; application-closed; step-out-of-order where the application takes
  ///   no call of the verification; conflict `call-unchanged` where the call is booked at that time with another agent
  ///   than is asked for; as `Appointments.book`.
  package func book(_ booking: Booking, by agent: Agent) async throws -> (call: Appointment, isNew: Bool) {
    try agent.require(.attendVideo)
    let takers = try await staff.callTakers(of: agent.tenant).map(\.callTaker)
    let chosen = takers.filter { booking.agentID == nil || $0.id == booking.agentID }
    guard !chosen.isEmpty || booking.agentID == nil else { throw Problem.notFound }
    return try await core.database.write(retrying: .outdated) { tx in
      var dossier = try admit(agent, to: booking.customerID, in: tx)
      try applications.lapse(&dossier, in: tx)
      let phase = dossier.application.phase
      guard phase.isOpen else { throw Problem.applicationClosed }
      guard booking.reason == .help || applicationFlow.allows(.appointmentBooked, from: phase) else {
        throw Problem.stepOutOfOrder
      }
      let calendar = try applications.appointments(of: agent.tenant)
      let former = try calendar.current(for: dossier.application.id.rawValue, reason: booking.reason, in: tx)
      let wish = Appointments.Request(
        callTime: booking.callTime, preference: former?.preference ?? .anyone, reason: booking.reason,
        phone: former?.phone)
      let roster = try AppointmentCommands.roster(chosen, at: booking.callTime, calendar, in: tx)
      let (call, isNew) = try applications.book(
        wish, of: &dossier, roster: roster, keeping: former?.agentID, by: agent.actor,
        facts: ["why": booking.why.rawValue], in: tx)
      guard isNew else {
        guard booking.agentID == nil || booking.agentID == call.agentID else { throw Self.unchanged }
        return (call, false)
      }
      try CallReminder.tell(of: call, of: agent.tenant, core, in: tx)
      try applications.save(&dossier, in: tx)
      return (call, true)
    }
  }

  private static let unchanged = Problem(
    .conflict, "call-unchanged",
    "The call is booked at that time with another agent. Call it off first to book it with this one.")

  private func admit(_ agent: Agent, to customer: String, in tx: any SQLTransaction) throws -> Dossier {
    try agentSessions.requireLive(agent, in: tx)
    let dossier = try applications.load(.init(rawValue: customer), tenant: agent.tenant, in: tx)
    try agent.requireOther(than: dossier.application)
    return dossier
  }

  private func choose(
    _ part: AgentWeek.Part, of takers: [StaffMember], by agent: Agent
  ) throws -> [StaffMember] {
    let own = agent.member.id.rawValue
    switch part {
    case .everybody:
      try agent.require(.manageStaff)
      return takers
    case .own, .member(own):
      try agent.require(.attendVideo)
      return [agent.member]
    case .member(let id):
      try agent.require(.manageStaff)
      guard let member = takers.first(where: { $0.id.rawValue == id }) else { throw Problem.notFound }
      return [member]
    }
  }

  /// Nil where the reader may not read customers, or it is their own case.
  private func name(of call: Appointment, for agent: Agent, in tx: any SQLTransaction) throws -> String? {
    guard agent.member.permissions.contains(.attendVideo) else { return nil }
    let application = try ApplicationStore(tx, vault: core.vault).find(
      .init(rawValue: call.customerID), tenant: agent.tenant.id)
    return (try? agent.requireOther(than: application)) == nil ? nil : application.fullName
  }
}
