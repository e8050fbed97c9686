// SPDX-License-Identifier: Apache-2.0

import Delivery
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
  let core: CoreDependencies
  let sessions: Sessions
  let applications: Applications
  let steps: Steps
  let staff: Staff

  /// Whether some agent is free then.
  package func available(
    at callTime: Instant, suiting preference: AgentPreference, for customer: Customer
  ) async throws -> AgentAvailability {
    let agents = try await agents(of: customer.tenant)
    let isAvailable = try await core.database.read { tx in
      try sessions.requireLive(customer.identity, in: tx)
      let calendar = try applications.appointments(of: customer.tenant)
      return try calendar.isAvailable(
        at: callTime, suiting: preference, roster: Self.roster(agents, at: callTime, calendar, in: tx), in: tx)
    }
    return AgentAvailability(available: isAvailable, callTime: callTime.wire)
  }

  /// The free slots of the days, first to last inclusive; nil is today and the end of the horizon.
  /// - Throws: `Problem` validation-failed when the days are in the wrong order or too many.
  package func slots(
    from first: CalendarDate?, to last: CalendarDate?, suiting preference: AgentPreference, for customer: Customer
  ) async throws -> SlotList {
    let appointments = try applications.appointments(of: customer.tenant)
    let now = core.world.now()
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
    let agents = try await agents(of: customer.tenant)
    let slots = try await core.database.read { tx in
      try sessions.requireLive(customer.identity, in: tx)
      return try appointments.slots(
        from: days.0, through: days.1, suiting: preference,
        roster: AgentRoster(agents, within: now..<end, by: policy.localTime, in: tx), in: tx)
    }
    return SlotList(
      slots: slots.map {
        Slot(id: $0.id, start: $0.start.wire, end: $0.end.wire, capacityLeft: $0.capacityLeft)
      }, timeZone: policy.localTime.identifier)
  }

  /// Books the call, or moves the one that is booked for the same reason. The same wish again gives what is booked.
  ///
  /// A call for help may be booked at every step and is not a step itself: the application stays where it is.
  package func book(_ request: StepRequest) async throws -> StepAnswer {
    let (request, body) = try await read(request)
    let isHelp = (try? body.decode(as: AppointmentRequest.self))?.reason == .help
    let step = try await steps.admit(isHelp ? .bookHelp : .bookAppointment, request)
    if let earlier = step.earlier { return earlier }
    do {
      let wish = try Appointments.Request(step.body.decode(as: AppointmentRequest.self))
      let agents = try await Deadline.run(Steps.workLimit) { try await self.agents(of: request.customer.tenant) }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        let calendar = try applications.appointments(of: dossier.tenant)
        let (call, isNew) = try applications.book(
          wish, of: &dossier, roster: Self.roster(agents, at: wish.callTime, calendar, in: tx), in: tx)
        let view = call.view(joinWindow: Dossier.joinWindow)
        guard isNew else { return try steps.keep(.ok(view), for: step, in: tx) }
        try applications.save(&dossier, in: tx)
        return try steps.keep(.created(view), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  /// The call that is booked, with the address where it is joined while it can be joined.
  /// - Parameter reason: which call; nil is the one of the verification, and where none is booked the one for help.
  /// - Throws: `Problem` not-found when none is.
  package func current(
    reason: Appointment.Reason? = nil, for customer: Customer
  ) async throws -> AppointmentView {
    try await core.database.read { tx in
      try sessions.requireLive(customer.identity, in: tx)
      let calendar = try applications.appointments(of: customer.tenant)
      let id = try applications.load(customer.id, tenant: customer.tenant, in: tx).application.id.rawValue
      let reasons = reason.map { [$0] } ?? [.verification, .help]
      let found = try reasons.compactMap { try calendar.current(for: id, reason: $0, in: tx) }.first
      guard let appointment = found else { throw Problem.notFound }
      let callAddress = CallAddress(
        tenant: customer.tenant, pages: applications.callPages, vault: core.vault, calendar: calendar)
      // A video service tells its guests itself.
      let isHere = customer.tenant.callURL == CallAddress.here
      let isRecorded =
        try isHere
        ? applications.recordsCalls || BrowserCalls.isBeingRecorded(appointment.id, in: tx) : nil
      return appointment.view(
        joinWindow: Dossier.joinWindow, joinURL: callAddress.address(of: appointment, for: .customer),
        isRecorded: isRecorded)
    }
  }

  /// Calls the booked call off; one of the verification has to be booked again.
  package func cancel(_ request: StepRequest) async throws -> StepAnswer {
    let (request, body) = try await read(request)
    let isHelp = (try? body.decode(as: CancelAppointmentRequest.self))?.reason == .help
    let step = try await steps.admit(isHelp ? .cancelHelp : .cancelAppointment, request)
    if let earlier = step.earlier { return earlier }
    do {
      guard try step.body.decode(as: CancelAppointmentRequest.self).reason?.isKnown ?? true else {
        throw Problem.validation([.init("/reason", "unknown-value", "verification or help.")])
      }
      return try await core.database.write(retrying: .outdated) { tx in
        var dossier = try steps.resume(step, in: tx)
        let id = dossier.application.id.rawValue
        let cancelled = try applications.appointments(of: dossier.tenant).cancelCurrent(
          for: id, reason: isHelp ? .help : .verification, in: tx)
        try BrowserCalls.finish(cancelled, by: "customer", core, in: tx)
        let facts = ["appointment": cancelled.id.rawValue]
        if isHelp {
          try core.audit.append("help.cancelled", to: id, by: "customer", facts: facts, in: tx)
        } else {
          dossier.releaseAppointment()
          try applications.move(&dossier, on: .appointmentCancelled, facts: facts, in: tx)
        }
        try applications.save(&dossier, in: tx)
        return try steps.keep(.ok(cancelled.view(joinWindow: Dossier.joinWindow)), for: step, in: tx)
      }
    } catch { throw await steps.abandon(step, after: error) }
  }

  /// Reads the body of a request before it is admitted: why a call is made decides whether it is in order.
  private func read(_ request: StepRequest) async throws -> (StepRequest, RequestContent) {
    if request.isLarge { try await steps.requireInOrder(.bookHelp, request) }
    let body = try await request.readBody()
    return (request.with(body), body)
  }

  private func agents(of tenant: Tenant) async throws -> [AgentRoster.Agent] {
    try await staff.callTakers(of: tenant).map(\.callTaker)
  }

  /// The agents with what is kept about the slot that starts then.
  static func roster(
    _ agents: [AgentRoster.Agent], at start: Instant, _ calendar: Appointments, in tx: any SQLTransaction
  ) throws -> AgentRoster {
    try AgentRoster(
      agents, within: start..<(start + AppointmentPolicy.grid), by: calendar.policy.localTime, in: tx)
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

extension Appointments.Request {
  /// The wish of a customer, checked member by member (rubix-onboarding §6.13).
  /// - Throws: `Problem` validation-failed.
  init(_ body: AppointmentRequest) throws {
    var fields: [Problem.Field] = []
    if let gender = body.gender, !gender.isKnown {
      fields.append(.init("/gender", "unknown-value", AgentPreference.genderHint))
    }
    if let language = body.language, AgentPreference.language(language) == nil {
      fields.append(.init("/language", "format", AgentPreference.languageHint))
    }
    if let phone = body.phone, PhoneNumber(phone) == nil {
      fields.append(.init("/phone", "format", "A number in E.164 form, such as +96550001234."))
    }
    let reason = Appointment.Reason(rawValue: body.reason.rawValue)
    if reason == nil { fields.append(.init("/reason", "unknown-value", "verification or help.")) }
    guard fields.isEmpty else { throw Problem.validation(fields) }
    self.init(
      callTime: Instant(body.callTime),
      preference: AgentPreference(gender: body.gender?.rawValue, language: body.language),
      reason: reason ?? .verification, phone: body.phone)
  }
}
