// SPDX-License-Identifier: Apache-2.0

import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: requests that are sent without waiting for answers", .storeless, .timeLimit(.minutes(1)))
struct PipelinedRequestTests {
  private static let fine = "GET /fine HTTP/1.1\r\nHost: h\r\n\r\n"

  /// The statuses of all answers until the server closes.
  private func statuses(_ requests: String) async throws -> [String] {
    let (answers, hear) = AsyncStream.makeStream(of: String.self)
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send(requests)
      hear.yield(await client.answer())
      hear.finish()
    }
    for await all in answers { return all.matches(of: /HTTP\/1\.1 (\d+)/).map { String($0.1) } }
    return []
  }

  @Test(
    "those that came whole are answered in their order before a connection is given up for what follows them",
    arguments: [
      "GET /fine HTTP/1.1\r\nHost: h\r\nHost: i\r\n\r\n", "nonsense\r\n\r\n",
      "GET /caf\u{e9} HTTP/1.1\r\nHost: h\r\n\r\n",
      "POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n",
    ])
  func answeredBefore(fault: String) async throws {
    #expect(try await statuses(Self.fine + Self.fine + Self.fine + fault) == ["200", "200", "200", "400"])
    #expect(try await statuses(fault) == ["400"])
  }

  @Test(
    "what follows a request that its client called its last is not answered",
    arguments: ["Connection: close", "Proxy-Connection: Close"])
  func last(field: String) async throws {
    let last = "GET /fine HTTP/1.1\r\nHost: h\r\n\(field)\r\n\r\n"
    #expect(try await statuses(Self.fine + last + Self.fine) == ["200", "200"])
  }

  /// As Java's client asks each server without TLS, and a browser for a socket.
  @Test(
    "a request that asks for another protocol is answered and told to be the last, for what follows it is not read",
    arguments: [
      "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA\r\n",
      "Connection: keep-alive, upgrade\r\nUpgrade: websocket\r\n",
      // The parser takes that field for `Connection`.
      "Proxy-Connection: upgrade\r\nUpgrade: h2c\r\n",
    ])
  func otherProtocol(fields: String) async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send("GET /fine HTTP/1.1\r\nHost: h\r\n\(fields)\r\n\(Self.fine)")
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 200") && answer.ranges(of: "HTTP/1.").count == 1, "\(answer)")
      #expect(answer.lowercased().contains("connection: close"), "\(answer)")
    }
    // A protocol that no field `Connection` names is asked of the next server only.
    let unnamed = "GET /fine HTTP/1.1\r\nHost: h\r\nUpgrade: h2c\r\n\r\n"
    #expect(try await statuses(unnamed + Self.fine + "nonsense\r\n\r\n") == ["200", "200", "400"])
  }

  @Test("a connection is closed when what follows its client's last request is none, though the client keeps it open")
  func lastFollowed() async throws {
    try await GuardedServer.run { server in
      // It does not close when the server does.
      let client = try await RawClient(server.port, keepsOpen: true)
      try await client.send("GET /fine HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\nnonsense\r\n\r\n")
      #expect(await client.head().hasPrefix("HTTP/1.1 200"))
      // What is left is the connection of the server's own client.
      try await server.connections.reach(1)
    }
  }
}
