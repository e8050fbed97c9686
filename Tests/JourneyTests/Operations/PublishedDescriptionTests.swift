// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import TestSupport
import Testing

@testable import GatehouseApp

@Suite("The description of the API is made beside what answers requests", .storeless, .timeLimit(.minutes(1)))
struct PublishedDescriptionTests {
  /// Carries out its tasks on one thread.
  private final class OneThread: TaskExecutor {
    private let queue = DispatchQueue(label: "one thread")

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
  }

  @Test("while it is made, the thread of who asked for it goes on with others")
  func beside() async throws {
    let isWanted = DispatchSemaphore(value: 0)
    let description = OpenAPI {
      isWanted.wait()
      return Data("{}".utf8)
    }
    let thread = OneThread()
    let asked = Task(executorPreference: thread) { try await description.response() }
    await Task(executorPreference: thread) { _ = isWanted.signal() }.value
    #expect(try await asked.value.status == .ok)
    // Making it again would wait for a second signal.
    #expect(try await description.response().status == .ok)
  }

  @Test("what was thrown while it was made is thrown to each who asks")
  func fault() async throws {
    struct Fault: Error {}
    let description = OpenAPI { throw Fault() }
    for _ in 1...2 { await #expect(throws: Fault.self) { try await description.response() } }
  }
}
