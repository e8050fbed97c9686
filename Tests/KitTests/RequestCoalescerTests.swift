// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization
import TestSupport
import Testing

@testable import Kit

@Suite("Kit: questions that come at once share a trip", .storeless)
struct RequestCoalescerTests {
  /// A store that answers when it is told to, and knows what it was asked.
  private final class Store: Sendable {
    private struct State {
      var trips: [Set<Int>] = []
      var gates: [Int: CheckedContinuation<Void, any Error>] = [:]
      var isGivenUp = false
    }

    private let state = Mutex(State())
    var trips: [Set<Int>] { state.withLock { $0.trips } }

    func ask(_ questions: Set<Int>) async throws -> [Int: String] {
      try await withCheckedThrowingContinuation { gate in
        let isGivenUp = state.withLock { state in
          state.trips.append(questions)
          if !state.isGivenUp { state.gates[state.trips.count] = gate }
          return state.isGivenUp
        }
        if isGivenUp { gate.resume(throwing: CancellationError()) }
      }
      return Dictionary(uniqueKeysWithValues: questions.filter { $0 >= 0 }.map { ($0, "answer \($0)") })
    }

    /// Lets a trip end, counted from 1.
    func end(_ number: Int, _ outcome: Result<Void, any Error> = .success(())) {
      state.withLock { $0.gates.removeValue(forKey: number) }?.resume(with: outcome)
    }

    /// Waits until so many trips have begun.
    func begins(_ count: Int) async throws { try await wait("trip \(count) begins") { trips.count >= count } }

    /// Waits until something is so; trips end when it never is, as the test could not end before them.
    func wait(
      _ what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: () -> Bool
    ) async throws {
      do { try await waitUntil(what, isSo) } catch {
        let gates = state.withLock { state in
          state.isGivenUp = true
          defer { state.gates = [:] }
          return state.gates.values
        }
        for gate in gates { gate.resume(throwing: error) }
        throw error
      }
    }
  }

  private struct Away: Error {}
  /// Grows with every question.
  private final class Truth: Sendable {
    private let value = Atomic(0)
    var now: Int { value.load(ordering: .sequentiallyConsistent) }
    func grow() -> Int { value.add(1, ordering: .sequentiallyConsistent).newValue }
  }

  private static func trips(_ store: Store) -> RequestCoalescer<Int, String> {
    RequestCoalescer { try await store.ask($0) }
  }

  @Test("while a store does not answer, a caller that waited long enough is refused without another one coming")
  func overdue() async throws {
    for waitMax in [Duration.zero, .milliseconds(30)] {
      let store = Store()
      let trips = RequestCoalescer<Int, String>(waitMax: waitMax) { try await store.ask($0) }
      async let first = trips.answer(to: 0)
      try await store.begins(1)
      await #expect(throws: SQLError.busy) { try await trips.answer(to: 1) }
      #expect(trips.waitingCount == 0)
      store.end(1)
      #expect(try await first == "answer 0")
      #expect(store.trips == [[0]])
    }
  }

  /// Puts questions while trips are on their way, and returns once they wait.
  private static func queue(
    _ questions: Range<Int>, of store: Store, on trips: RequestCoalescer<Int, String>,
    in group: inout ThrowingTaskGroup<String?, any Error>
  ) async throws {
    for question in questions { group.addTask { try await trips.answer(to: question) } }
    try await store.wait("\(questions.count) wait") { trips.waitingCount >= questions.count }
  }

  /// Has both trips on their way, the second one with a crowd of those questions.
  private static func busy(
    _ store: Store, _ trips: RequestCoalescer<Int, String>, in group: inout ThrowingTaskGroup<String?, any Error>
  ) async throws {
    group.addTask { try await trips.answer(to: -1) }
    try await store.begins(1)
    for question in crowd { group.addTask { try await trips.answer(to: question) } }
    try await store.begins(2)
  }
  private static let crowd = 1000..<(1000 + RequestCoalescer<Int, String>.crowd)

  @Test("who comes while a trip is on its way shares the next one; each gets its own answer")
  func shares() async throws {
    let store = Store()
    let trips = Self.trips(store)
    let answers = try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await trips.answer(to: 1) }
      try await store.begins(1)
      try await Self.queue(10..<20, of: store, on: trips, in: &group)
      store.end(1)
      try await store.begins(2)
      store.end(2)
      return try await group.reduce(into: Set<String>()) { if let answer = $1 { $0.insert(answer) } }
    }
    #expect(answers == Set(([1] + Array(10..<20)).map { "answer \($0)" }))
    #expect(store.trips == [[1], Set(10..<20)])
  }

  @Test("a crowd does not wait for a trip that is slow, and a trip has its size: who does not fit goes next")
  func size() async throws {
    let store = Store()
    let trips = Self.trips(store)
    let count = RequestCoalescer<Int, String>.questionsMax + 6
    try await withThrowingTaskGroup(of: String?.self) { group in
      try await Self.busy(store, trips, in: &group)
      try await Self.queue(0..<count, of: store, on: trips, in: &group)
      store.end(1)
      try await store.begins(3)
      store.end(2)
      try await store.begins(4)
      store.end(3)
      store.end(4)
      let answered = try await group.reduce(0) { $0 + ($1 == nil ? 0 : 1) }
      #expect(answered == count + Self.crowd.count)
    }
    #expect(store.trips[1] == Set(Self.crowd))
    #expect(store.trips.map(\.count) == [1, Self.crowd.count, RequestCoalescer<Int, String>.questionsMax, 6])
  }

  @Test("a question that has no answer gets none")
  func none() async throws {
    #expect(try await RequestCoalescer<Int, String> { _ in [:] }.answer(to: 1) == nil)
  }

  @Test("an answer is never older than its question")
  func fresh() async throws {
    let truth = Truth()
    let trips = RequestCoalescer<Int, Int> { questions in
      let now = truth.now
      await Task.yield()
      return Dictionary(uniqueKeysWithValues: questions.map { ($0, now) })
    }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for asker in 0..<16 {
        group.addTask {
          for _ in 0..<200 {
            let before = truth.grow()
            guard let answer = try await trips.answer(to: asker), answer >= before else { return false }
          }
          return true
        }
      }
      for try await isFresh in group { #expect(isFresh) }
    }
  }

  @Test("when a trip fails, those who wait are told at once, and the next question tries again")
  func fails() async throws {
    let store = Store()
    let trips = Self.trips(store)
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await trips.answer(to: 1) }
      try await store.begins(1)
      try await Self.queue(10..<15, of: store, on: trips, in: &group)
      store.end(1, .failure(Away()))
      var failures = 0
      while let result = await group.nextResult() {
        if case .failure(let error) = result, error is Away { failures += 1 }
      }
      #expect(failures == 6)
    }
    #expect(store.trips.count == 1)
    async let answer = trips.answer(to: 3)
    try await store.begins(2)
    store.end(2)
    #expect(try await answer == "answer 3")
  }

  @Test("one whose client went away does not take the others along")
  func cancelled() async throws {
    let store = Store()
    let trips = Self.trips(store)
    try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { try await trips.answer(to: 1) }
      try await store.begins(1)
      try await Self.queue(10..<13, of: store, on: trips, in: &group)
      store.end(1)
      try await store.begins(2)
      store.end(2, .failure(CancellationError()))
      // The two who were with it go again: one at once, the other when there is room.
      try await store.begins(3)
      store.end(3)
      try await store.begins(4)
      store.end(4)
      var (answers, cancelled) = (0, 0)
      while let result = await group.nextResult() {
        switch result {
        case .success(let answer): answers += answer == nil ? 0 : 1
        case .failure(let error): cancelled += error is CancellationError ? 1 : 0
        }
      }
      #expect(answers == 3 && cancelled == 1)
    }
  }

  @Test("only so many may wait")
  func full() async throws {
    let store = Store()
    let trips = Self.trips(store)
    let waiting = RequestCoalescer<Int, String>.waitingMax
    try await withThrowingTaskGroup(of: String?.self) { group in
      try await Self.busy(store, trips, in: &group)
      try await Self.queue(0..<waiting, of: store, on: trips, in: &group)
      await #expect(throws: SQLError.busy) { try await trips.answer(to: waiting) }
      store.end(1, .failure(Away()))
      store.end(2, .failure(Away()))
      while await group.nextResult() != nil {}
    }
  }
}
