// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What a tenant demands a second person for, as operators set it.
package struct FourEyesSettings: Sendable {
  let core: CoreDependencies
  let tenants: FinapticTenants

  /// - Throws: `Problem` not found.
  package func look(of tenant: Int) async throws -> FourEyesPolicy {
    let found = try await tenants.find(tenant)
    return try await core.database.read { try FourEyesPolicyStore($0).policy(of: found) }
  }

  /// The most, in minor units, that one person or program of a tenant moves without a second.
  /// - Throws: `Problem` not found; validation.
  package func setAmount(
    _ minorUnits: Int64, in currency: String = InternalAccounts.currency, of tenant: Int, by actor: String
  ) async throws {
    guard minorUnits >= 0 else { throw Problem.validation([.init("/limit", "range", "0 or more.")]) }
    let isSettled = try await core.database.read { tx in
      try SettlementStore(tx).all(of: tenant).contains { $0.currency == currency }
    }
    guard isSettled || currency == InternalAccounts.currency else {
      throw Problem.validation([
        .init("/currency", "unknown", "A currency in which the tenant has accounts or settles.")
      ])
    }
    _ = try await tenants.find(tenant)
    try await core.database.write(retrying: .outdated) { [core] tx in
      try FourEyesPolicyStore(tx).setAmount(minorUnits, in: currency, of: tenant)
      try core.note(
        "tenant.postingLimit", "tenant-\(tenant)", by: actor, ["limit": "\(minorUnits)", "currency": currency], in: tx)
    }
  }

  /// What needs a second person whatever it moves.
  /// - Throws: `Problem` not found.
  package func setActs(_ acts: Set<FourEyesPolicy.Act>, of tenant: Int, by actor: String) async throws {
    _ = try await tenants.find(tenant)
    try await core.database.write(retrying: .outdated) { [core] tx in
      try FourEyesPolicyStore(tx).set(acts, of: tenant)
      try core.note(
        "tenant.fourEyes", "tenant-\(tenant)", by: actor,
        ["acts": acts.sorted().map(\.rawValue).joined(separator: " ")], in: tx)
    }
  }
}
