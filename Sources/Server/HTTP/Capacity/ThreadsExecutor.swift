// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization

/// Runs tasks on a few threads of its own instead of on those of Swift's pool, in the order in which they come. What is
/// ready to run there waits for nothing that runs elsewhere but for a processor, and holds up nothing that does.
final class ThreadsExecutor: TaskExecutor {
  private let queues: [DispatchQueue]
  private let count = Atomic(0)

  /// - Parameter count: how many tasks run side by side.
  init(_ name: String, count: Int) {
    precondition(count > 0, "At least one thread.")
    queues = (0..<count).map { DispatchQueue(label: "gatehouse.\(name).\($0)") }
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let turn = count.wrappingAdd(1, ordering: .relaxed).oldValue
    queues[Int(UInt(bitPattern: turn) % UInt(queues.count))].async {
      job.runSynchronously(on: self.asUnownedTaskExecutor())
    }
  }
}
