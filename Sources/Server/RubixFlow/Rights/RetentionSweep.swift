// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Screening
import Storage

/// Erases files whose retention is over. For the worker, every half minute, a bounded batch at a time.
///
/// Several nodes may sweep at once; of two that erase one file, one finds nothing left.
package struct RetentionSweep: Sendable {
  /// Files that one pass erases of one institution and end.
  static let filesMax = 20
  static let rowsMax = 500
  /// The audit chain of the installation itself.
  static let chain = "installation"

  let core: CoreDependencies
  let tenants: Tenants
  let erasure: CustomerErasure
  var installation = InstallationRetention.standard

  /// - Returns: how many files were erased.
  @discardableResult
  package func run() async throws -> Int {
    var erased = 0
    var failure: (any Error)?
    for tenant in tenants.all {
      for (phase, days) in tenant.retention.periods {
        erased += try await erase(phase, of: tenant, after: .days(days), &failure)
      }
    }
    try await sweepInstallation()
    // Thrown at the end, so that one file that cannot be erased does not keep the others.
    if let failure { throw failure }
    return erased
  }

  private func erase(
    _ phase: ApplicationPhase, of tenant: Tenant, after period: Duration, _ failure: inout (any Error)?
  ) async throws -> Int {
    let horizon = core.world.now() - period
    let due = try await core.database.read { [core] tx in
      try ApplicationStore(tx, vault: core.vault).untouched(
        in: phase, tenant: tenant.id, since: horizon, limit: Self.filesMax)
    }
    var erased = 0
    for id in due {
      try Task.checkCancellation()
      do {
        // A changed row must not have the server destroy a file that is still in use.
        let moved = try await core.database.read { [core] in
          try core.audit.last("application.", of: id.rawValue, in: $0)
        }
        guard moved ?? horizon <= horizon else { throw FileYoungerInAudit() }
        if case .erased = try await erasure.erase(id, of: tenant, for: .retention, by: "system", despiteDuty: true) {
          erased += 1
        }
      } catch { failure = error }
    }
    return erased
  }

  /// The audit log knows of moves that are younger than the row.
  struct FileYoungerInAudit: Error {}

  private func sweepInstallation() async throws {
    let (now, installation) = (core.world.now(), installation)
    try await core.database.write(retrying: .outdated) { tx in
      try DevOutbox.sweep(before: now - installation.messages, limit: Self.rowsMax, in: tx)
      try Screening(core).sweepReplaced(
        before: now - installation.replacedScreenings, limit: Self.rowsMax, in: tx)
      let pruned = try core.audit.prune(
        erasedBefore: now - installation.erasedChains, limit: Self.filesMax, in: tx)
      if pruned > 0 {
        try core.audit.append(
          "audit.pruned", to: Self.chain, by: "system", facts: ["chains": "\(pruned)"], in: tx)
      }
    }
  }
}
