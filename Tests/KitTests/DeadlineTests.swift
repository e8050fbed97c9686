// SPDX-License-Identifier: Apache-2.0

import Kit
import TestSupport
import Testing

@Suite("Kit: deadlines", .storeless, .timeLimit(.minutes(1)))
struct DeadlineTests {
  private struct Failed: Error {}

  @Test("what is done in time gives its value")
  func inTime() async throws {
    #expect(try await Deadline.run(.seconds(50)) { 7 } == 7)
  }

  @Test("what fails in time throws its own error")
  func failed() async {
    await #expect(throws: Failed.self) { try await Deadline.run(.seconds(50)) { throw Failed() } }
  }

  @Test("what takes too long is cancelled, and the caller learns that it was the deadline")
  func late() async {
    let ended = Notifier()
    await #expect(throws: Deadline.Exceeded.self) {
      try await Deadline.run(.milliseconds(1)) {
        await Notifier().wait()  // Only the cancellation ends it: there is no ring.
        ended.notify()
        try Task.checkCancellation()
      }
    }
    await ended.wait()
  }

  @Test("a caller that is cancelled does not wait for the deadline")
  func cancelled() async {
    let task = Task { try await Deadline.run(.seconds(50)) { await Notifier().wait() } }
    task.cancel()
    let isLate = if case .failure(let error) = await task.result { error is Deadline.Exceeded } else { false }
    #expect(!isLate)
  }
}
