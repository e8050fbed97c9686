// SPDX-License-Identifier: Apache-2.0

import Kit
import Synchronization

/// So many at once, and the next ones in their order.
final class RequestGate: Sendable {
  /// Who waits at most; the store is overloaded for the others.
  static let waitingMax = 1000

  private struct State {
    var free: Int
    var lastTicket: UInt64 = 0
    var waiting: [(ticket: UInt64, continuation: CheckedContinuation<Void, any Error>)] = []
  }

  private let state: Mutex<State>

  init(width: Int) { state = Mutex(State(free: width)) }

  /// - Throws: `BlobError.unavailable` when too many wait, `CancellationError`, or what the body throws.
  func run<Value>(_ body: () async throws -> Value) async throws -> Value {
    try await enter()
    defer { leave() }
    return try await body()
  }

  private func enter() async throws {
    let ticket = state.withLock { state in
      state.lastTicket += 1
      return state.lastTicket
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        let outcome: Result<Void, any Error>? = state.withLock { state in
          // Under the lock: a cancellation either is seen here or finds the ticket below.
          if Task.isCancelled { return .failure(CancellationError()) }
          if state.free > 0 {
            state.free -= 1
            return .success(())
          }
          guard state.waiting.count < Self.waitingMax else { return .failure(BlobError.unavailable) }
          state.waiting.append((ticket, continuation))
          return nil
        }
        if let outcome { continuation.resume(with: outcome) }
      }
    } onCancel: {
      let cancelled = state.withLock { state in
        state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).continuation }
      }
      cancelled?.resume(throwing: CancellationError())
    }
  }

  private func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, any Error>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst().continuation
    }
    next?.resume()
  }
}
