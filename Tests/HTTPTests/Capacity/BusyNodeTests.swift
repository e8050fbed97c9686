// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: a node that works on as many requests as it takes", .storeless, .timeLimit(.minutes(1)))
struct BusyNodeTests {
  /// A node with one place, which a request has for as long as it likes.
  private static func run(_ play: @escaping @Sendable (GuardedServer) async throws -> Void) async throws {
    try await GuardedServer.run(
      { ($0.proxyHeader, $0.turns.places, $0.turns.lease) = (.xForwardedFor, 1, .seconds(3600)) }, play)
  }

  private static func send(
    _ method: String, _ path: String, from address: String, _ server: GuardedServer
  ) async throws -> RawClient {
    let client = try await server.connect()
    try await client.send(
      "\(method) \(path) HTTP/1.1\r\nHost: h\r\nX-Forwarded-For: \(address)\r\nContent-Length: 1\r\n\r\nx")
    return client
  }

  private static func isWaiting(_ count: Int, at server: GuardedServer) async {
    while !MetricsText.of(server.connections.families).contains("gatehouse_http_requests_waiting \(count)\n") {
      await Task.yield()
    }
  }

  @Test("the next request waits for its turn, and networks that asked less go first")
  func turns() async throws {
    try await Self.run { server in
      let first = try await Self.send("POST", "/hold/a", from: "203.0.113.7", server)
      for await _ in server.held { break }
      // The network of the first request.
      let second = try await Self.send("POST", "/hold/b", from: "203.0.113.8", server)
      await Self.isWaiting(1, at: server)
      let third = try await Self.send("POST", "/read", from: "198.51.100.7", server)
      await Self.isWaiting(2, at: server)
      server.release()
      #expect(await first.head().hasPrefix("HTTP/1.1 200"))
      // The second has the place now, which the third gave back.
      for await _ in server.held { break }
      #expect(await third.head().hasPrefix("HTTP/1.1 200"))
      await Self.isWaiting(0, at: server)
      server.release()
      #expect(await second.head().hasPrefix("HTTP/1.1 200"))
    }
  }

  @Test("a client of this machine does not wait")
  func local() async throws {
    try await Self.run { server in
      let first = try await Self.send("POST", "/hold/a", from: "203.0.113.7", server)
      for await _ in server.held { break }
      let local = try await server.post("/read", length: 1, "x")
      #expect(await local.head().hasPrefix("HTTP/1.1 200"))
      server.release()
      #expect(await first.head().hasPrefix("HTTP/1.1 200"))
    }
  }
}
