import DocumentCore
import GatehouseWire
import HTTP
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// Calls of a customer with an agent: free times, booking, moving, calling off (rubix-onboarding §6.13).
package struct AppointmentCommands: Sendable {
  let runner: StepRunner
  let rosters: AgentRosters
  var parts: RubixDependencies { runner.parts }

  package init(runner: StepRunner, staff: Staff) {
    self.runner = runner
    rosters = AgentRosters(staff: staff)
  }

  /// Whether some agent is free then.
  package func available(
    at callTime: Instant, suiting preference: AgentPreference, for customer: Customer
  ) async throws -> AgentAvailability {
    let agents = try await rosters.agents(of: customer.tenant)
    let isAvailable = try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      let time = callTime..<(callTime + AppointmentPolicy.grid)
      return try runner.appointments(of: customer.tenant).isAvailable(
        at: callTime, suiting: preference, roster: AgentRosters.roster(agents, within: time, in: tx), in: tx)
    }
    return AgentAvailability(available: isAvailable, callTime: callTime.wire)
  }

  /// The free slots of the days, first to last inclusive; nil is today and the end of the horizon.
  /// - Throws: `Problem` validation-failed when the days are in the wrong order or too many.
  package func slots(
    from first: CalendarDate?, to last: CalendarDate?, suiting preference: AgentPreference, for customer: Customer
  ) async throws -> SlotList {
    let appointments = try runner.appointments(of: customer.tenant)
    let now = parts.world.now()
    let (policy, end) = (appointments.policy, now + appointments.policy.horizon + AppointmentPolicy.grid)
    guard let today = policy.localTime.date(at: now), let horizon = policy.localTime.date(at: end) else {
      throw Problem.unavailable
    }
    let days = (first ?? today, last ?? max(first ?? today, horizon))
    guard days.0 <= days.1, days.0.days(until: days.1) < SlotCalendar.daysMax else {
      throw Problem.validation([
        .init("/to", "range", "The last day, not before the first, at most \(SlotCalendar.daysMax) days in all.")
      ])
    }
    let agents = try await rosters.agents(of: customer.tenant)
    let slots = try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      return try appointments.slots(
        from: days.0, through: days.1, suiting: preference,
        roster: AgentRosters.roster(agents, within: now..<end, in: tx), in: tx)
    }
    return SlotList(
      slots: slots.map {
        Slot(id: $0.id, start: $0.start.wire, end: $0.end.wire, capacityLeft: $0.capacityLeft)
      }, timeZone: policy.localTime.identifier)
  }

  /// Books the call, or moves the one that is booked. The same wish again gives what is booked.
  package func book(_ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(
      .bookAppointment, request,
      admit: { _, _ in try Appointments.Request(request.body.decode(as: AppointmentRequest.self)) },
      work: { wish in (wish, try await rosters.agents(of: request.customer.tenant)) },
      commit: { dossier, work, tx in
        let (wish, agents) = work
        let time = wish.callTime..<(wish.callTime + AppointmentPolicy.grid)
        let appointment = try runner.appointments(of: dossier.tenant).book(
          wish, for: dossier.application.id.rawValue,
          roster: AgentRosters.roster(agents, within: time, in: tx), in: tx)
        guard appointment.id != dossier.appointment?.id else {
          return .ok(appointment.view(joinWindow: Dossier.joinWindow))
        }
        dossier.appointment = appointment
        dossier.application.drop(.agentVerificationFailed)
        dossier.application.record(.agentVerificationScheduled)
        try runner.move(
          &dossier, on: .appointmentBooked,
          facts: [
            "appointment": appointment.id.rawValue, "agent": appointment.agentID,
            "step": OnboardingStep.agentVerificationScheduled.rawValue,
          ], in: tx)
        try runner.save(&dossier, in: tx)
        return .created(appointment.view(joinWindow: Dossier.joinWindow))
      })
  }

  /// The call that is booked.
  /// - Throws: `Problem` not-found when none is.
  package func current(for customer: Customer) async throws -> AppointmentView {
    try await parts.database.read { tx in
      try parts.sessions.requireLive(customer.identity, in: tx)
      let dossier = try runner.load(customer.id, tenant: customer.tenant, in: tx)
      guard let appointment = dossier.appointment else { throw Problem.notFound }
      return appointment.view(joinWindow: Dossier.joinWindow)
    }
  }

  /// Calls the booked call off; another has to be booked.
  package func cancel(_ request: StepRequest) async throws -> StepAnswer {
    try await runner.run(.cancelAppointment, request, body: EmptyBody.self) { dossier, _, tx in
      let cancelled = try runner.appointments(of: dossier.tenant).cancelCurrent(
        for: dossier.application.id.rawValue, in: tx)
      dossier.releaseAppointment()
      try runner.move(
        &dossier, on: .appointmentCancelled, facts: ["appointment": cancelled.id.rawValue], in: tx)
      try runner.save(&dossier, in: tx)
      return .ok(cancelled.view(joinWindow: Dossier.joinWindow))
    }
  }
}

extension Dossier {
  /// The application has no call any more, and the step that booked it is no longer in force.
  mutating func releaseAppointment() {
    appointment = nil
    application.drop(.agentVerificationScheduled)
    application.lastStep = application.completedSteps.last ?? application.lastStep
  }
}
