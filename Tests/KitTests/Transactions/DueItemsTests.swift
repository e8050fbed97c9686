// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: the loop over what is due")
struct DueItemsTests {
  private struct Failure: Error, Equatable { let item: Int }

  /// Numbers from 1 on, of which those that are not done are due.
  private static func numbers(to count: Int) -> @Sendable (DuePage<Int>, any SQLTransaction) -> [Int] {
    { page, _ in Array((1...count).drop { $0 <= page.last ?? 0 }.prefix(page.limit)) }
  }

  @Test("an item that fails holds up no other; the first failure is thrown at the end", arguments: Engine.available)
  func failing(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    var done: [Int] = []
    await #expect(throws: Failure(item: 3)) {
      try await made.database.forEachDue(Self.numbers(to: 250)) { item in
        guard item != 3, item != 120 else { throw Failure(item: item) }
        done.append(item)
      }
    }
    #expect(done == (1...250).filter { $0 != 3 && $0 != 120 })
  }

  @Test("a page is asked for behind the last item and besides those that failed", arguments: Engine.available)
  func places(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    let asked = Counter()
    await #expect(throws: Failure(item: 2)) {
      try await made.database.forEachDue { (page: DuePage<Int>, _) in
        #expect(page.limit == 100)
        switch asked.next() {
        case 1:
          #expect(page.last == nil && page.failed.isEmpty)
          return Array(1...100)
        case 2:
          #expect(page.last == 100 && page.failed == [2])
          return Array(101...200)
        default:
          #expect(page.last == 200 && page.failed == [2, 150])
          return [201]
        }
      } do: { item in
        if item == 2 || item == 150 { throw Failure(item: item) }
      }
    }
    #expect(asked.count == 3)
  }

  @Test("what is all done ends the run without an error", arguments: Engine.available)
  func done(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    var done: [Int] = []
    try await made.database.forEachDue(Self.numbers(to: 200)) { done.append($0) }
    #expect(done == Array(1...200))
  }

  @Test(
    "a page of failures holds up nothing behind it where the query goes by the last item", arguments: Engine.available)
  func behindFailures(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    var done: [Int] = []
    await #expect(throws: Failure(item: 1)) {
      try await made.database.forEachDue(paging: .behindLast, Self.numbers(to: 250)) { item in
        guard item > 120 else { throw Failure(item: item) }
        done.append(item)
      }
    }
    #expect(done == Array(121...250))
  }

  @Test("when as many failed as a page holds, the run ends", arguments: Engine.available)
  func allFailing(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    let (asked, tried) = (Counter(), Counter())
    await #expect(throws: Failure(item: 1)) {
      try await made.database.forEachDue { (page: DuePage<Int>, tx) in
        _ = asked.next()
        return Self.numbers(to: 1000)(page, tx)
      } do: { item in
        _ = tried.next()
        throw Failure(item: item)
      }
    }
    #expect(asked.count == 1 && tried.count == 100)
  }

  @Test("a run is bounded, whatever stays due", arguments: Engine.available)
  func bounded(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    let (asked, tried) = (Counter(), Counter())
    try await made.database.forEachDue { (page: DuePage<Int>, _) in
      _ = asked.next()
      return Array(1...page.limit)
    } do: { _ in
      _ = tried.next()
    }
    #expect(asked.count == 200 && tried.count == 20_000)
  }

  @Test("a store that does not answer ends the run at once, also after a failure", arguments: Engine.available)
  func unreachable(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    var tried: [Int] = []
    await #expect(throws: SQLError.unreachable("away")) {
      try await made.database.forEachDue(Self.numbers(to: 250)) { item in
        tried.append(item)
        if item == 2 { throw Failure(item: item) }
        if item == 4 { throw SQLError.unreachable("away") }
      }
    }
    #expect(tried == [1, 2, 3, 4])
  }

  @Test("a cancellation ends the run at once, whether the work or the loop meets it", arguments: Engine.available)
  func cancelled(engine: Engine) async throws {
    let made = try await TestDatabase.make(engine)
    for isMetByWork in [true, false] {
      let tried = Counter()
      let run = Task {
        try await made.database.forEachDue(Self.numbers(to: 250)) { _ in
          guard tried.next() == 3 else { return }
          withUnsafeCurrentTask { $0?.cancel() }
          if isMetByWork { try Task.checkCancellation() }
        }
      }
      await #expect(throws: CancellationError.self) { try await run.value }
      #expect(tried.count == 3)
    }
  }
}
