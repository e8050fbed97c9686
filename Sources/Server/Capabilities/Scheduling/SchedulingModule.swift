// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Appointments, and the leave and hours of agents. Each flow sweeps the appointments of its own calls.
package struct SchedulingModule: StoredModule {
  private let recorder: CallRecorder

  package init(recorder: CallRecorder) { self.recorder = recorder }

  package var effects: [String: OutboxWorker.Handler] { [CallRecorder.topic: recorder.perform] }

  package static let migrations = [AgentLeaveStore.migration, AgentHoursStore.migration] + Appointments.migrations
  package static let sealedColumns = [SealedColumn("appointment", "phone", of: "customer_id")]
}
