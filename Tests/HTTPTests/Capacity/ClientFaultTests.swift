// SPDX-License-Identifier: Apache-2.0

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
      try await server.logged(499)
      #expect(!server.log.records.contains { $0.contains("unexpected") }, "\(server.log.records)")
      let counted = MetricsText.of(server.metrics.families)
      #expect(counted.contains(#"gatehouse_http_requests_total{method="POST",route="/read",status="499"} 1"#))
      #expect(!counted.contains(#"status="500""#))
    }
  }

  @Test(
    "a malformed chunk is 400, and ends the connection", arguments: ["zz\r\nabc\r\n", "3\r\nabcdef\r\n", "-1\r\n"])
  func badChunk(chunk: String) async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send("POST /read HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)")
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.hasSuffix("invalid-json"), "\(answer)")
      #expect(!server.log.records.contains { $0.contains("unexpected") })
    }
  }

  private static let post = "POST /read HTTP/1.1\r\nHost: h\r\n"
  private static let chunks = "0\r\n\r\n"

  @Test(
    "a request that a proxy may read otherwise is 400, and what follows on its connection is never answered",
    arguments: [
      "\(post)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)",
      "\(post)Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n\(chunks)",
      "\(post)Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
      "\(post)Content-Length: +5\r\n\r\nabcde",
      "\(post)Content-Length: 9223372036854775808\r\n\r\nabcde",
      "\(post)Content-Length: 18446744073709551615\r\n\r\nabcde",
      "\(post)Transfer-Encoding:\r\n chunked\r\n\r\n\(chunks)",
      "\(post)Transfer-Encoding: identity, chunked\r\n\r\n\(chunks)",
      "\(post)Transfer-Encoding : chunked\r\n\r\n\(chunks)",
      "POST /read HTTP/1.1\nHost: h\nContent-Length: 0\n\n",
      "\(post)Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\nx\r\n\(chunks)",
      "\(post)Transfer-Encoding: chunked\r\n\r\n1;a=\"\r\n\"\r\nx\r\n\(chunks)",
      "\(post)Host: h\r\nContent-Length: 0\r\n\r\n",
      "POST /read HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
      "POST /read HTTP/1.0\r\nHost: h\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n\(chunks)",
    ])
  func smuggled(request: String) async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send("\(request)GET /fine HTTP/1.1\r\nHost: h\r\n\r\n")
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.ranges(of: "HTTP/1.").count == 1, "\(answer)")
    }
  }

  @Test(
    "blanks without end in front of a value, which no limit of the parser counts, are refused before they are kept",
    arguments: [
      "GET /fine HTTP/1.1\r\nHost: h\r\nA:", "\(post)Transfer-Encoding: chunked\r\n\r\n0\r\nA:",
      "\(post)Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\nC:",
    ])
  func blanks(request: String) async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send(request + String(repeating: " ", count: 80_000))
      // Not 408 when the time of a head or of a body is over: by then a client can have sent gigabytes.
      let answer = await client.answer()
      #expect(answer.hasPrefix("HTTP/1.1 400") && answer.ranges(of: "HTTP/1.").count == 1, "\(answer)")
    }
  }

  @Test("the longest heads that the limits let in, and many parts one after another, are no blanks without end")
  func whatIsParsed() async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      let head = (0..<10).map { "A\($0): \(String(repeating: "b", count: 3000))\r\n" }.joined()
      let chunks = String(repeating: "400\r\n\(String(repeating: "c", count: 1024))\r\n", count: 200)
      for _ in 1...3 {
        try await client.send("\(Self.post)\(head)Transfer-Encoding: chunked\r\n\r\n\(chunks)\(Self.chunks)")
        // The end of the answer before may come with this one's head.
        #expect(await client.head().contains("HTTP/1.1 200"))
      }
    }
  }

  @Test("the greatest length that there is, one with zeros before it and one with blanks behind it are lengths")
  func lengths() async throws {
    try await GuardedServer.run { server in
      let large = try await server.connect()
      try await large.send("POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: \(Int.max)\r\n\r\n")
      #expect(await large.head().hasPrefix("HTTP/1.1 413"))
      for length in ["0003", "3 ", "  3   "] {
        let padded = try await server.connect()
        try await padded.send("POST /read HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\nabc")
        #expect(await padded.head().hasPrefix("HTTP/1.1 200"), "\(length)")
      }
    }
  }

  @Test("a probe of HTTP/1.0 is answered, which names no host")
  func probe() async throws {
    try await GuardedServer.run { server in
      let client = try await server.connect()
      try await client.send("GET /fine HTTP/1.0\r\n\r\n")
      #expect(await client.head().hasPrefix("HTTP/1.1 200"))
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
