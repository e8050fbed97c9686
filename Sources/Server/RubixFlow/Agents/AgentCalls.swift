// SPDX-License-Identifier: Apache-2.0

import HTTP
import Identity
import Kit
import RubixWire
import Scheduling
import Storage

/// A call as its agent holds it: `POST /agents/calls/{id}/start`, `…/end` and `…/cancel`. How a call goes on from state
/// to state is in `docs/rubix-calls.md`.
package struct AgentCalls: Sendable {
  let core: CoreDependencies
  let agentSessions: Sessions
  let applications: Applications

  /// Begins a call that can be joined, and tells where the agent joins it. Of a call that runs it is the same answer.
  /// Where a verdict needs a call on our pages, it begins there, and this only tells where.
  /// - Throws: `Problem` forbidden without `attend:video` or in one's own case; not-found; step-out-of-order before its
  ///   time and after its end.
  package func start(_ id: Appointment.ID, by agent: Agent) async throws -> AppointmentView {
    try agent.require(.attendVideo)
    return try await core.database.write(retrying: .outdated) { tx in
      let (call, calendar) = try admit(agent, to: id, in: tx)
      if calendar.policy.verdictNeedsCall {
        // Only the browsers of both sides begin it.
        guard calendar.isJoinable(call) else { throw Problem.callNotOpen }
        return try view(of: call, after: call, "call.started", calendar, agent, in: tx)
      }
      return try view(of: calendar.begin(call, in: tx), after: call, "call.started", calendar, agent, in: tx)
    }
  }

  /// Ends a call for help. A call of the verification ends with its verdict.
  /// - Throws: `Problem` as `start`; step-out-of-order, also for a call of the verification.
  package func end(_ id: Appointment.ID, by agent: Agent) async throws -> AppointmentView {
    try agent.require(.attendVideo)
    return try await core.database.write(retrying: .outdated) { tx in
      let (call, calendar) = try admit(agent, to: id, in: tx)
      guard call.reason == .help else {
        throw Problem(.conflict, "step-out-of-order", "The verdict ends this call.")
      }
      do {
        let ended = call.status == .done ? call : try calendar.advance(call.id, on: .callEnded, in: tx)
        // Where a browser sat in it, its line is written already.
        let isNoted = try BrowserCalls.finish(call, by: agent.actor, core, in: tx)
        return try view(of: ended, after: isNoted ? ended : call, "call.ended", calendar, agent, in: tx)
      } catch is IllegalMove { throw Problem(.conflict, "step-out-of-order", "The call does not run.") }
    }
  }

  /// Calls a call off that has not begun, and has the customer told, who may book another one. Of a call that was
  /// called off it is the same answer.
  /// - Parameter why: for the audit.
  /// - Throws: `Problem` as `start`; step-out-of-order once it has begun.
  package func cancel(
    _ id: Appointment.ID, why: CallChangeReason? = nil, by agent: Agent
  ) async throws -> AppointmentView {
    try agent.require(.attendVideo)
    return try await core.database.write(retrying: .outdated) { tx in
      let (call, calendar) = try admit(agent, to: id, in: tx)
      guard call.status != .cancelled else { return call.view(joinWindow: Dossier.joinWindow) }
      guard call.status == .scheduled else {
        throw Problem(.conflict, "step-out-of-order", "Only a call that has not begun can be called off.")
      }
      let cancelled = try calendar.advance(call.id, on: .calledOff, in: tx)
      try BrowserCalls.finish(call, by: agent.actor, core, in: tx)
      var dossier = try applications.load(.init(rawValue: call.customerID), tenant: agent.tenant, in: tx)
      var facts = ["appointment": call.id.rawValue]
      facts["why"] = why?.rawValue
      if call.reason == .verification, applicationFlow.allows(.appointmentCancelled, from: dossier.application.phase) {
        dossier.releaseAppointment()
        // The customer did nothing, so the idle time goes on.
        try applications.move(
          &dossier, on: .appointmentCancelled, by: agent.actor, facts: facts, renewsTime: false, in: tx)
        try applications.save(&dossier, in: tx)
      } else {
        // No step of the application waits for it, so no move tells of it.
        let action = call.reason == .help ? "help.cancelled" : "call.cancelled"
        try core.audit.append(action, to: call.customerID, by: agent.actor, facts: facts, in: tx)
      }
      try core.outbox.enqueue(
        CallReminder.cancelledTopic, subject: call.customerID, payload: agent.tenant.id, in: tx)
      return cancelled.view(joinWindow: Dossier.joinWindow)
    }
  }

  private func admit(
    _ agent: Agent, to id: Appointment.ID, in tx: any SQLTransaction
  ) throws -> (Appointment, Appointments) {
    try agentSessions.requireLive(agent, in: tx)
    let calendar = try applications.appointments(of: agent.tenant)
    guard let call = try calendar.find(id, in: tx) else { throw Problem.notFound }
    let application = try ApplicationStore(tx, vault: core.vault).find(
      .init(rawValue: call.customerID), tenant: agent.tenant.id)
    try agent.requireOther(than: application)
    return (call, calendar)
  }

  /// Writes the audit entry of a call that moved, and shows the call.
  private func view(
    of moved: Appointment, after call: Appointment, _ action: String, _ calendar: Appointments, _ agent: Agent,
    in tx: any SQLTransaction
  ) throws -> AppointmentView {
    if moved.status != call.status {
      try core.audit.append(
        action, to: call.customerID, by: agent.actor, facts: ["appointment": call.id.rawValue], in: tx)
    }
    let address = CallAddress(
      tenant: agent.tenant, pages: applications.callPages, vault: core.vault, calendar: calendar)
    return moved.view(joinWindow: Dossier.joinWindow, joinURL: address.address(of: moved, for: .agent))
  }
}

extension Problem {
  static let callNotOpen = Problem(.conflict, "step-out-of-order", "The call cannot be joined now.")
}
