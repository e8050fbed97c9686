// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The moves of rows of `appointment`.
struct AppointmentMachine: StateMachine {
  typealias Move = TransitionTable<Appointment.Status, Appointment.Event, Never>.Row

  let vault: Vault

  let flow = "appointment"
  var table: TransitionTable<Appointment.Status, Appointment.Event, Never> { Appointment.lifecycle }
  var state: WritableKeyPath<Appointment, Appointment.Status> { \.status }

  /// - Throws: `Problem` `step-in-progress` when another transaction was faster: callers answer so, and do not try again.
  func save(_ appointment: inout Appointment, in tx: any SQLTransaction) throws {
    guard try AppointmentStore(tx, vault).save(appointment) else { throw Problem.appointmentInProgress }
    appointment.version += 1
  }

  /// Nothing: booking, cancelling and calling are steps of an application, and their flow audits the step.
  func auditEntry(for move: Move, of appointment: Appointment) -> AuditEntry? { nil }

  /// Nothing: the table has no effects.
  func owedEffect(_ effect: Never, for move: Move, of appointment: Appointment) -> OwedEffect? {}
}
