// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Who waits for which signal in this process.
final class SignalHub: Sendable {
  private struct State {
    var waiting: [String: [UInt64: AsyncStream<Void>.Continuation]] = [:]
    var next: UInt64 = 0
    var isClosed = false
  }

  private let state = Mutex(State())

  /// A stream that keeps one signal for a reader who is busy, however many were sent.
  func signals(_ name: String) -> AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id: UInt64? = state.withLock { state in
      guard !state.isClosed else { return nil }
      state.next += 1
      state.waiting[name, default: [:]][state.next] = continuation
      return state.next
    }
    guard let id else {
      continuation.finish()
      return stream
    }
    continuation.onTermination = { [weak self] _ in self?.leave(name, id) }
    return stream
  }

  func ring(_ name: String) {
    for continuation in state.withLock({ Array(($0.waiting[name] ?? [:]).values) }) { continuation.yield() }
  }

  /// Rings for every listener: after a connection was lost it is unknown what was missed.
  func ringAll() {
    for continuation in state.withLock({ $0.waiting.values.flatMap(\.values) }) { continuation.yield() }
  }

  func close() {
    let all = state.withLock { state in
      defer { state.waiting = [:] }
      state.isClosed = true
      return state.waiting.values.flatMap(\.values)
    }
    for continuation in all { continuation.finish() }
  }

  private func leave(_ name: String, _ id: UInt64) {
    state.withLock { state in
      state.waiting[name]?[id] = nil
      if state.waiting[name]?.isEmpty == true { state.waiting[name] = nil }
    }
  }
}
