// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Kit
import NIOCore
import Synchronization

/// Counts every request once, whatever becomes of it. The outermost middleware.
package struct RequestMetricsMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  /// Methods that get a name of their own; a caller may invent others without end.
  private static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

  let metrics: RequestMetrics
  let world: World

  package init(_ metrics: RequestMetrics, world: World) {
    self.metrics = metrics
    self.world = world
  }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    let timing = RequestTiming(
      metrics: metrics, world: world,
      method: Self.methods.contains(request.method) ? request.method.rawValue : "other",
      route: context.endpointPath ?? "none",
      received: request.headers[.contentLength].flatMap { Int($0) }.map { max(0, $0) } ?? 0)
    var response: Response
    do { response = try await next(request, context) } catch {
      timing.end(status: (error as? any HTTPResponseError)?.status.code ?? 500, sent: 0)
      throw error
    }
    let status = response.status.code
    guard response.body.contentLength == nil else {
      // Known at once, and left as it is: Hummingbird writes such a body in one piece.
      timing.end(status: status, sent: response.body.contentLength ?? 0)
      return response
    }
    // A stream is in flight until its last byte was written or its reader went away.
    let (body, sent) = (response.body, Counted())
    response.body = ResponseBody { writer in
      defer { timing.end(status: status, sent: sent.bytes) }
      try await body.map { buffer in
        sent.add(buffer.readableBytes)
        return buffer
      }.write(writer)
    }
    return response
  }
}

private final class Counted: Sendable {
  private let count = Atomic(0)
  var bytes: Int { count.load(ordering: .relaxed) }
  func add(_ more: Int) { count.add(more, ordering: .relaxed) }
}

/// One request on its way; a stream that is dropped unwritten ends it too.
private final class RequestTiming: Sendable {
  private let metrics: RequestMetrics
  private let world: World
  private let method: String
  private let route: String
  private let received: Int
  private let start: Duration
  private let isOver = Atomic(false)

  init(metrics: RequestMetrics, world: World, method: String, route: String, received: Int) {
    self.metrics = metrics
    self.world = world
    self.method = method
    self.route = route
    self.received = received
    start = world.ticks()
    metrics.began()
  }

  func end(status: Int, sent: Int) {
    guard !isOver.exchange(true, ordering: .relaxed) else { return }
    metrics.ended(
      method: method, route: route, status: status, after: world.ticks() - start, received: received, sent: sent)
  }

  /// 499: the client had gone before the answer.
  deinit { end(status: 499, sent: 0) }
}
