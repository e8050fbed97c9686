// SPDX-License-Identifier: Apache-2.0

import CScheduling
import Foundation
import TestSupport
import Testing

@testable import Delivery

@Suite("Delivery: threads that let requests have the processor first", .storeless)
struct YieldingThreadTests {
  private struct Broken: Error {}

  private static func niceness() -> Int32 { getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) }

  @Test("what runs on them is nicer than what runs elsewhere")
  func nice() async throws {
    let threads = BlockingThreadPool("test", width: 2, isYielding: true)
    for _ in 0..<4 { #expect(try await threads.run { Self.niceness() } >= YieldingThread.niceness) }
    // Those of dispatch queues are shared with others, and stay as they are.
    let plain = BlockingThreadPool("test", width: 1)
    #expect(try await plain.run { Self.niceness() } == Self.niceness())
  }

  @Test("what goes on behind a call has the usual nice value, which the threads that it starts inherit")
  func usual() async {
    let thread = YieldingThread("test")
    let seen = await withCheckedContinuation { (continuation: CheckedContinuation<[Int32], Never>) in
      thread.add {
        let working = Self.niceness()
        return YieldingThread.Done { continuation.resume(returning: [working, Self.niceness()]) }
      }
    }
    #expect(seen[0] >= YieldingThread.niceness)
    #expect(seen[1] == Self.niceness())
  }

  @Test(
    "what runs on them has long slices of the processor, and what goes on behind it the usual ones",
    .enabled(if: cscheduling_slice(0) > 0, "kernels before Linux 6.12 do not tell of slices"))
  func slices() async {
    let thread = YieldingThread("test")
    let seen = await withCheckedContinuation { (continuation: CheckedContinuation<[UInt64], Never>) in
      thread.add {
        let working = cscheduling_slice(0)
        return YieldingThread.Done { continuation.resume(returning: [working, cscheduling_slice(0)]) }
      }
    }
    #expect(seen == [cscheduling_longest_slice, cscheduling_slice(0)])
    #expect(seen[1] < cscheduling_longest_slice)
  }

  @Test("they give back what a call returns or throws, and everything that was given to them")
  func results() async throws {
    let threads = BlockingThreadPool("test", width: 1, isYielding: true)
    #expect(try await threads.run { 2 } == 2)
    await #expect(throws: Broken.self) { try await threads.run { throw Broken() } }
    let all = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<100 { group.addTask { try await threads.run { number } } }
      var sum = 0
      for try await number in group { sum += number }
      return sum
    }
    #expect(all == 4950)
  }
}
