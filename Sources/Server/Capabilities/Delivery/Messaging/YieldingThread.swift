// SPDX-License-Identifier: Apache-2.0

import CScheduling
import Dispatch
import Foundation
import Synchronization

/// A thread that does one thing after another, and takes a busy processor only after those that answer requests: it has
/// a higher nice value (setpriority(2)), and long slices, so that they need not wait for the end of one. A thread of a
/// dispatch queue cannot have them, because queues share threads and a nice value is not lowered again without a
/// privilege.
final class YieldingThread: Sendable {
  /// Beside a thread of nice value 0 it gets a quarter of a processor, and all of an idle one (sched(7)).
  static let niceness: Int32 = 5

  typealias Work = @Sendable () -> Void

  private let queue = WorkQueue<@Sendable () -> Work>()

  /// - Parameter isBackground: whether its work has what all other threads leave of the processors.
  init(_ name: String, isBackground: Bool = false) {
    // A thread inherits the nice value of the one that starts it, and code that resumes a task may start a thread of
    // Swift's pool. So what goes on behind the work begins on a second thread, of the usual value.
    let results = WorkQueue<Work>()
    let teller = Thread { while let tell = results.next() { tell() } }
    teller.name = name + ".results"
    teller.start()
    let thread = Thread { [queue] in
      // 0 is the calling thread. Where the whole server is nicer than that already, it stays so.
      let which = __priority_which_t(PRIO_PROCESS.rawValue)
      if getpriority(which, 0) < Self.niceness { _ = setpriority(which, 0, Self.niceness) }
      cscheduling_take_long_slices(0)
      if isBackground { cscheduling_take_what_is_left(0) }
      while let work = queue.next() { results.add(work()) }
      results.add(nil)
    }
    thread.name = name
    thread.start()
  }

  /// What was added before is done still.
  deinit { queue.add(nil) }

  /// - Parameter work: what takes long; it returns what tells of its end, which runs with the usual nice value.
  func add(_ work: @escaping @Sendable () -> Work) { queue.add(work) }
}

/// What a thread has to do, in its order; nil ends the thread. Its owner bounds how much waits.
private final class WorkQueue<Work: Sendable>: Sendable {
  private let waiting = Mutex<[Work?]>([])
  private let isWaiting = DispatchSemaphore(value: 0)

  func add(_ work: Work?) {
    waiting.withLock { $0.append(work) }
    isWaiting.signal()
  }

  func next() -> Work? {
    isWaiting.wait()
    return waiting.withLock { $0.removeFirst() }
  }
}
