// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit

/// Hashes and compares passwords away from the cooperative pool, as many at once as there are threads.
struct Passwords: Sendable {
  let world: World
  let threads: BlockingThreadPool
  let cost: PasswordCost

  /// What is thrown when too many wait, or there is no memory to hash in.
  static let crowded = Problem.unavailable.with { $0.retryAfterSeconds = 1 }

  /// - Parameter caller: who takes turns with others: the network that a request comes from, or the user.
  /// - Throws: `crowded`.
  func hashed(_ password: String, for caller: String?) async throws -> PasswordHash {
    try await orCrowded { try await threads.run(for: caller) { try PasswordHash(password, cost: cost, world: world) } }
  }

  /// Takes as long when there is nothing to compare with.
  /// - Parameters:
  ///   - caller: who takes turns with others: the network that a request comes from, or the user.
  ///   - expected: what is no wrong password: false where another one than the present is asked for.
  /// - Throws: `crowded`.
  func matches(
    _ password: String, _ stored: String?, for caller: String?, expecting expected: Bool = true
  ) async throws -> Bool {
    let known = stored.flatMap { PasswordHash($0) }
    let compared = known ?? PasswordHash(decoy: cost, world: world)
    // A longer one cannot be anybody's, and hashing it would only cost us.
    let isComparable = password.utf8.count <= 4 * CredentialRules.passwordMax
    let isRight = try await orCrowded {
      try await threads.compare(for: caller, expecting: expected) { try isComparable && compared.matches(password) }
    }
    return isRight && known != nil
  }

  private func orCrowded<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch is BlockingThreadPoolFull, is PasswordHash.Failure {
      throw Self.crowded
    }
  }
}
