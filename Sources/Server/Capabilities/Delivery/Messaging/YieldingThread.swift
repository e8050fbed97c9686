// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Kit
import Synchronization

/// Does one thing after another, and takes a busy processor only after those that answer requests: each thing has a
/// thread of its own with a higher nice value (setpriority(2)). A thread of a dispatch queue cannot have one, because
/// queues share threads and a nice value is not lowered again without a privilege.
///
/// A part of a processor can be its own, where others leave none idle (`ProcessorShare`).
final class YieldingThread: Sendable {
  /// Beside a thread of nice value 0 it gets a tenth of a processor, and all of an idle one (sched(7)).
  static let niceness: Int32 = 10

  typealias Work = @Sendable () -> Void

  private let queue = WorkQueue<@Sendable () -> Work>()

  /// - Parameter part: of a processor that is its own, below 1.
  init(_ name: String, share part: Double = 0) {
    // A thread inherits the nice value of the one that starts it, and code that resumes a task may start a thread of
    // Swift's pool. So this thread, which tells of the ends, keeps the usual value.
    let thread = Thread { [queue] in
      var share = ProcessorShare(part, at: .now)
      while let work = queue.next() {
        let (wait, yields) = share.next(at: .now)
        if wait > .zero { Thread.sleep(forTimeInterval: wait.inSeconds) }
        let start = ContinuousClock.now
        let (tell, taken) = Self.run(work, name, isNice: yields)
        share.ended(yielded: yields, taken: taken, elapsed: .now - start, at: .now)
        tell()
      }
    }
    thread.name = name
    thread.start()
  }

  /// What was added before is done still.
  deinit { queue.add(nil) }

  /// - Parameter work: what takes long; it returns what tells of its end, which runs with the usual nice value.
  func add(_ work: @escaping @Sendable () -> Work) { queue.add(work) }

  /// What tells of the end, and the time of a processor that the work took.
  fileprivate typealias Ended = (tell: Work, taken: Duration)

  /// Does the work on a thread of its own, and waits for its end.
  private static func run(_ work: @escaping @Sendable () -> Work, _ name: String, isNice: Bool) -> Ended {
    let (ended, isOver) = (EndedWork(), DispatchSemaphore(value: 0))
    let thread = Thread {
      // 0 is the calling thread. Where the whole server is nicer than that already, it stays so.
      let which = __priority_which_t(PRIO_PROCESS.rawValue)
      if isNice, getpriority(which, 0) < niceness { _ = setpriority(which, 0, niceness) }
      let tell = work()
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      ended.value.withLock { $0 = (tell, .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)) }
      isOver.signal()
    }
    thread.name = name
    thread.start()
    isOver.wait()
    return ended.value.withLock { $0 }
  }
}

/// What one thread leaves to another.
private final class EndedWork: Sendable {
  let value = Mutex<YieldingThread.Ended>(({}, .zero))
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
