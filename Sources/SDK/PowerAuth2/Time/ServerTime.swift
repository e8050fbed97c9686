// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import GatehouseTransport
internal import Locks

/// What this device knows of the server's clock (powerauth.md §4.6):
/// 1. An answer that took longer than 16 seconds tells nothing.
/// 2. The server is taken to have looked at its clock halfway.
/// 3. A difference below 2 seconds counts as zero.
/// 4. Once there is an adjustment, it changes only by 10 seconds or more.
/// 5. When the device's clock is set, the difference is unknown.
final class ServerTime: Sendable {
  static let roundTripMax: Duration = .seconds(16)
  /// Beyond it numbers are no longer exact, and no clock is there (milliseconds).
  static let serverTimeMax: UInt64 = 1 << 53
  static let differenceMin = 2.0
  static let changeMin = 10.0
  /// Seconds that the calendar clock may drift against the one that cannot be set.
  static let driftMax = 2.0

  /// When a question was sent.
  struct Question: Sendable {
    let wallTime: Double
    let uptime: Duration
  }

  private struct Known {
    var adjustment: Double
    var precision: Double
    /// Calendar clock less uptime, which stays the same until the clock is set.
    var epoch: Double
  }

  private let clock: ClientClock
  private let known = Guarded<Known?>(nil)
  /// One question at a time.
  let mutex = AsyncMutex()

  init(_ clock: ClientClock) { self.clock = clock }

  var isSynchronized: Bool { current != nil }
  var adjustment: Double { current?.adjustment ?? 0 }
  var precision: Double { current?.precision ?? 0 }
  /// Seconds since 1970.
  var now: Double { clock.wallTime() + adjustment }
  /// Milliseconds since 1970.
  var milliseconds: UInt64 { UInt64(max(now * 1000, 0)) }

  func reset() { known.withLock { $0 = nil } }

  func ask() -> Question { Question(wallTime: clock.wallTime(), uptime: clock.uptime()) }

  /// Takes over the server's time.
  /// - Parameter serverTime: milliseconds since 1970.
  /// - Throws: `timeSynchronization` when the answer came too late.
  func learn(_ serverTime: UInt64, answering question: Question) throws(CallFailure) {
    guard serverTime <= Self.serverTimeMax else {
      throw CallFailure(.timeSynchronization, "The server told no time.")
    }
    let roundTrip = clock.uptime() - question.uptime
    guard roundTrip <= Self.roundTripMax else {
      throw CallFailure(.timeSynchronization, "The server took too long to tell its time.")
    }
    let trip = seconds(roundTrip)
    let difference = Double(serverTime) / 1000 - (question.wallTime + trip / 2)
    let adjustment = abs(difference) < Self.differenceMin ? 0 : difference
    let epoch = epoch()
    known.withLock { known in
      if let old = known, abs(old.epoch - epoch) <= Self.driftMax,
        abs(old.adjustment - adjustment) < Self.changeMin
      {
        return
      }
      known = Known(adjustment: adjustment, precision: trip / 2, epoch: epoch)
    }
  }

  private var current: Known? {
    let epoch = epoch()
    return known.withLock { known in
      if let value = known, abs(value.epoch - epoch) > Self.driftMax { known = nil }
      return known
    }
  }

  private func epoch() -> Double { clock.wallTime() - seconds(clock.uptime()) }
}

private func seconds(_ duration: Duration) -> Double {
  Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}
