// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import Storage
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: who may follow server-sent events", .storeless, .timeLimit(.minutes(1)))
struct ServerSentEventsTests {
  /// Says when the first part is written.
  private struct Begun: ResponseBodyWriter {
    let begun: AsyncStream<Void>.Continuation

    func write(_ buffer: ByteBuffer) async throws { begun.yield() }
    func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }

  /// Nothing ever happens.
  private static let silence = EventFeed { _, _ in
    let (never, source) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    source.finish()
    throw CancellationError()
  }

  @Test("a reader has so many answers at a time, whatever they are about; who leaves makes room")
  func places() async throws {
    let world = TestWorld().world
    let events = ServerSentEvents(live: LiveEvents(database: try SQLite(), world: world), world: world)
    func answer(_ reader: String) throws -> Response {
      try events.answer(reader, atMost: 2, from: 0) { Self.silence }
    }
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    var beginnings = begun.makeAsyncIterator()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<2 {
        let body = try answer("ada").body
        group.addTask { try await body.write(Begun(begun: begin)) }
        await beginnings.next()
      }
      let refused = #expect(throws: Problem.self) { try answer("ada") }
      #expect(refused?.category == .unavailable && refused?.retryAfterSeconds == 30)
      _ = try answer("bob")
      group.cancelAll()
      try await group.waitForAll()
    }
    _ = try answer("ada")
  }

  @Test("nothing is told, and the feed ends, once its reader may not read any more; silence asks for nothing")
  func mayRead() async throws {
    let pages = Mutex([
      EventFeed.Page([], position: 0, isLast: false),
      EventFeed.Page([.init(number: 1, kind: "said", data: Data("{}".utf8))], position: 1, isLast: false),
      EventFeed.Page([.init(number: 2, kind: "said", data: Data("{}".utf8))], position: 2, isLast: false),
      EventFeed.Page([], position: 3, isLast: true),
    ])
    let asked = Mutex(0)
    let feed = EventFeed { _, _ in pages.withLock { $0.removeFirst() } }
      .asLong {
        asked.withLock { asked in
          asked += 1
          return asked == 1
        }
      }
    let silent = try await feed.next(0, .seconds(1))
    #expect(silent.events.isEmpty && !silent.isLast && asked.withLock { $0 } == 0)
    let told = try await feed.next(0, .seconds(1))
    #expect(told.events.map(\.number) == [1] && !told.isLast)
    for place: Int64 in [1, 2] {
      let untold = try await feed.next(place, .seconds(1))
      #expect(untold.events.isEmpty && untold.isLast && untold.position == place)
    }
  }
}
