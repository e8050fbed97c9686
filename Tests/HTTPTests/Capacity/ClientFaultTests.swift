import TestSupport
import Testing

@testable import HTTP

@Suite("HTTP: what clients do wrong is no error of ours", .storeless, .timeLimit(.minutes(1)))
struct ClientFaultTests {
  @Test("a client that leaves in the middle of a body is counted as 499, without a line of error")
  func gone() async throws {
    try await GuardedServer.run { server in
      let client = try await server.post("/read", length: 1000, "abc")
      try await client.close()
      await server.logged(499)
      #expect(!server.log.records.contains { $0.contains("unexpected") }, "\(server.log.records)")
      let counted = MetricsText.of(server.metrics.families)
      #expect(counted.contains(#"gatehouse_http_requests_total{method="POST",route="/read",status="499"} 1"#))
      #expect(!counted.contains(#"status="500""#))
    }
  }

  @Test(
    "a chunk that is none is 400, and ends the connection", arguments: ["zz\r\nabc\r\n", "3\r\nabcdef\r\n", "-1\r\n"])
  func badChunk(chunk: String) async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send("POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)")
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.hasSuffix("invalid-json"), "\(answer)")
      #expect(!server.log.records.contains { $0.contains("unexpected") })
    }
  }

  @Test("a whole body is read, in chunks or by its length")
  func whole() async throws {
    try await GuardedServer.run { server in
      let client = try await server.post("/read", length: 3, "abc")
      #expect(await client.head().hasPrefix("HTTP/1.1 200"))
      let other = try await server.connect()
      try await other.send(
        "POST /read HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
      )
      #expect(await other.answer().hasSuffix("3 bytes"))
    }
  }
}

enum MetricsText {
  static func of(_ families: [MetricFamily]) -> String { PrometheusText.page(families) }
}
