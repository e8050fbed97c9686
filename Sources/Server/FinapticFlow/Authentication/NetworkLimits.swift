// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit

/// Limits of what callers cost and guess, counted by this node alone.
package struct NetworkLimits: Sendable {
  let rates: NodeRateLimits
  let policy: FinapticPolicy

  /// Counts wrong passwords against the limit of their network. That also limits guesses of one password at many users,
  /// which lock none of them.
  func guardingPasswords<Value>(of network: String?, _ work: () async throws -> Value) async throws -> Value {
    guard let network else { return try await work() }
    let limit = policy.wrongPerNetwork
    try rates.reserve(limit, by: network)
    do {
      let value = try await work()
      rates.giveBack(limit, by: network)
      return value
    } catch {
      // Only what guesses of many users have in common stays counted: who is locked out has a lock of their own.
      if error as? Problem != .passwordWrong { rates.giveBack(limit, by: network) }
      throw error
    }
  }

  /// Guessing links costs their limit.
  package func guardingLinks<Value>(of address: String?, _ work: () async throws -> Value) async throws -> Value {
    do { return try await work() } catch let problem as Problem where problem == .notFound {
      if let address { try rates.spend(policy.pageRefusals, by: ClientNetwork.of(address)) }
      throw problem
    }
  }
}
