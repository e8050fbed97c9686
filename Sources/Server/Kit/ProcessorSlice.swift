// SPDX-License-Identifier: Apache-2.0

import CScheduling
import Foundation

/// How much of a processor a thread asks for at a time (sched(7)). Linux 6.12 and later let a thread that asks for
/// little run sooner; it gets as much of the processor as before, in shorter pieces. Earlier kernels take no notice.
package enum ProcessorSlice {
  /// In nanoseconds, the least that the kernel takes.
  package static let shortest: UInt64 = 100_000

  /// Has all threads of this process, and those that they start from now on, ask for as little as they can.
  package static func shorten() { shorten(threads) }

  package static func shorten(_ threads: [CInt]) {
    // A refusal leaves a thread as it was, which is slower and nothing worse.
    for thread in threads { _ = cscheduling_set_slice(thread, shortest) }
  }

  /// Has the calling thread, and those that it starts from now on, ask for what is usual: for work that takes long.
  package static func reset() { _ = cscheduling_set_slice(0, 0) }

  /// In nanoseconds, of the calling thread; nil where the kernel does not tell.
  package static var current: UInt64? {
    let slice = cscheduling_slice(0)
    return slice > 0 ? slice : nil
  }

  /// Of this process, by their numbers (proc(5)).
  static var threads: [CInt] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
    return names.compactMap { CInt($0) }
  }
}
