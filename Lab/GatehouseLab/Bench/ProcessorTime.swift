// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

#if canImport(Glibc)
  import Glibc
#endif

/// Seconds that a processor spent, which other programs on the machine do not lengthen.
enum ProcessorTime {
  static var ofThread: Double { seconds(CLOCK_THREAD_CPUTIME_ID) }
  static var ofProcess: Double { seconds(CLOCK_PROCESS_CPUTIME_ID) }

  private static func seconds(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
