// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import ServiceLifecycle
import Synchronization

/// The events of a topic as server-sent events (HTML Living Standard §9.2), for one reader after another.
///
/// 1. A reader without a position, or with one whose events are not kept any more, is told first how things stand.
/// 2. Each event after that is sent once, in order, under its number. A reader that comes back says the last number
///    that it saw in `Last-Event-ID`, on any node.
/// 3. A comment tells now and then that the connection lives. Every answer ends after a while, and at once when the
///    node leaves: the reader comes back.
package struct ServerSentEvents: Sendable {
  /// After so long without an event a comment is sent.
  package static let heartbeat = Duration.seconds(15)
  /// After so long the reader has to prove itself anew.
  package static let lifetime = Duration.minutes(5)
  /// Readers of one topic at a time.
  private static let topicReadersMax = 4

  /// How things stand, and the number of the event that led there.
  package typealias Snapshot = @Sendable () async throws -> (data: Data, position: Int64)

  private let live: LiveEvents
  private let world: World
  private let places: ReaderLimit
  private let heartbeat: Duration

  package init(live: LiveEvents, world: World, heartbeat: Duration = heartbeat) {
    self.live = live
    self.world = world
    places = ReaderLimit()
    self.heartbeat = heartbeat
  }

  /// Answers one reader.
  /// - Parameters:
  ///   - kind: of the event that says how things stand.
  ///   - lastEventID: as the reader sent it.
  ///   - mayRead: asked before anything more is told. Where it is false, nothing is, and the answer ends.
  /// - Throws: `Problem` unavailable when there are too many readers already.
  package func answer(
    _ topic: String, kind: String, after lastEventID: String?,
    asLongAs mayRead: @escaping @Sendable () async throws -> Bool, snapshot: @escaping Snapshot
  ) async throws -> Response {
    guard places.isFree(topic, Self.topicReadersMax) else {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 30 }
    }
    // What cannot be told fails while there still is a status to say so.
    var start = Start(position: lastEventID.flatMap { Int64($0) }, text: Self.comment)
    if start.position == nil {
      let (data, position) = try await snapshot()
      start = Start(position: position, text: Self.text(position, kind, data))
    }
    let body = ResponseBody { [start] writer in
      guard places.take(topic, Self.topicReadersMax) else { return try await writer.finish(nil) }
      defer { places.leave(topic) }
      try await writer.write(ByteBuffer(string: start.text))
      try await follow(topic, kind, from: start.position ?? 0, mayRead, snapshot, &writer)
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .xAccelBuffering: "no"], body: body)
  }

  /// Answers one reader of a feed that knows its own places: it goes on after `position`.
  /// - Parameters:
  ///   - reader: who reads, whatever it is that they read.
  ///   - answersMax: answers to that reader at a time.
  ///   - feed: made when the answer begins; asked for one page after the other.
  /// - Throws: `Problem` unavailable when there are too many readers already.
  package func answer(
    _ reader: String, atMost answersMax: Int, from position: Int64, feed: @escaping @Sendable () -> EventFeed
  ) throws -> Response {
    guard places.isFree(reader, answersMax) else {
      throw Problem.unavailable.with { $0.retryAfterSeconds = 30 }
    }
    let body = ResponseBody { writer in
      guard places.take(reader, answersMax) else { return try await writer.finish(nil) }
      defer { places.leave(reader) }
      try await writer.write(ByteBuffer(string: Self.comment))
      try await follow(feed(), from: position, &writer)
      try await writer.finish(nil)
    }
    return Response(
      status: .ok, headers: [.contentType: "text/event-stream", .xAccelBuffering: "no"], body: body)
  }

  private func follow(_ feed: EventFeed, from start: Int64, _ writer: inout any ResponseBodyWriter) async throws {
    var position = start
    let end = world.now() + Self.lifetime
    while world.now() < end, !Task.isShuttingDownGracefully, !Task.isCancelled {
      let after = position
      let page: EventFeed.Page
      do {
        page = try await cancelWhenGracefulShutdown { try await feed.next(after, heartbeat) }
      } catch is CancellationError { return }
      position = page.position
      let text = page.events.map { Self.text($0.number, $0.kind, $0.data) }.joined()
      try await writer.write(ByteBuffer(string: text.isEmpty ? Self.comment : text))
      guard !page.isLast else { return }
    }
  }

  private struct Start {
    var position: Int64?
    var text: String
  }

  private func follow(
    _ topic: String, _ kind: String, from start: Int64, _ mayRead: @Sendable () async throws -> Bool,
    _ snapshot: Snapshot, _ writer: inout any ResponseBodyWriter
  ) async throws {
    var position = start
    let end = world.now() + Self.lifetime
    while world.now() < end, !Task.isShuttingDownGracefully, !Task.isCancelled {
      let after = position
      let page: LivePage
      do {
        page = try await cancelWhenGracefulShutdown { try await live.wait(topic, after: after, atMost: heartbeat) }
      } catch is CancellationError { return }
      switch page {
      case .events(let events):
        if !events.isEmpty, try await !mayRead() { return }
        for event in events { position = event.sequence }
        let text = events.map { Self.text($0.sequence, $0.kind, $0.payload) }.joined()
        try await writer.write(ByteBuffer(string: text.isEmpty ? Self.comment : text))
      case .expired:
        guard try await mayRead() else { return }
        let (data, now) = try await snapshot()
        position = now
        try await writer.write(ByteBuffer(string: Self.text(now, kind, data)))
      }
    }
  }

  private static let comment = ":\n\n"

  /// - Parameter data: JSON, which has no line ends.
  private static func text(_ number: Int64?, _ kind: String, _ data: Data) -> String {
    (number.map { "id: \($0)\n" } ?? "") + "event: \(kind)\ndata: \(String(decoding: data, as: UTF8.self))\n\n"
  }
}

/// How many readers a node serves at a time.
private final class ReaderLimit: Sendable {
  static let nodeMax = 10_000

  private struct Taken {
    var byReader: [String: Int] = [:]
    var all = 0

    func hasPlace(_ reader: String, _ most: Int) -> Bool { all < nodeMax && byReader[reader, default: 0] < most }
  }

  private let taken = Mutex(Taken())

  func isFree(_ reader: String, _ most: Int) -> Bool { taken.withLock { $0.hasPlace(reader, most) } }

  func take(_ reader: String, _ most: Int) -> Bool {
    taken.withLock { taken in
      guard taken.hasPlace(reader, most) else { return false }
      taken.byReader[reader, default: 0] += 1
      taken.all += 1
      return true
    }
  }

  func leave(_ reader: String) {
    taken.withLock { taken in
      taken.all -= 1
      let left = taken.byReader[reader, default: 1] - 1
      taken.byReader[reader] = left > 0 ? left : nil
    }
  }
}

extension HTTPField.Name {
  /// Proxies that gather answers are asked not to.
  fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
  package static let lastEventID = Self("Last-Event-ID")!
}
