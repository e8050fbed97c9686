// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// A closure of the app's on its way to the queue where the app is called back.
///
/// The published signatures do not ask for sendable closures. That is safe here because each is handed over by the one
/// call that it was given to, and called once, on one queue.
struct Callback<Value>: Sendable {
  private nonisolated(unsafe) let body: (Value) -> Void

  init(_ body: @escaping (Value) -> Void) { self.body = body }

  /// Calls the app on the queue with a value that is made there.
  func deliver(on queue: DispatchQueue, _ value: @escaping @Sendable () -> Value) {
    queue.async { body(value()) }
  }
}
