// SPDX-License-Identifier: Apache-2.0

import Kit

/// The numbers of Rubix §8.2.
package struct PasscodePolicy: Sendable {
  /// Decimal digits: 20 bits, the minimum of NIST SP 800-63B-4.
  package var codeLength = 6
  package var lifetimeSMS = Duration.minutes(5)
  package var lifetimeEmail = Duration.minutes(10)
  /// A request that waited longer than this for its message is dropped: its customer has left the screen.
  package var requestLifetime = Duration.minutes(30)
  package var triesMax = 5
  package var wrongMax = 10
  package var wrongWindow = Duration.hours(24)
  package var lockLifetime = Duration.hours(24)
  /// Wait after the first send, the second, and every further one.
  package var spacing: [Duration] = [.seconds(60), .seconds(120), .seconds(240)]
  package var sendsPerHour = 5
  package var sendsPerDay = 10

  package static let standard = PasscodePolicy()

  package init() {}

  package func lifetime(_ channel: PasscodeChannel) -> Duration {
    switch channel {
    case .sms: lifetimeSMS
    case .email: lifetimeEmail
    }
  }
}

extension PasscodePolicy {
  /// What the sends of the last day still allow.
  struct Allowance: Equatable {
    let sendsLeft: Int
    /// The earliest moment of the next send.
    let nextAt: Instant
  }

  /// Rules, each over a sliding window, for one destination over all customers:
  /// 1. at most `sendsPerDay` in 24 hours;
  /// 2. at most `sendsPerHour` in one hour;
  /// 3. the wait after a send grows with the number of sends in the hour before it.
  /// - Parameter sends: the sends of the last 24 hours, oldest first.
  func allowance(after sends: [Instant], now: Instant) -> Allowance {
    let hour = sends.filter { $0 > now - .hours(1) }
    var nextAt = now
    if sends.count >= sendsPerDay { nextAt = max(nextAt, sends[sends.count - sendsPerDay] + .hours(24)) }
    if hour.count >= sendsPerHour { nextAt = max(nextAt, hour[hour.count - sendsPerHour] + .hours(1)) }
    if let last = hour.last, !spacing.isEmpty {
      nextAt = max(nextAt, last + spacing[min(hour.count, spacing.count) - 1])
    }
    return Allowance(
      sendsLeft: max(0, min(sendsPerHour - hour.count, sendsPerDay - sends.count)), nextAt: nextAt)
  }
}
