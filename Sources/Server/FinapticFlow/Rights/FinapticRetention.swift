// SPDX-License-Identifier: Apache-2.0

import Delivery
import Kit
import Screening
import Storage

/// Empties applications that made no customer: abandoned ones are cancelled, and the content of all of them is deleted,
/// with what the lists said of the applicant and the key that sealed it.
struct FinapticRetention: Sendable {
  let core: CoreDependencies
  let applications: OnboardingService
  let policy: FinapticPolicy
  let erasure: FinapticErasure

  /// - Returns: how many applications were emptied.
  @discardableResult
  func run() async throws -> Int {
    let horizon = core.world.now() - policy.applicationRetention
    var count = 0
    try await core.database.forEachDue { page, tx in
      try RightsStore(tx, vault: core.vault).untouched(since: horizon, besides: page.failed, limit: page.limit)
    } do: { id in
      if try await empty(id, untouchedSince: horizon) { count += 1 }
    }
    return count
  }

  /// - Returns: false when it was changed since it was found, or made a customer.
  func empty(_ id: OnboardingApplication.ID, untouchedSince horizon: Instant) async throws -> Bool {
    try await core.database.write(retrying: .outdated) { tx in
      let store = RightsStore(tx, vault: core.vault)
      guard try store.isUntouched(id, since: horizon),
        var application = try OnboardingStore(tx, vault: core.vault).find(id)
      else { return false }
      if !application.status.isTerminal {
        try applications.move(&application, on: .cancelled, by: "retention", in: tx)
      }
      let part = try erasure.part(of: id, tenant: application.tenant, in: tx)
      try store.empty(id, at: core.world.now())
      try RefusalStore(tx).deleteCleared(by: id, Screening(core))
      try Screening(core).forget(id.rawValue, in: tx)
      // Work that waits for a decision on a hit could not be finished any more.
      try core.cases.forget(person: id.rawValue, in: tx)
      try Webhooks.forget(about: id.rawValue, in: tx)
      if let part {
        let name = FinapticErasure.proofName(id.rawValue, tenant: application.tenant)
        try erasure.erasures.destroy([part], of: name, for: .retention, chains: [], in: tx)
      }
      try core.note("application.emptied", id.rawValue, by: "retention", in: tx)
      return true
    }
  }
}
