// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Processor time that one picture may cost, all its readings together. It is the calling thread's, so that a busy
/// machine makes a reading longer and no worse.
struct ProcessorBudget {
  /// What reading a screen may cost: a clear one takes a tenth of it.
  static let screen = Duration.seconds(20)

  private let end: Int64

  /// From now on, on this thread.
  init(_ duration: Duration) {
    let parts = duration.components
    end = Self.spent() + parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000
  }

  /// What is left of it, and no more than `most`; 0 when it is used up.
  func milliseconds(atMost most: Int) -> Int { Int(max(0, min(Int64(most), end - Self.spent()))) }

  var isSpent: Bool { end <= Self.spent() }

  /// Milliseconds of the processor that this thread has taken since it began.
  static func spent() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }
}
