// SPDX-License-Identifier: Apache-2.0

internal import Foundation

/// Time and waiting, as the SDKs see them. Tests answer at once and keep what was asked.
public struct ClientClock: Sendable {
  private let pauseFor: @Sendable (Duration) async throws(CancellationError) -> Void
  /// The device's calendar clock, in seconds since 1970: whatever its owner set it to.
  public let wallTime: @Sendable () -> Double
  /// Time since some instant, which cannot be set and which goes on while the device sleeps.
  public let uptime: @Sendable () -> Duration
  /// How long the device has been running; nil where that is unknown.
  public let boot: @Sendable () -> BootTime?

  /// Creates a clock from its closures.
  /// - Parameter pause: waits, and throws when the task is cancelled.
  public init(
    wallTime: @escaping @Sendable () -> Double = ClientClock.live.wallTime,
    uptime: @escaping @Sendable () -> Duration = ClientClock.live.uptime,
    boot: @escaping @Sendable () -> BootTime? = ClientClock.live.boot,
    pause: @escaping @Sendable (Duration) async throws(CancellationError) -> Void
  ) {
    pauseFor = pause
    self.wallTime = wallTime
    self.uptime = uptime
    self.boot = boot
  }

  /// Waits.
  /// - Throws: when the task is cancelled meanwhile.
  public func pause(for duration: Duration) async throws(CancellationError) { try await pauseFor(duration) }

  private static let origin = ContinuousClock.now

  /// The device's clocks.
  public static let live = ClientClock(
    wallTime: { Date().timeIntervalSince1970 },
    uptime: { origin.duration(to: ContinuousClock.now) },
    boot: { BootTime.live },
    pause: { (duration) async throws(CancellationError) in
      do { try await ContinuousClock().sleep(for: duration) } catch { throw CancellationError() }
    })
}
