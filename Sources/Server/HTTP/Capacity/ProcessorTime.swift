// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What the processors of this machine did since it started, by `/proc/stat` (proc(5)). Linux only.
struct ProcessorTime: Equatable, Sendable {
  /// In ticks, of all processors. Free is what was idle, waited for a disk, or was used by programs that yield to
  /// others (nice(1)), such as those that read documents.
  var (all, free) = (0, 0)

  static var now: ProcessorTime? {
    FileManager.default.contents(atPath: "/proc/stat").flatMap { ProcessorTime(String(decoding: $0, as: UTF8.self)) }
  }

  init(all: Int, free: Int) { (self.all, self.free) = (all, free) }

  init?(_ text: String) {
    // user, nice, system, idle, iowait, irq, softirq, steal. The times of guests are in user and nice.
    guard let line = text.split(separator: "\n").first, line.hasPrefix("cpu ") else { return nil }
    let ticks = line.split(separator: " ").dropFirst().prefix(8).compactMap { Int($0) }
    guard ticks.count == 8 else { return nil }
    (all, free) = (ticks.reduce(0, +), ticks[1] + ticks[3] + ticks[4])
  }

  /// Which share of the time since then was free; nil when none has passed.
  func freeShare(since earlier: ProcessorTime) -> Double? {
    let time = all - earlier.all
    return time > 0 ? Double(free - earlier.free) / Double(time) : nil
  }
}
