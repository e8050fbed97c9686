// SPDX-License-Identifier: Apache-2.0

import Kit
import Scheduling
import Storage

/// Marks calls that did not take place, and lets their customers book again. For the worker, every few minutes.
package struct MissedCalls: Sendable {
  /// Calls that one sweep looks at.
  static let sweepMax = 100

  let core: CoreDependencies
  let applications: Applications

  /// - Returns: how many calls were marked as missed; beside them, calls for help and recordings that were left running
  ///   are ended.
  @discardableResult
  package func sweep() async throws -> Int {
    guard let tenant = applications.tenants.all.first else { return 0 }
    return try await core.database.write(retrying: .outdated) { tx in
      // Which calls are over does not depend on an institution's hours: one calendar sweeps for all.
      let (missed, left) = try applications.appointments(of: tenant).sweep(limit: Self.sweepMax, in: tx)
      for appointment in left + missed { try BrowserCalls.finish(appointment, by: "system", core, in: tx) }
      for appointment in missed { try release(appointment, in: tx) }
      return missed.count
    }
  }

  private func release(_ appointment: Appointment, in tx: any SQLTransaction) throws {
    // No step waits for a call for help.
    guard appointment.reason == .verification else { return }
    let id = Application.ID(rawValue: appointment.customerID)
    guard var dossier = try applications.load(id, in: tx), dossier.application.phase.isOpen else { return }
    dossier.releaseAppointment()
    if applicationFlow.allows(.appointmentCancelled, from: dossier.application.phase) {
      // The customer was not there, so the idle time goes on.
      try applications.move(
        &dossier, on: .appointmentCancelled, by: "system", facts: ["missed": appointment.id.rawValue],
        renewsTime: false, in: tx)
    } else {
      _ = try ApplicationStore(tx, vault: core.vault)
        .update(dossier.application, at: core.world.now())
    }
  }
}
