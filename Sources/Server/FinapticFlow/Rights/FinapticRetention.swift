import Kit
import Storage

/// Empties applications that made no customer: abandoned ones are cancelled, and the content of all of them is deleted.
struct FinapticRetention: Sendable {
  let core: CoreDependencies
  let applications: OnboardingService
  let policy: FinapticPolicy

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
      try store.empty(id, at: core.world.now())
      try core.note("application.emptied", id.rawValue, by: "retention", in: tx)
      return true
    }
  }
}
