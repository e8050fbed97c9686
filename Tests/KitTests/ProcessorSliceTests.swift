// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Kit

@Suite(
  "Kit: how much of a processor a thread asks for", .storeless,
  .enabled(if: ProcessorSlice.current != nil, "kernels before Linux 6.12 know no slices"))
struct ProcessorSliceTests {
  @Test("a thread asks for little, and so do the threads that it starts, until it asks for what is usual again")
  func inherited() async throws {
    let usual = try #require(ProcessorSlice.current)
    #expect(usual > ProcessorSlice.shortest)
    let seen = await Self.onThread {
      // 0 is the calling thread.
      ProcessorSlice.shorten([0])
      let short = ProcessorSlice.current
      let started = Mutex<UInt64?>(nil)
      let isThere = DispatchSemaphore(value: 0)
      Thread {
        started.withLock { $0 = ProcessorSlice.current }
        isThere.signal()
      }.start()
      isThere.wait()
      ProcessorSlice.reset()
      return [short, started.withLock { $0 }, ProcessorSlice.current]
    }
    #expect(seen == [ProcessorSlice.shortest, ProcessorSlice.shortest, usual])
  }

  @Test("all threads of the process are found")
  func found() async throws {
    let (own, all) = await Self.onThread {
      let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
      return (own?.split(separator: "/").last.flatMap { CInt($0) }, ProcessorSlice.threads)
    }
    #expect(all.contains(try #require(own)))
    #expect(ProcessorSlice.threads.contains(getpid()))
  }

  private static func onThread<Result: Sendable>(_ act: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in Thread { continuation.resume(returning: act()) }.start() }
  }
}
