// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// How many calls of this node each bank has in hand: a bank that does not answer must not take the threads of all
/// others.
final class BankCallLimit: Sendable {
  private let taken = Mutex<[SaltEdgeProvider.ID: Int]>([:])
  private let most: Int

  init(most: Int) { self.most = most }

  /// - Throws: `BankFailure.crowded` without calling, when the bank has its share; what `call` throws.
  func run<Value: Sendable>(
    _ bank: SaltEdgeProvider.ID, _ call: () async throws -> Value
  ) async throws -> Value {
    let isFree = taken.withLock { taken in
      guard taken[bank, default: 0] < most else { return false }
      taken[bank, default: 0] += 1
      return true
    }
    guard isFree else { throw BankFailure.crowded }
    defer {
      taken.withLock { taken in
        let left = (taken[bank] ?? 1) - 1
        taken[bank] = left > 0 ? left : nil
      }
    }
    return try await call()
  }
}
