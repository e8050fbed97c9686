import Identity
import Kit
import Scheduling
import Storage

/// Finds who takes calls at an institution: its active staff with the permission for it, and when they are away.
struct AgentRosters: Sendable {
  let staff: Staff

  /// Everybody who may take calls. Read before the transaction that books; who was dismissed meanwhile cannot sign in.
  func agents(of tenant: Tenant) async throws -> [AgentRoster.Agent] {
    try await staff.list(tenant: tenant.id)
      .filter { $0.isActive && $0.permissions.contains(.attendVideo) }
      .map { AgentRoster.Agent(id: $0.id.rawValue, gender: $0.gender.rawValue, languages: Set($0.languages)) }
  }

  /// The same with their leaves within the time.
  static func roster(
    _ agents: [AgentRoster.Agent], within time: Range<Instant>, in tx: any SQLTransaction
  ) throws -> AgentRoster {
    AgentRoster(agents: agents, leave: try AgentLeaveStore(tx).overlapping(time))
  }
}
