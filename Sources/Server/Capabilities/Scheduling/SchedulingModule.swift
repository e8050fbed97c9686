import Kit
import Storage

/// Appointments, and the leave and hours of agents. Each flow sweeps the appointments of its own calls.
package struct SchedulingModule: StoredModule {
  private let recorder: CallRecorder?

  /// - Parameter recorder: nil where the settings name no recorder.
  package init(recorder: CallRecorder? = nil) { self.recorder = recorder }

  /// What is still owed when a recorder was taken away is dropped.
  package var effects: [String: OutboxWorker.Handler] {
    [CallRecorder.topic: { [recorder] item in try await recorder?.perform(item) }]
  }

  package static let migrations = [AgentLeaveStore.migration, AgentHoursStore.migration] + Appointments.migrations
  package static let sealedColumns = [SealedColumn("appointment", "phone", of: "customer_id")]
}
