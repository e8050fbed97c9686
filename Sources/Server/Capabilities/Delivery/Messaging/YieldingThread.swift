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

  typealias Tell = @Sendable () -> Void

  /// Something that was done.
  struct Done: Sendable {
    /// Tells of its end, with the usual nice value.
    let tell: Tell
    /// So long the thread does nothing else.
    var rest = Duration.zero
  }

  private let queue = WorkQueue<@Sendable () -> Done>()

  /// - Parameter pause: returns after so long; nil for that of the system.
  init(_ name: String, pausing pause: (@Sendable (Duration) -> Void)? = nil) {
    let pause = pause ?? { Thread.sleep(forTimeInterval: $0 / .seconds(1)) }
    // A thread inherits the nice value of the one that starts it, and code that resumes a task may start a thread of
    // Swift's pool. So what goes on behind the work begins on a second thread, of the usual value.
    let results = WorkQueue<Tell>()
    let teller = Thread { while let tell = results.next() { tell() } }
    teller.name = name + ".results"
    teller.start()
    let thread = Thread { [queue] in
      // 0 is the calling thread. Where the whole server is nicer than that already, it stays so.
      let which = __priority_which_t(PRIO_PROCESS.rawValue)
      if getpriority(which, 0) < Self.niceness { _ = setpriority(which, 0, Self.niceness) }
      cscheduling_take_long_slices(0)
      while let work = queue.next() {
        let done = work()
        results.add(done.tell)
        if done.rest > .zero { pause(done.rest) }
      }
      results.add(nil)
    }
    thread.name = name
    thread.start()
  }

  /// What was added before is done still.
  deinit { queue.add(nil) }

  /// - Parameter work: what takes long.
  func add(_ work: @escaping @Sendable () -> Done) { queue.add(work) }

  /// What the calling thread has had of a processor.
  static var processorTime: Duration {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }
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
