import Kit
import Storage

/// Appointments, and the leave and hours of agents. Each flow sweeps the appointments of its own calls.
package struct SchedulingModule: StoredModule {
  package init() {}

  package static let migrations = [AgentLeaveStore.migration, AgentHoursStore.migration] + Appointments.migrations
  package static let sealedColumns = [SealedColumn("appointment", "phone", of: "customer_id")]
}
