// SPDX-License-Identifier: Apache-2.0

import Foundation

/// How long each stage of a reading took, by the clock and of the processor.
struct StageClock {
  private let clock = ContinuousClock()
  private var last = ContinuousClock().now
  private var lastProcessor = Self.processorNow
  /// In milliseconds.
  private(set) var stages: [String: Double] = [:]
  /// Of the thread that reads, in milliseconds: libraries have no threads of their own here (`Guard.cpp`).
  private(set) var processor: [String: Double] = [:]

  /// Ends the stage that began at the last mark.
  mutating func mark(_ stage: String) {
    let (now, processorNow) = (clock.now, Self.processorNow)
    let spent = last.duration(to: now).components
    stages[stage, default: 0] += Double(spent.seconds) * 1000 + (Double(spent.attoseconds) / 1e15 * 100).rounded() / 100
    processor[stage, default: 0] += ((processorNow - lastProcessor) * 100).rounded() / 100
    (last, lastProcessor) = (now, processorNow)
  }

  private static var processorNow: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
  }
}
