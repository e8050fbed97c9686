// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit

/// Hashes and compares passwords away from the cooperative pool, as many at once as there are threads.
struct Passwords: Sendable {
  let world: World
  let threads: BlockingThreadPool
  let cost: PasswordCost

  /// - Throws: `Problem.unavailable` when too many wait.
  func hashed(_ password: String) async throws -> PasswordHash {
    try await onThreads { try PasswordHash(password, cost: cost, world: world) }
  }

  /// Takes as long when there is nothing to compare with.
  func matches(_ password: String, _ stored: String?) async throws -> Bool {
    let known = stored.flatMap { PasswordHash($0) }
    let compared = known ?? PasswordHash(decoy: cost, world: world)
    // A longer one cannot be anybody's, and hashing it would only cost us.
    let isComparable = password.utf8.count <= 4 * CredentialRules.passwordMax
    let isRight = try await onThreads { try isComparable && compared.matches(password) }
    return isRight && known != nil
  }

  private func onThreads<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    do { return try await threads.run(body) } catch is BlockingThreadPoolFull {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 1 }
    }
  }
}
