// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The two things that a program cannot compute: what time it is, and random bytes. Injected, so that tests are exact.
package struct World: Sendable {
  /// The time that rows, deadlines and days go by.
  package let now: @Sendable () -> Instant
  /// The machine's time, for what is compared with the clock of another machine: signatures that expire, codes of
  /// authenticator apps, tokens, time stamps of files. Only in a sandbox whose clock was moved is it not `now`.
  package let wall: @Sendable () -> Instant
  /// Unpredictable bytes, as many as asked for.
  package let random: @Sendable (Int) -> [UInt8]
  /// Time since some fixed point, for measuring how long something took: unlike `now` it never goes back.
  package let ticks: @Sendable () -> Duration

  /// - Parameters:
  ///   - wall: nil is `now`.
  ///   - ticks: nil measures by `now`.
  package init(
    now: @escaping @Sendable () -> Instant, wall: (@Sendable () -> Instant)? = nil,
    random: @escaping @Sendable (Int) -> [UInt8], ticks: (@Sendable () -> Duration)? = nil
  ) {
    self.now = now
    self.wall = wall ?? now
    self.random = random
    self.ticks = ticks ?? { .milliseconds(now().milliseconds) }
  }

  /// The machine's clock and its cryptographic generator.
  package static let live = World(
    now: { Instant(Date()) },
    random: { count in
      [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
        while filled < count {
          // So many the system gives in one call.
          let part = bytes[filled..<min(filled + 256, count)]
          let failure = getentropy(UnsafeMutableBufferPointer(rebasing: part).baseAddress, part.count)
          precondition(failure == 0, "The system has no random bytes.")
          filled += part.count
        }
      }
    },
    ticks: { origin.duration(to: .now) })

  private static let origin = ContinuousClock.now

  /// More than the clocks of two nodes are apart, which have to agree within half a minute. What counts once is
  /// remembered for so much longer than it is good: a node that is ahead forgets it, and one behind still takes it.
  package static let clocksApartMax = Duration.minutes(1)

  /// The same, by the machine's time only: for parts that speak with other machines and with the file system.
  package var machine: World { World(now: wall, random: random, ticks: ticks) }

  /// A UUID of version 7 (RFC 9562 §5.7), lower case: ascending in time, so that indexes grow at one end.
  package func uuid() -> String {
    let milliseconds = UInt64(bitPattern: now().milliseconds)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(16)
    for place in stride(from: UInt64(40), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: milliseconds >> place))
    }
    bytes += random(10)
    bytes[6] = 0x70 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return bytes.hex(dashedAt: [4, 6, 8, 10])
  }

  /// A UUID of version 4 (RFC 9562 §5.4), lower case: it says nothing, not even when.
  package func randomUUID() -> String {
    var bytes = random(16)
    bytes[6] = 0x40 | (bytes[6] & 0x0f)
    bytes[8] = 0x80 | (bytes[8] & 0x3f)
    return bytes.hex(dashedAt: [4, 6, 8, 10])
  }

  /// A uniform number in `0 ..< bound`, by rejection.
  package func number(below bound: UInt64) -> UInt64 {
    let limit = UInt64.max - UInt64.max % bound
    while true {
      let value = random(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if value < limit { return value % bound }
    }
  }
}
