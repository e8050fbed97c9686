// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import Storage

/// What a second one does over the API and at the command line: a client of the tenant, with the same credentials. The
/// user of the machine is no second person. Who asked takes their request back here, too.
package struct BankApprovals: Sendable {
  let core: CoreDependencies
  let tenants: FinapticTenants
  private var gate: FourEyesGate { FourEyesGate(core: core) }

  /// What waits, the longest waiting first, but for what the client asked for. The look is audited, of a program once a
  /// day.
  /// - Throws: `Problem` forbidden for a client of another tenant or scope.
  package func waiting(for client: ServiceClient) async throws -> [RequestedApproval] {
    let tenant = try await tenants.find(of: client, scope: .approve)
    return try await core.database.write(retrying: .outdated) { [core, gate] tx in
      try core.audit.appendList(
        "finaptic.acts.listed", to: "finaptic-approvals-\(tenant.id)", by: client.actor, facts: RecordAccess.list.facts,
        in: tx)
      return try gate.waiting(of: tenant, for: client.actor, in: tx)
    }
  }

  /// - Throws: `Problem` forbidden, also `own-approval`; not-found; conflict `approval-decided`, `approval-expired`.
  package func decide(_ approval: String, agreeing: Bool, by client: ServiceClient) async throws -> RequestedApproval {
    let tenant = try await tenants.find(of: client, scope: .approve)
    return try await core.database.write(retrying: .outdated, .readCommitted) { [gate] tx in
      try gate.decide(approval.lowercased(), agreeing: agreeing, of: tenant, by: client.actor, in: tx)
    }
  }

  /// Takes back what the client asked for. Its scope was proved when it asked.
  /// - Throws: `Problem` forbidden for a client of no tenant; not-found, also for what another one asked for; conflict
  ///   `approval-decided`, `approval-expired`.
  package func withdraw(_ approval: String, by client: ServiceClient) async throws -> RequestedApproval {
    let tenant = try await tenants.find(of: client)
    return try await core.database.write(retrying: .outdated, .readCommitted) { [gate] tx in
      try gate.withdraw(approval.lowercased(), of: tenant, by: client.actor, in: tx)
    }
  }
}
