// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentCore
import Kit
import TestSupport
import Testing

@testable import Evidence

// One after another: each blocks threads, of which the system has few.
@Suite("Evidence: who must rest keeps no other waiting for long", .serialized, .timeLimit(.minutes(5)))
struct RestingPicturesTests {
  private let rests = PictureRests()

  @Test("a request that is not answered in time counts as refused, and its answer has no other rest behind it")
  func unanswered() async throws {
    let queue = EvidenceQueue(concurrencyMax: 2, answerMax: .milliseconds(1)) { [rests] in rests.add($0, $1) }
    let (one, other) = (RequestComputing(mustRest: true), RequestComputing(mustRest: true))
    #expect(try await queue.run(computing: one, PictureRests.work) == 4)
    try await waitUntil("it rests") { rests.all.count == 1 }
    #expect(rests.all[0] >= .milliseconds(7 * 20))
    let next = Task { try await queue.run(computing: other, PictureRests.work) }
    try await waitUntil("the next one waits") { queue.use.waiting == 1 }
    rests.end(0)
    #expect(try await next.value == 4)
    try await waitUntil("the next one rests") { rests.all.count == 2 }
    one.answered(isRefused: true)
    #expect(rests.all.count == 2)
  }

  @Test("a request is not late while one of its pictures is in work")
  func inWork() async throws {
    let queue = EvidenceQueue(concurrencyMax: 2, answerMax: .milliseconds(1)) { [rests] in rests.add($0, $1) }
    let computing = RequestComputing(mustRest: true)
    let gate = DispatchSemaphore(value: 0)
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let long = Task {
      try await queue.run(computing: computing) { [rests] in
        signal.yield()
        gate.wait()
        for _ in 0..<10 { _ = PictureRests.work() }
        return rests.all.count
      }
    }
    for await _ in started { break }
    #expect(try await queue.run(computing: computing, PictureRests.work) == 4)
    gate.signal()
    #expect(try await long.value == 0)
    // Not answered after that, it counts as refused, with all that was in work.
    try await waitUntil("its pictures rest") { rests.all.count == 2 }
    #expect(try #require(rests.all.max()) >= .milliseconds(7 * 220))
  }

  @Test("a picture that cannot be used was in vain and rests, also where its request is not refused")
  func unusable() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1, answerMax: .seconds(600)) { [rests] in rests.add($0, $1) }
    let computing = RequestComputing(mustRest: true)
    await #expect(throws: ImageProblem.notDecodable) {
      try await queue.run(computing: computing) {
        _ = PictureRests.work()
        throw ImageProblem.notDecodable
      }
    }
    computing.answered(isRefused: false)
    #expect(computing.inVain >= 20)
    #expect(computing.ofUse == 0)
    #expect(rests.all.count == 1)
    #expect(try #require(rests.all.first) >= .milliseconds(7 * 20))
    rests.end()
    // Of which nothing was found that is of use, such as a document that cannot be read.
    let unread = RequestComputing(mustRest: true)
    #expect(try await queue.run(computing: unread, isUsable: { $0 != 4 }, PictureRests.work) == 4)
    unread.answered(isRefused: false)
    #expect(unread.inVain >= 20)
    #expect(unread.ofUse == 0)
    #expect(rests.all.count == 2)
    rests.end()
    // What fails for another reason, such as a missing engine, tells nothing of the picture.
    let other = RequestComputing(mustRest: false)
    await #expect(throws: EvidenceQueue.Busy.self) {
      try await queue.run(computing: other) {
        _ = PictureRests.work()
        throw EvidenceQueue.Busy()
      }
    }
    other.answered(isRefused: true)
    #expect((other.inVain, other.ofUse) == (0, 0))
  }

  @Test("a document that cannot be read was in vain where its client waits")
  func unreadable() async throws {
    var random = SeededGenerator(seed: 62)
    let noise = try Pictures.frame(Pictures.Raw.noise(700, 660) { random.next() }).jpeg(quality: 60)
    let queue = EvidenceQueue(concurrencyMax: 1, answerMax: .seconds(600)) { [rests] in rests.add($0, $1) }
    let reader = EvidenceReader(queue: queue)
    let computing = RequestComputing(mustRest: true)
    let day = try #require(CalendarDate("2026-11-30"))
    let read = try await RequestComputing.$current.withValue(computing) {
      try await reader.read(noise, as: .passport, on: day)
    }
    #expect(read.reading.failure?.code == .documentUnreadable)
    computing.answered(isRefused: false)
    #expect(computing.inVain > 0)
    #expect(computing.ofUse == 0)
    #expect(rests.all.count == 1)
  }

  @Test("one that leaves while it waits for others to end keeps no other waiting")
  func leaves() async throws {
    let queue = EvidenceQueue(concurrencyMax: 2, answerMax: .seconds(600)) { [rests] in rests.add($0, $1) }
    let (one, other) = (RequestComputing(mustRest: true), RequestComputing(mustRest: true))
    let gate = DispatchSemaphore(value: 0)
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    let (asked, ask) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await queue.run {
        signal.yield()
        gate.wait()
      }
    }
    for await _ in started { break }
    let waiting = Task {
      try await queue.run(
        computing: one,
        isAlone: {
          ask.yield()
          return true
        }) { Issue.record("it was in work") }
    }
    // It has a thread, and waits for the first one to end.
    for await _ in asked { break }
    waiting.cancel()
    await #expect(throws: CancellationError.self) { try await waiting.value }
    gate.signal()
    try await first.value
    #expect(try await queue.run(patience: .seconds(60), computing: other, PictureRests.work) == 4)
    #expect(rests.all == [])
  }
}
