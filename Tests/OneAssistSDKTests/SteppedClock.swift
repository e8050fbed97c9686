// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseTransport
import Synchronization

/// A device's clock on which pauses end when a test says that time passes.
final class SteppedClock: Sendable {
  private struct State {
    var now = Duration.seconds(1000)
    /// What the owner set the calendar to beside it.
    var calendar = 1_800_000_000.0
    var names = 0
    var pauses: [Int: (until: Duration, end: CheckedContinuation<Bool, Never>)] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())

  /// Seconds since 1970.
  var wall: Double { state.withLock { Self.wall($0) } }

  var client: ClientClock {
    ClientClock(
      wallTime: { self.wall }, uptime: { self.state.withLock { $0.now } },
      pause: { (duration) async throws(CancellationError) in
        guard await self.pause(duration) else { throw CancellationError() }
      })
  }

  /// Time passes, and pauses end whose time it is.
  func advance(_ duration: Duration) {
    let ended = state.withLock { state in
      state.now += duration
      let ended = state.pauses.filter { $0.value.until <= state.now }
      for name in ended.keys { state.pauses[name] = nil }
      return ended.sorted { $0.value.until < $1.value.until }.map(\.value.end)
    }
    for end in ended { end.resume(returning: true) }
  }

  /// Sets the calendar clock; no time passes.
  func set(by seconds: Double) { state.withLock { $0.calendar += seconds } }

  /// Waits until so many pauses go on.
  func pauses(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        guard state.pauses.count < count else { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func pause(_ duration: Duration) async -> Bool {
    let name = state.withLock { state in
      state.names += 1
      return state.names
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { end in
        let woken: [CheckedContinuation<Void, Never>]? = state.withLock { state in
          guard !Task.isCancelled else { return nil }
          state.pauses[name] = (state.now + duration, end)
          let woken = state.watchers.filter { $0.count <= state.pauses.count }
          state.watchers.removeAll { $0.count <= state.pauses.count }
          return woken.map(\.continuation)
        }
        guard let woken else { return end.resume(returning: false) }
        for watcher in woken { watcher.resume() }
      }
    } onCancel: {
      state.withLock { $0.pauses.removeValue(forKey: name)?.end }?.resume(returning: false)
    }
  }

  private static func wall(_ state: State) -> Double {
    let seconds = state.now.components
    return state.calendar + Double(seconds.seconds) + Double(seconds.attoseconds) / 1e18
  }
}
