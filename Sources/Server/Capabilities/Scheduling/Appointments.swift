// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Kit
import Storage

/// Calls with agents: which slots are free, booking, moving, calling off (rubix-onboarding §6.13).
///
/// Every method runs inside the caller's transaction, so that the step, its audit line and the booking commit together.
package struct Appointments: Sendable {
  /// What a customer asks for.
  package struct Request: Sendable, Hashable {
    /// Start of a slot.
    package let callTime: Instant
    /// Whom the customer would like to talk to.
    package let preference: AgentPreference
    /// Why the call is made.
    package let reason: Appointment.Reason
    /// The number to call instead of the customer's own, E.164.
    package let phone: String?

    package init(
      callTime: Instant, preference: AgentPreference = .anyone, reason: Appointment.Reason = .verification,
      phone: String? = nil
    ) {
      self.callTime = callTime
      self.preference = preference
      self.reason = reason
      self.phone = phone
    }
  }

  /// The table of appointments.
  package static let migrations = [
    AppointmentStore.migration, AppointmentStore.reasonMigration, CallSeatStore.migration,
    CallSeatStore.recordingMigration,
  ]

  private let calendar: SlotCalendar
  private let vault: Vault
  private let world: World
  private let mover: Mover

  package init(policy: AppointmentPolicy, vault: Vault, world: World, mover: Mover) {
    calendar = SlotCalendar(policy)
    self.vault = vault
    self.world = world
    self.mover = mover
  }

  /// What the institution set.
  package var policy: AppointmentPolicy { calendar.policy }

  /// Books the slot, or moves the customer's appointment for the same reason to it, and assigns the agent. The same
  /// request again gives the appointment that is there. Of two customers for the last place exactly one gets it.
  ///
  /// - Parameters:
  ///   - agent: gets the call where they are free; nil is the agent whom other customers would miss least.
  ///   - isByInstitution: what the institution moves is not counted against the customer.
  /// - Throws: `Problem` `slot-expired` (past or within the lead time), `validation-failed` (not a slot, or beyond the
  ///   horizon), `slot-taken` (no suitable agent is free), `step-already-completed` (moved too often already),
  ///   `step-in-progress` (the call runs, or another request of the same customer does).
  package func book(
    _ request: Request, for customer: String, roster: AgentRoster, keeping agent: String? = nil,
    isByInstitution: Bool = false, in tx: any SQLTransaction
  ) throws -> Appointment {
    let store = AppointmentStore(tx, vault)
    var previous = try store.live(for: customer, request.reason)
    if let live = previous, live.status == .scheduled, live.callTime < missedBefore {
      // The sweep has not been by yet: the old call was missed, so this is a new booking, not a move.
      _ = try advance(live.id, on: .customerMissed, in: tx)
      previous = nil
    }
    if let previous, previous.answers(request) { return previous }
    try requireOpen(request.callTime)
    if let previous { try callOff(previous, isByInstitution: isByInstitution, in: tx) }
    let day = (request.callTime - .hours(12))..<(request.callTime + .hours(12))
    let booked = try store.booked(day)
    let free = calendar.freeAgents(
      at: request.callTime, roster: roster, suiting: request.preference, taken: Set(booked))
    let ranked = Self.leastMissed(free, booked: booked)
    for agent in ranked.filter({ $0.id == agent }) + ranked.filter({ $0.id != agent }) {
      let appointment = Appointment(
        id: .init(world), customerID: customer, agentID: agent.id, callTime: request.callTime, reason: request.reason,
        preference: request.preference, phone: request.phone, status: .scheduled,
        reschedules: previous.map { $0.reschedules + (isByInstitution ? 0 : 1) } ?? 0, replaces: previous?.id,
        createdAt: world.now(), version: 1)
      do { if try store.insert(appointment) { return appointment } } catch SQLError.notUnique {
        throw Problem.appointmentInProgress
      }
    }
    throw Problem(.conflict, "slot-taken", "No agent is free at that time any more.")
  }

  /// The free slots that start on the days, first to last inclusive, by the institution's calendar.
  package func slots(
    from first: CalendarDate, through last: CalendarDate, suiting preference: AgentPreference, roster: AgentRoster,
    in tx: any SQLTransaction
  ) throws -> [SlotCalendar.Slot] {
    let now = world.now()
    let booked = try AppointmentStore(tx, vault).booked(now..<(now + policy.horizon + AppointmentPolicy.grid))
    return calendar.slots(
      from: first, through: last, now: now, roster: roster, suiting: preference, booked: booked)
  }

  /// The free starts on the days with each agent, by the agents' ids.
  package func free(
    from first: CalendarDate, through last: CalendarDate, roster: AgentRoster, in tx: any SQLTransaction
  ) throws -> [String: [Instant]] {
    let now = world.now()
    let booked = try AppointmentStore(tx, vault).booked(now..<(now + policy.horizon + AppointmentPolicy.grid))
    return calendar.free(from: first, through: last, now: now, roster: roster, booked: booked)
  }

  /// Whether a call that starts then could be booked.
  package func isAvailable(
    at start: Instant, suiting preference: AgentPreference, roster: AgentRoster, in tx: any SQLTransaction
  ) throws -> Bool {
    guard calendar.availability(of: start, now: world.now()) == .open else { return false }
    let taken = try AppointmentStore(tx, vault).booked(start..<(start + AppointmentPolicy.grid))
    return !calendar.freeAgents(at: start, roster: roster, suiting: preference, taken: Set(taken)).isEmpty
  }

  /// The customer's live appointment for the reason, if any.
  package func current(
    for customer: String, reason: Appointment.Reason = .verification, in tx: any SQLTransaction
  ) throws -> Appointment? {
    try AppointmentStore(tx, vault).live(for: customer, reason)
  }

  /// The customer's last appointment for the reason, in any state.
  package func latest(
    for customer: String, reason: Appointment.Reason = .verification, in tx: any SQLTransaction
  ) throws -> Appointment? {
    try AppointmentStore(tx, vault).latest(for: customer, reason)
  }

  /// Nil without one.
  package func find(_ id: Appointment.ID, in tx: any SQLTransaction) throws -> Appointment? {
    try AppointmentStore(tx, vault).find(id)
  }

  /// The agent's calls that start within the time, cancelled ones left out; at most 1,000.
  package func calls(of agent: String, within time: Range<Instant>, in tx: any SQLTransaction) throws -> [Appointment] {
    try AppointmentStore(tx, vault).calls(of: agent, in: time)
  }

  /// Every appointment of a customer, oldest first.
  package func all(for customer: String, in tx: any SQLTransaction) throws -> [Appointment] {
    try AppointmentStore(tx, vault).all(for: customer)
  }

  /// What each side of a call on our own pages did.
  package func seats(of call: Appointment.ID, in tx: any SQLTransaction) throws -> [CallSeat] {
    try CallSeatStore(tx).all(of: call)
  }

  /// Forgets a customer, for an erasure; a place that was booked is free again.
  package func forget(_ customer: String, in tx: any SQLTransaction) throws {
    try CallSeatStore(tx).deleteAll(for: customer)
    try AppointmentStore(tx, vault).deleteAll(for: customer)
  }

  /// Calls the customer's live appointment for the reason off and frees its place.
  /// - Throws: `Problem` `not-found` without one, `step-in-progress` when the call runs.
  package func cancelCurrent(
    for customer: String, reason: Appointment.Reason = .verification, in tx: any SQLTransaction
  ) throws -> Appointment {
    guard let live = try AppointmentStore(tx, vault).live(for: customer, reason) else { throw Problem.notFound }
    guard live.status == .scheduled else { throw Problem.appointmentInProgress }
    return try advance(live.id, on: .calledOff, in: tx)
  }

  /// Moves an appointment along its lifecycle.
  /// - Throws: `Problem` `not-found`; `IllegalMove`; `step-in-progress` when another request moved it meanwhile.
  package func advance(
    _ id: Appointment.ID, on event: Appointment.Event, in tx: any SQLTransaction
  ) throws -> Appointment {
    guard let appointment = try AppointmentStore(tx, vault).find(id) else { throw Problem.notFound }
    return try move(appointment, on: event, in: tx)
  }

  /// Whether the call can be joined: from a little before its time until it counts as missed, and while it runs.
  package func isJoinable(_ appointment: Appointment) -> Bool {
    switch appointment.status {
    case .inCall: true
    case .scheduled: appointment.callTime - policy.joinWindow <= world.now() && appointment.callTime >= missedBefore
    case .done, .noShow, .cancelled: false
    }
  }

  /// Begins a call that can be joined; one that runs stays as it is.
  /// - Throws: `Problem` `step-out-of-order` before its time and after its end; `step-in-progress` when another request
  ///   moved it meanwhile.
  package func begin(_ appointment: Appointment, in tx: any SQLTransaction) throws -> Appointment {
    guard isJoinable(appointment) else {
      throw Problem(.conflict, "step-out-of-order", "The call cannot be joined now.")
    }
    return appointment.status == .inCall ? appointment : try move(appointment, on: .callStarted, in: tx)
  }

  /// Ends a call after a verdict. The table refuses to end a call that has not begun.
  /// - Throws: as `begun`; `IllegalMove`.
  package func conclude(_ appointment: Appointment, startedAt: Instant?, in tx: any SQLTransaction) throws {
    _ = try move(begun(appointment, startedAt: startedAt, in: tx), on: .callEnded, in: tx)
  }

  /// The call on which there is a verdict. A scheduled call has begun when its record names a start, or when the
  /// customer can join it by now; others stay as they are.
  /// Where the institution lets a verdict follow a call on our pages only, the call has to run.
  /// - Parameter startedAt: by the record of the call; nil without one. A call does not begin before it was booked.
  /// - Throws: `step-in-progress` when another request moved it meanwhile.
  package func begun(
    _ appointment: Appointment, startedAt: Instant?, in tx: any SQLTransaction
  ) throws -> Appointment {
    // A call that took place on our pages began when both sides were connected; nothing else stands for that.
    guard !policy.verdictNeedsCall, appointment.status == .scheduled else { return appointment }
    let isRecorded = startedAt.map { $0 + .minutes(5) >= appointment.createdAt } ?? false
    guard isRecorded || appointment.callTime - policy.joinWindow <= world.now() else { return appointment }
    return try move(appointment, on: .callStarted, in: tx)
  }

  /// The actor is never written, as the machine has no audit line.
  private func move(
    _ appointment: Appointment, on event: Appointment.Event, in tx: any SQLTransaction
  ) throws -> Appointment {
    var moved = appointment
    try mover.move(&moved, on: event, of: AppointmentMachine(vault: vault), by: "system", in: tx)
    return moved
  }

  /// Marks calls that never began, a while after their end, as missed, and ends calls for help that were left running;
  /// for the worker. A verification that was left running waits for its verdict.
  /// - Returns: those that it marked as missed; the ended, and verifications whose recording was left running.
  package func sweep(
    limit: Int = 100, in tx: any SQLTransaction
  ) throws -> (missed: [Appointment], left: [Appointment]) {
    let store = AppointmentStore(tx, vault)
    let left = try store.overdueHelp(before: world.now() - policy.helpMax, limit: limit).map {
      try move($0, on: .callEnded, in: tx)
    }
    let missed = try store.overdue(before: missedBefore, limit: limit).map {
      try advance($0.id, on: .customerMissed, in: tx)
    }
    return (missed, try left + store.overdueRecordings(before: world.now() - BrowserCalls.openMax, limit: limit))
  }

  /// Scheduled calls that should have started before then were missed.
  private var missedBefore: Instant { world.now() - policy.missedAfter - AppointmentPolicy.grid }

  private func callOff(_ previous: Appointment, isByInstitution: Bool, in tx: any SQLTransaction) throws {
    guard previous.status == .scheduled else { throw Problem.appointmentInProgress }
    guard isByInstitution || previous.reschedules < policy.reschedulesMax else {
      throw Problem(
        .conflict, "step-already-completed", "The appointment was moved \(policy.reschedulesMax) times already.")
    }
    _ = try move(previous, on: .calledOff, in: tx)
  }

  private func requireOpen(_ start: Instant) throws {
    switch calendar.availability(of: start, now: world.now()) {
    case .open: return
    case .tooSoon: throw Problem(.gone, "slot-expired", "That time is past or too soon.")
    case .beyondHorizon:
      throw Problem.validation([.init("/call_time", "beyond-horizon", "Calls cannot be booked that far ahead yet.")])
    case .closed: throw Problem.validation([.init("/call_time", "not-a-slot", "No call can start at that time.")])
    }
  }

  /// Free agents, the one whom later customers would miss least first: of the gender that is less scarce among the free
  /// ones, with fewer languages, with fewer calls that day.
  private static func leastMissed(
    _ free: [AgentRoster.Agent], booked: [SlotCalendar.BookedCall]
  ) -> [AgentRoster.Agent] {
    let ofGender = Dictionary(grouping: free, by: \.gender).mapValues(\.count)
    let calls = Dictionary(grouping: booked, by: \.agentID).mapValues(\.count)
    func rank(_ agent: AgentRoster.Agent) -> (Int, Int, Int, String) {
      (-(ofGender[agent.gender] ?? 0), agent.languages.count, calls[agent.id] ?? 0, agent.id)
    }
    return free.sorted { rank($0) < rank($1) }
  }
}

extension Appointment {
  /// Whether the request asks for what is booked already.
  fileprivate func answers(_ request: Appointments.Request) -> Bool {
    callTime == request.callTime && reason == request.reason && preference == request.preference
      && phone == request.phone
  }
}

extension Problem {
  static let appointmentInProgress = Problem(
    .conflict, "step-in-progress", "The appointment is being used right now.")
}
