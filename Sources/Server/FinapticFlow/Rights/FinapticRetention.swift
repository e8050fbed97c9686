import Kit
import Storage

/// Lets go of applications that came to nothing: those that were left lying are cancelled, and what ended without a
/// customer keeps nothing of what was said.
struct FinapticRetention: Sendable {
  let parts: FinapticDependencies

  /// - Returns: how many applications were emptied.
  @discardableResult
  func run() async throws -> Int {
    let horizon = parts.world.now() - parts.policy.applicationRetention
    var count = 0
    try await parts.database.forEachDue { [parts] page, tx in
      try RightsStore(tx, vault: parts.vault).untouched(since: horizon, besides: page.failed, limit: page.limit)
    } do: { id in
      if try await empty(id, untouchedSince: horizon) { count += 1 }
    }
    return count
  }

  /// - Returns: false when somebody touched it since it was found, or became a customer by it.
  func empty(_ id: OnboardingApplication.ID, untouchedSince horizon: Instant) async throws -> Bool {
    try await parts.database.write(retrying: .outdated) { [parts] tx in
      let store = RightsStore(tx, vault: parts.vault)
      guard try store.isUntouched(id, since: horizon),
        var application = try OnboardingStore(tx, vault: parts.vault).find(id)
      else { return false }
      if !application.status.isTerminal {
        try OnboardingService(parts: parts).move(&application, on: .cancelled, by: "retention", in: tx)
      }
      try store.empty(id, at: parts.world.now())
      try parts.note("application.emptied", id.rawValue, by: "retention", in: tx)
      return true
    }
  }
}
