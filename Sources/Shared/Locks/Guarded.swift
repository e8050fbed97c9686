// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A value behind a lock, for the few callbacks that cannot be an actor's.
///
/// It stands in for `Synchronization.Mutex`, which Apple's systems have from iOS 18 and macOS 15 on only. The value
/// may be of any type, since only the holder of the lock reaches it.
package final class Guarded<Value>: Sendable {
  private let lock = NSLock()
  // Read and written by `withLock` alone.
  private nonisolated(unsafe) var value: Value

  /// Takes the value over: the caller keeps no reference to it.
  package init(_ value: sending Value) { self.value = value }

  /// Runs `body` while no other thread has the value. It must not call this lock again, nor wait.
  /// - Throws: what `body` throws; the value stays as `body` left it.
  package func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    lock.lock()
    defer { lock.unlock() }
    return try body(&value)
  }

  /// The same, unless another thread has the value.
  /// - Returns: nil when one has it; `body` was not run then.
  package func withLockIfAvailable<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result? {
    guard lock.try() else { return nil }
    defer { lock.unlock() }
    return try body(&value)
  }
}
