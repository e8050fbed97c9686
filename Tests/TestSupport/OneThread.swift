// SPDX-License-Identifier: Apache-2.0

import Dispatch

/// All that is asked of it, on one thread, in the order in which it was asked.
package final class OneThread: TaskExecutor {
  private let queue = DispatchQueue(label: "one thread")

  package init() {}

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
