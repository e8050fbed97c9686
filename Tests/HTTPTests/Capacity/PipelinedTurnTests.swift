// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdCore
import Kit
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// Requests that came together are worked on by one task, one after another.
@Suite("HTTP: requests that came together leave turns to others", .storeless, .timeLimit(.minutes(1)))
struct PipelinedTurnTests {
  private let clock = TestWorld()

  @Test("a request of a network that costs much leaves its thread first, also where it does not wait")
  func between() async throws {
    // Its first requests were long ago, and no other network has asked since.
    let costs = NetworkCosts(world: clock.world)
    for _ in 0..<1000 { _ = costs.begin(from: Self.network) }
    clock.advance(by: .seconds(11))
    let middleware = FairShareMiddleware(costs) { _ in Issue.record("it waited") }
    #expect(await Self.turns(beside: middleware) >= 10)
  }

  @Test("where too many wait, those that are refused leave it as well")
  func refused() async throws {
    let costs = NetworkCosts(world: clock.world)
    for _ in 0..<20 { costs.end(from: Self.network, hadTurn: true, isRefused: true, received: 0, sent: 0) }
    _ = costs.begin(from: "192.0.2.2")
    let gate = TaskGate()
    let middleware = FairShareMiddleware(costs) { _ in await gate.pass() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<FairShareMiddleware.waitingMax { group.addTask { try await Self.ask(middleware) } }
      try await gate.reached(FairShareMiddleware.waitingMax)
      defer { gate.open() }
      await #expect(throws: Problem.self) { try await Self.ask(middleware) }
      #expect(await Self.turns(beside: middleware) >= 10)
      gate.open()
      try await group.waitForAll()
    }
  }

  private static let network = "192.0.2.1"

  /// - Returns: how often another task of the same thread had its turn while requests were worked on: many, unless it
  ///   had ten turns before.
  private static func turns(beside middleware: FairShareMiddleware) async -> Int {
    let thread = OneThread()
    let seen = Seen()
    await withTaskGroup(of: Void.self) { group in
      group.addTask(executorPreference: thread) {
        seen.isAsking.store(true, ordering: .sequentiallyConsistent)
        for _ in 0..<10_000 where seen.turns.load(ordering: .relaxed) < 10 { try? await ask(middleware) }
        seen.isDone.store(true, ordering: .sequentiallyConsistent)
      }
      group.addTask(executorPreference: thread) {
        while !seen.isDone.load(ordering: .sequentiallyConsistent) {
          if seen.isAsking.load(ordering: .sequentiallyConsistent) { seen.turns.add(1, ordering: .relaxed) }
          await Task.yield()
        }
      }
    }
    return seen.turns.load(ordering: .relaxed)
  }

  /// What two tasks tell each other.
  private final class Seen: Sendable {
    let turns = Atomic(0)
    let isAsking = Atomic(false)
    let isDone = Atomic(false)
  }

  private static func ask(_ middleware: FairShareMiddleware) async throws {
    let source = ApplicationRequestContextSource(channel: EmbeddedChannel(), logger: Logger(label: "requests"))
    var context = PublicContext(source: source)
    context.clientAddress = network
    let head = HTTPRequest(method: .get, scheme: nil, authority: nil, path: "/")
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer()))
    _ = try await middleware.handle(request, context: context) { _, _ in Response(status: .ok) }
  }
}
