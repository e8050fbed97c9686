import Kit
import Storage

/// Lets go of applications that came to nothing: those that were left lying are cancelled, and what ended without a
/// customer keeps nothing of what was said.
struct FinapticRetention: Sendable {
  private static let batch = 50

  let parts: FinapticParts

  /// - Returns: how many applications were emptied.
  @discardableResult
  func run() async throws -> Int {
    let horizon = parts.world.now() - parts.policy.applicationRetention
    var count = 0
    for _ in 0..<20 {
      let due = try await parts.database.read { [parts] in
        try RightsStore($0, vault: parts.vault).untouched(since: horizon, limit: Self.batch)
      }
      for id in due where try await empty(id) { count += 1 }
      if due.count < Self.batch { break }
    }
    return count
  }

  private func empty(_ id: OnboardingApplication.ID) async throws -> Bool {
    try await parts.writing { [parts] tx in
      let store = RightsStore(tx, vault: parts.vault)
      guard var application = try OnboardingStore(tx, vault: parts.vault).find(id), application.customer == nil else {
        return false
      }
      if !application.status.isTerminal {
        try OnboardingBook(parts: parts).move(&application, on: .cancelled, by: "retention", in: tx)
      }
      try store.empty(id, at: parts.world.now())
      try parts.note("application.emptied", id.rawValue, by: "retention", in: tx)
      return true
    }
  }
}
