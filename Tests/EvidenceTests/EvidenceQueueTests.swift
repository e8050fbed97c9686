// SPDX-License-Identifier: Apache-2.0

import Dispatch
import DocumentCore
import Kit
import Synchronization
import TestSupport
import Testing

@testable import Evidence

// One after another: each blocks threads, of which the system has few.
@Suite("Evidence: work beside the cooperative pool", .serialized, .timeLimit(.minutes(5)))
struct EvidenceQueueTests {
  @Test("no more than the maximum runs at once, and all of it runs")
  func bounded() async throws {
    let queue = EvidenceQueue(concurrencyMax: 2)
    let running = Counter()
    try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await queue.run {
            running.enter()
            defer { running.leave() }
            return number
          }
        }
      }
      var seen: Set<Int> = []
      for try await number in group { seen.insert(number) }
      #expect(seen.count == 20)
    }
    #expect(running.most <= 2)
  }

  @Test("work that has to be alone runs beside no other, and all of it runs")
  func alone() async throws {
    let queue = EvidenceQueue(concurrencyMax: 4, waitingMax: 400)
    let met = Meetings()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<300 {
        let isAlone = number % 3 == 0
        group.addTask {
          try await queue.run(isAlone: { isAlone }) {
            met.enter(alone: isAlone)
            // So long that others would begin meanwhile.
            _ = (0..<20_000).reduce(number) { $0 ^ ($1 &* 31) }
            met.leave(alone: isAlone)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(met.counts == (met: 0, done: 300))
  }

  @Test("what the work throws comes out, and the place is free again")
  func errors() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1, waitingMax: 0)
    await #expect(throws: ImageProblem.empty) { try await queue.run { throw ImageProblem.empty } }
    #expect(try await queue.run { 1 } == 1)
  }

  @Test("a full queue refuses instead of growing")
  func full() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1, waitingMax: 0)
    try await beside(queue) { begun in
      let asked = Counter()
      await #expect(throws: EvidenceQueue.Busy.self) {
        let isAlone: @Sendable () -> Bool = {
          asked.enter()
          return true
        }
        try await queue.run(isAlone: isAlone) { begun.enter() }
      }
      #expect(asked.most == 0, "what is refused is not looked into")
      #expect(queue.use == (waiting: 0, refused: 1))
    }
  }

  @Test("what waits longer than it may is refused, also behind work that it has to be alone beside", arguments: [1, 2])
  func late(concurrencyMax: Int) async throws {
    let queue = EvidenceQueue(concurrencyMax: concurrencyMax)
    try await beside(queue) { begun in
      await #expect(throws: EvidenceQueue.Busy.self) {
        try await queue.run(patience: .milliseconds(1), isAlone: { true }) { begun.enter() }
      }
      #expect(queue.use == (waiting: 0, refused: 1))
    }
  }

  @Test("a caller who is gone leaves the queue, and others have the place")
  func cancelled() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1, waitingMax: 1)
    try await beside(queue) { begun in
      for _ in 0..<2 {
        let waiting = Task { try await queue.run { begun.enter() } }
        try await waitUntil("it waits") { queue.use.waiting == 1 }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        #expect(queue.use == (waiting: 0, refused: 0))
      }
    }
  }

  @Test("a caller who was gone before does not enter the queue")
  func cancelledBefore() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1)
    let begun = Counter()
    let gone = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await queue.run { begun.enter() }
    }
    await #expect(throws: CancellationError.self) { try await gone.value }
    #expect(begun.most == 0)
  }

  @Test("work that began in time is not given up")
  func begunInTime() async throws {
    let queue = EvidenceQueue(concurrencyMax: 1)
    let late = DispatchSemaphore(value: 0)
    #expect(
      try await queue.run(patience: .milliseconds(500)) {
        // Longer than it may wait.
        late.wait(timeout: .now() + .milliseconds(600)) == .timedOut
      })
    #expect(queue.use == (waiting: 0, refused: 0))
  }

  @Test("of those who must rest one picture is in work at a time; the next waits for the answer, longer for a refusal")
  func rests() async throws {
    let rests = PictureRests()
    let queue = EvidenceQueue(concurrencyMax: 4, answerMax: .seconds(600)) { rests.add($0, $1) }
    let computing = (0..<3).map { _ in RequestComputing(mustRest: true) }
    #expect(try await queue.run(computing: computing[0], PictureRests.work) == 4)
    #expect(rests.all == [])
    let next = Task { try await queue.run(computing: computing[1], PictureRests.work) }
    try await waitUntil("it waits") { queue.use.waiting == 1 }
    computing[0].answered(isRefused: true)
    #expect(rests.all.count == 1)
    #expect(rests.all[0] >= .milliseconds(7 * 20))
    #expect(queue.use.waiting == 1)
    // Others go on, also after what is refused.
    for isRefused in [true, false] {
      let usual = RequestComputing(mustRest: false)
      #expect(try await queue.run(computing: usual, PictureRests.work) == 4)
      usual.answered(isRefused: isRefused)
      #expect((isRefused ? usual.inVain : usual.ofUse) >= 20)
    }
    #expect(try await queue.run { 5 } == 5)
    #expect(queue.use.waiting == 1)
    rests.end()
    #expect(try await next.value == 4)
    // After one that is not refused the next one does not wait.
    computing[1].answered(isRefused: false)
    try await waitUntil("it rests for no time") { rests.all.count == 2 }
    #expect(rests.all[1] == .zero)
    rests.end()
    // An answer that was there before.
    computing[2].answered(isRefused: true)
    #expect(try await queue.run(computing: computing[2], PictureRests.work) == 4)
    try await waitUntil("it rests") { rests.all.count == 3 }
    #expect(rests.all[2] >= .milliseconds(7 * 20))
  }

  @Test("a request that must rest does not wait for its own answer between two pictures", arguments: [1, 2])
  func twice(concurrencyMax: Int) async throws {
    let rests = PictureRests()
    let queue = EvidenceQueue(concurrencyMax: concurrencyMax, answerMax: .seconds(600)) { rests.add($0, $1) }
    let (one, other) = (RequestComputing(mustRest: true), RequestComputing(mustRest: true))
    for _ in 0..<2 { #expect(try await queue.run(computing: one, PictureRests.work) == 4) }
    let next = Task { try await queue.run(computing: other, PictureRests.work) }
    try await waitUntil("it waits") { queue.use.waiting == 1 }
    one.answered(isRefused: true)
    #expect(rests.all.count == 2)
    // For both.
    #expect(rests.all[1] >= .milliseconds(7 * 40))
    rests.end(0)
    #expect(queue.use.waiting == 1)
    rests.end(1)
    #expect(try await next.value == 4)
  }

  @Test("one that leaves before its work has no rest behind it")
  func leaves() async throws {
    let rests = PictureRests()
    let queue = EvidenceQueue(concurrencyMax: 1, answerMax: .seconds(600)) { rests.add($0, $1) }
    let computing = RequestComputing(mustRest: true)
    try await beside(queue) { begun in
      let waiting = Task { try await queue.run(computing: computing) { begun.enter() } }
      try await waitUntil("it waits") { queue.use.waiting == 1 }
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
    }
    #expect(try await queue.run(computing: computing) { 6 } == 6)
  }

  @Test("where no more may wait, who must rest gives way to others and not to those who must rest too")
  func givesWay() async throws {
    let rests = PictureRests()
    let queue = EvidenceQueue(concurrencyMax: 1, waitingMax: 1, answerMax: .seconds(600)) { rests.add($0, $1) }
    let computing = RequestComputing(mustRest: true)
    try await beside(queue) { _ in
      let waiting = Task { try await queue.run(computing: computing) { 1 } }
      try await waitUntil("it waits") { queue.use.waiting == 1 }
      let first = queue.restingUse
      #expect((first.waiting, first.came, first.refused) == (1, 1, 0) && first.others == (0, 0))
      await #expect(throws: EvidenceQueue.Busy.self) { try await queue.run(computing: computing) { 2 } }
      let other = Task { try await queue.run { 3 } }
      await #expect(throws: EvidenceQueue.Busy.self) { try await waiting.value }
      #expect(queue.use == (waiting: 1, refused: 2))
      let second = queue.restingUse
      #expect((second.waiting, second.came, second.refused) == (0, 2, 2) && second.others == (1, 0))
      await #expect(throws: EvidenceQueue.Busy.self) { try await queue.run { 4 } }
      #expect(queue.use.refused == 3)
      let third = queue.restingUse
      #expect(third.refused == 2 && third.others.refused == 1, "what was refused to others is counted apart")
      other.cancel()
      _ = try? await other.value
    }
  }

  @Test("of pictures those for which a client waits are refused in time, and documents are read however long it takes")
  func reader() async throws {
    var settings = EvidenceSettings()
    settings.patience = .milliseconds(1)
    let queue = EvidenceQueue(concurrencyMax: 1)
    let reader = EvidenceReader(settings: settings, queue: queue)
    let picture = try Pictures.jpeg(Pictures.gradient(700, 660))
    let today = try #require(CalendarDate(year: 2026, month: 1, day: 1))
    try await beside(queue) { _ in
      let reading = Task { try await reader.read(picture, on: today) }
      try await waitUntil("it waits") { queue.use.waiting == 1 }
      await #expect(throws: EvidenceQueue.Busy.self) { try await reader.inspectDocument(picture) }
      await #expect(throws: EvidenceQueue.Busy.self) { try await reader.inspectPhoto(picture, limits: .faces) }
      await #expect(throws: EvidenceQueue.Busy.self) { try await reader.inspectFace(picture) }
      await #expect(throws: EvidenceQueue.Busy.self) { try await reader.readIdentifiers(picture, limits: .faces) }
      await #expect(throws: EvidenceQueue.Busy.self) { try await reader.readSecureScreen(picture, limits: .faces) }
      #expect(queue.use == (waiting: 1, refused: 5))
      reading.cancel()
      await #expect(throws: CancellationError.self) { try await reading.value }
    }
  }

  /// Runs a body while other work has a thread of the queue. No work that the body counts begins, also afterwards.
  private func beside(_ queue: EvidenceQueue, _ body: (Counter) async throws -> Void) async throws {
    let (gate, begun) = (DispatchSemaphore(value: 0), Counter())
    let (started, signal) = AsyncStream.makeStream(of: Void.self)
    async let first = queue.run {
      signal.yield()
      gate.wait()
      return 1
    }
    for await _ in started { break }
    do { try await body(begun) } catch {
      gate.signal()
      throw error
    }
    gate.signal()
    #expect(try await first == 1)
    #expect(try await queue.run(isAlone: { true }) { 2 } == 2)
    #expect(begun.most == 0)
  }

  private final class Counter: Sendable {
    private let state = Mutex((now: 0, most: 0))

    func enter() {
      state.withLock {
        $0.now += 1
        $0.most = max($0.most, $0.now)
      }
    }

    func leave() { state.withLock { $0.now -= 1 } }

    var most: Int { state.withLock { $0.most } }
  }

  /// How often work that has to be alone met other work.
  private final class Meetings: Sendable {
    private let state = Mutex((now: 0, isAlone: false, met: 0, done: 0))

    func enter(alone: Bool) {
      state.withLock {
        if $0.isAlone || alone && $0.now > 0 { $0.met += 1 }
        $0.now += 1
        if alone { $0.isAlone = true }
      }
    }

    func leave(alone: Bool) {
      state.withLock {
        $0.now -= 1
        $0.done += 1
        if alone { $0.isAlone = false }
      }
    }

    var counts: (met: Int, done: Int) { state.withLock { ($0.met, $0.done) } }
  }
}
