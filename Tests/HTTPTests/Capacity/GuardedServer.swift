// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Kit
import NIOCore
import TestSupport
import Testing

@testable import HTTP

/// A server on a real socket with everything that stands between a client and the node's memory.
struct GuardedServer: Sendable {
  let port: Int
  let log: LogRecorder
  let metrics: RequestMetrics
  let connections: ConnectionCount
  /// Of the route that holds what it read.
  let held: AsyncStream<Void>
  private let letGo: AsyncStream<Void>.Continuation

  static func run(
    _ change: (inout ConnectionLimits) -> Void = { _ in }, budget: BodyBudget = BodyBudget(),
    _ play: @escaping @Sendable (GuardedServer) async throws -> Void
  ) async throws {
    var limits = ConnectionLimits()
    change(&limits)
    let (world, log, metrics) = (TestWorld().world, LogRecorder(), RequestMetrics())
    let connections = ConnectionCount(limits)
    let (held, hold) = AsyncStream.makeStream(of: Void.self)
    let (gone, letGo) = AsyncStream.makeStream(of: Void.self)
    let router = Router(context: PublicContext.self)
    router.addMiddleware {
      RequestMetricsMiddleware(metrics, world: world)
      CorrelationMiddleware(world: world)
      ClientAddressMiddleware(header: .xForwardedFor)
      RequestLogMiddleware(world: world)
      ProblemMiddleware(dialect: LineDialect())
      BodyMiddleware(budget)
    }
    router.get("fine") { _, _ in "fine" }
    router.post("read") { request, _ in
      "\(try await RequestContent(request, limit: 1_000_000).bytes.count) bytes"
    }
    router.post("refuse") { _, _ -> String in throw Problem.notFound }
    router.post("hold/{subject}") { request, context in
      let content = try await RequestContent(request, limit: 1_000_000, from: context.parameters.get("subject"))
      hold.yield()
      for await _ in gone { break }
      return "\(content.bytes.count) bytes"
    }
    let app = Application(
      router: router,
      server: .http1(
        configuration: .init(additionalChannelHandlers: [ConnectionGuard(connections)], idleTimeout: .seconds(60))),
      logger: log.logger)
    try await app.serve { client in
      // Else what it holds would hold up its end, too.
      defer { letGo.finish() }
      // This client's own connection is made and counted meanwhile.
      try await connections.reach(1)
      try await play(
        GuardedServer(
          port: client.port ?? 0, log: log, metrics: metrics, connections: connections, held: held, letGo: letGo))
    }
  }

  /// Lets the next request go that holds its body.
  func release() { letGo.yield() }

  func connect() async throws -> RawClient { try await RawClient(port) }

  /// - Parameter body: what is sent of it at once.
  func post(_ path: String, length: Int, _ body: String = "") async throws -> RawClient {
    let client = try await connect()
    try await client.send("POST \(path) HTTP/1.1\r\nHost: h\r\nContent-Length: \(length)\r\n\r\n\(body)")
    return client
  }

  /// Returns when the log has a request that was answered so, and the metrics count it, which follows the line.
  func logged(_ status: Int) async throws {
    try await waitUntil("a request is answered \(status)") {
      log.records.contains { $0.hasPrefix("request ") && $0.contains("status=\(status)") }
        && MetricsText.of(metrics.families).contains("gatehouse_http_requests_in_flight 0\n")
    }
  }
}

extension ConnectionCount {
  /// Waits until so many connections are open.
  func reach(_ count: Int) async throws {
    try await waitUntil("\(count) connections are open") {
      MetricsText.of(families).contains("gatehouse_http_connections \(count)\n")
    }
  }
}

struct LineDialect: Dialect {
  func response(for problem: Problem, path: String, correlationID: String) -> Response {
    var headers: HTTPFields = [.contentType: "text/plain"]
    if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    return Response(
      status: problem.status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: problem.code)))
  }
}
