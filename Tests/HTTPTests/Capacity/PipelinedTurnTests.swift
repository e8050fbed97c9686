// SPDX-License-Identifier: Apache-2.0

import Foundation
import Hummingbird
import HummingbirdCore
import HummingbirdTesting
import Kit
import NIOCore
import NIOHTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: requests that came together leave turns to others", .storeless, .timeLimit(.minutes(1)))
struct PipelinedTurnTests {
  @Test("a request is answered between those that many connections of one network have sent at once")
  func between() async throws {
    let connections = 4 * ProcessInfo.processInfo.activeProcessorCount
    let ofEach = 1500
    let done = Atomic(0)
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    // Its first requests were long ago, and no other network has asked since: none of its requests waits.
    let clock = TestWorld()
    let costs = NetworkCosts(world: clock.world)
    for _ in 0..<1000 { _ = costs.begin(from: "192.0.2.1") }
    clock.advance(by: .seconds(11))
    let router = Router(context: PublicContext.self)
    router.addMiddleware {
      ClientAddressMiddleware(header: .xForwardedFor)
      FairShareMiddleware(costs)
    }
    router.get("work") { _, _ in
      if done.add(1, ordering: .relaxed).newValue == 300 * connections { begin.yield() }
      // As much as a small answer takes.
      return "\((0..<200).reduce(1) { ($0 &* 31) ^ $1 })"
    }
    let arrival = Atomic(0)
    router.get("ask") { _, _ in "\(done.load(ordering: .relaxed) - arrival.load(ordering: .relaxed))" }
    let server = HTTPServerBuilder.http1(
      configuration: .init(
        additionalChannelHandlers: [Arrival { arrival.store(done.load(ordering: .relaxed), ordering: .relaxed) }]))
    try await Application(router: router, server: server).test(.live) { client in
      let port = client.port ?? 0
      let asker = try await RawClient(port)
      let work = "GET /work HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n"
      var flood: [RawClient] = []
      for _ in 0..<connections {
        let connection = try await RawClient(port)
        try await connection.send(String(repeating: work, count: ofEach))
        flood.append(connection)
      }
      for await _ in begun { break }
      try await asker.send(
        "GET /ask HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: 192.0.2.2\r\nConnection: close\r\n\r\n")
      let answer = await asker.answer()
      let between = try #require(answer.split(separator: "\r\n").last.flatMap { Int($0) })
      #expect(between < 20 * connections)
      for connection in flood { try? await connection.close() }
    }
  }

  /// Tells when the request `/ask` has come to its event loop.
  private final class Arrival: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let tell: @Sendable () -> Void

    init(_ tell: @escaping @Sendable () -> Void) { self.tell = tell }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .head(let head) = unwrapInboundIn(data), head.path == "/ask" { tell() }
      context.fireChannelRead(data)
    }
  }
}
