// SPDX-License-Identifier: Apache-2.0

import Foundation
import NIOCore
import Screening
import Synchronization
import TestSupport
import Testing

@testable import ScreeningHTTP

@Suite("Screening API: what else waits for a batch", .storeless)
struct BatchTurnTests {
  private final class Seen: Sendable {
    let isDone = Mutex(false)
    /// Of the other one since the batch began.
    let turns = Mutex(0)
    let lines = Mutex(0)
  }

  private static func batch(of count: Int) throws -> (queries: [MatchOrder.Query], search: MatchSearch) {
    let table = ListReader.File(name: "own.csv", bytes: Data("ref,name\n1,Ansgar Driftwell\n".utf8))
    let lists = try ListReader.read([table], countries: ScreeningTestApp.countries).map(\.list)
    let index = ScreeningIndex(lists, countries: ScreeningTestApp.countries)
    let subject = Screening.Subject(
      names: ["Ansgar Driftwell"], dateOfBirth: nil, nationalities: [], documentNumbers: [])
    let query = MatchOrder.Query(id: nil, subject: subject)
    return (Array(repeating: query, count: count), try MatchSearch(index, .standard, limit: 1))
  }

  @Test("a batch ends at the first piece that its client does not take any more")
  func gone() async throws {
    struct Gone: Error {}
    let (queries, search) = try Self.batch(of: 1_000)
    var sizes: [Int] = []
    await #expect(throws: Gone.self) {
      try await ScreeningRoutes.answer(queries, search) { piece in
        sizes.append(piece.readableBytes)
        throw Gone()
      }
    }
    // All of it is some half a megabyte.
    #expect(sizes.count == 1 && sizes[0] < 64 * 1024)
  }

  @Test("a batch leaves its thread to others after each query")
  func turns() async throws {
    let (queries, search) = try Self.batch(of: 50)
    let seen = Seen()
    try await withThrowingTaskGroup(of: Void.self) { group in
      let thread = OneThread()
      // This one waits for the thread before the batch does: a batch alone on it would be done before.
      group.addTask(executorPreference: thread) {
        while !seen.isDone.withLock({ $0 }) {
          seen.turns.withLock { $0 += 1 }
          await Task.yield()
        }
      }
      group.addTask(executorPreference: thread) {
        defer { seen.isDone.withLock { $0 = true } }
        seen.turns.withLock { $0 = 0 }
        try await ScreeningRoutes.answer(queries, search) { piece in
          seen.lines.withLock { $0 += piece.readableBytesView.count { $0 == UInt8(ascii: "\n") } }
        }
      }
      try await group.waitForAll()
    }
    #expect(seen.lines.withLock { $0 } == queries.count)
    #expect(seen.turns.withLock { $0 } >= queries.count)
  }
}
