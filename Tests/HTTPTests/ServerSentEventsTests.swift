// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import Storage
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
}
