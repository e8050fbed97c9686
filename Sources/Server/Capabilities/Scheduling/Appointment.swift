// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// A call between a customer and an agent (rubix-onboarding §6.13).
package struct Appointment: Sendable, Hashable {
  package typealias ID = Identifier<Appointment>

  /// The words of the wire.
  package enum Status: String, Sendable, CaseIterable, SQLConvertible {
    case scheduled = "SCHEDULED"
    case inCall = "IN_CALL"
    case done = "DONE"
    case noShow = "NO_SHOW"
    case cancelled = "CANCELLED"
  }

  /// What happens to an appointment.
  package enum Event: String, Sendable, CaseIterable {
    case callStarted, callEnded, customerMissed
    /// By the customer, or because a later booking took its place.
    case calledOff
  }

  /// Why the call is made; the words of the wire.
  package enum Reason: String, Sendable, CaseIterable, SQLConvertible { case verification, help }

  /// What may happen to an appointment.
  package static let lifecycle: TransitionTable<Status, Event, Never> = .init([
    .init(.scheduled, on: .callStarted, to: .inCall),
    .init(.scheduled, on: .customerMissed, to: .noShow),
    .init(.scheduled, on: .calledOff, to: .cancelled),
    .init(.inCall, on: .callEnded, to: .done),
  ])

  /// This appointment.
  package let id: ID
  /// Whom it is with, in the flow's own ids.
  package let customerID: String
  /// Who was assigned when it was booked.
  package let agentID: String
  /// When the call begins, on the grid.
  package let callTime: Instant
  /// Why the call is made.
  package let reason: Reason
  /// What the customer wished.
  package let preference: AgentPreference
  /// The number to call instead of the customer's own, E.164.
  package let phone: String?
  /// How it stands.
  package var status: Status
  /// How often this appointment was moved before it came to this time.
  package let reschedules: Int
  /// The one whose place it took.
  package let replaces: ID?
  /// When it was booked.
  package let createdAt: Instant
  /// Counts changes; guards concurrent ones.
  package var version: Int

  /// When the call is planned to end.
  package var end: Instant { callTime + AppointmentPolicy.grid }
}

/// The moves of rows of `appointment`.
struct AppointmentMachine: StateMachine {
  typealias State = Appointment.Status
  typealias Event = Appointment.Event
  typealias Effect = Never

  let vault: Vault

  let flow = "appointment"
  var table: TransitionTable<State, Event, Effect> { Appointment.lifecycle }
  var state: WritableKeyPath<Appointment, Appointment.Status> { \.status }

  /// - Throws: `Problem` `step-in-progress` when another transaction was faster: callers answer so, and do not try again.
  func save(_ appointment: inout Appointment, in tx: any SQLTransaction) throws {
    guard try AppointmentStore(tx, vault).save(appointment) else { throw Problem.appointmentInProgress }
    appointment.version += 1
  }

  /// Nothing: booking, cancelling and calling are steps of an application, and their flow audits the step.
  func auditEntry(for move: Move, of appointment: Appointment) -> AuditEntry? { nil }
}
