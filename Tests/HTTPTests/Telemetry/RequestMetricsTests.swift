// SPDX-License-Identifier: Apache-2.0

import Foundation
import HTTP
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import TestSupport
import Testing

@Suite("Telemetry: what is counted of requests", .storeless)
struct RequestMetricsTests {
  @Test("a request is counted by method, route pattern and status, and its path is nowhere")
  func counted() async throws {
    let metrics = RequestMetrics()
    try await Self.serve(metrics) { client in
      for name in ["anna", "bert", "hunter2"] {
        _ = try await client.executeRequest(uri: "/things/\(name)?otp=123456", method: .get, headers: [:], body: nil)
      }
      _ = try await client.executeRequest(
        uri: "/things", method: .post, headers: [.contentLength: "5"], body: ByteBuffer(string: "12345"))
    }
    let page = PrometheusText.page(metrics.families)
    #expect(page.contains(#"gatehouse_http_requests_total{method="GET",route="/things/{name}",status="200"} 3"#))
    #expect(page.contains(#"gatehouse_http_request_duration_seconds_count{method="GET",route="/things/{name}"} 3"#))
    #expect(page.contains(#"gatehouse_http_response_bytes_total{method="GET",route="/things/{name}"} 12"#))
    #expect(page.contains(#"gatehouse_http_request_bytes_total{method="POST",route="/things"} 5"#))
    #expect(page.contains("gatehouse_http_requests_in_flight 0\n"))
    #expect(!page.contains("anna") && !page.contains("hunter2") && !page.contains("123456"))
  }

  @Test("invented paths and methods share one series each")
  func bounded() async throws {
    let metrics = RequestMetrics()
    try await Self.serve(metrics) { client in
      for number in 0..<20 {
        _ = try await client.executeRequest(uri: "/no/\(number)", method: .get, headers: [:], body: nil)
        guard let method = HTTPRequest.Method(rawValue: "BREW\(number)") else { continue }
        _ = try await client.executeRequest(uri: "/things/a", method: method, headers: [:], body: nil)
      }
    }
    let page = PrometheusText.page(metrics.families)
    #expect(page.contains(#"requests_total{method="GET",route="none",status="404"} 20"#))
    #expect(page.contains(#"requests_total{method="other",route="none",status="404"} 20"#))
  }

  @Test("a stream is in flight until its last byte, and its bytes are counted")
  func streamed() async throws {
    let metrics = RequestMetrics()
    try await Self.serve(metrics) { client in
      let answer = try await client.executeRequest(uri: "/stream", method: .get, headers: [:], body: nil)
      #expect(String(buffer: answer.body) == "1:1 2:1 ")
    }
    let page = PrometheusText.page(metrics.families)
    #expect(page.contains(#"gatehouse_http_response_bytes_total{method="GET",route="/stream"} 8"#))
    #expect(page.contains("gatehouse_http_requests_in_flight 0\n"))
  }

  @Test("an uncaught error is counted as one of the server")
  func thrown() async throws {
    let metrics = RequestMetrics()
    try await Self.serve(metrics) { client in
      _ = try await client.executeRequest(uri: "/crash", method: .get, headers: [:], body: nil)
    }
    #expect(
      PrometheusText.page(metrics.families).contains(#"requests_total{method="GET",route="/crash",status="500"} 1"#))
  }

  private static func serve(
    _ metrics: RequestMetrics, _ body: @escaping @Sendable (any TestClientProtocol) async throws -> Void
  ) async throws {
    let router = Router(context: PublicContext.self)
    router.add(middleware: RequestMetricsMiddleware(metrics, world: TestWorld().world))
    router.get("things/{name}") { _, _ in "fine" }
    router.post("things") { request, _ in
      _ = try await request.body.collect(upTo: 100)
      return "made"
    }
    router.get("crash") { _, _ -> String in throw Broken() }
    router.get("stream") { _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          for number in 1...2 {
            let inFlight = PrometheusText.page(metrics.families).contains("requests_in_flight 1\n") ? 1 : 0
            try await writer.write(ByteBuffer(string: "\(number):\(inFlight) "))
          }
          try await writer.finish(nil)
        })
    }
    try await Application(router: router).test(.router) { client in try await body(client) }
  }
}

private struct Broken: Error {}
