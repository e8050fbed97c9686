// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import NIOCore

/// Tells the connection of a stream of HTTP/2 when the task of its request ends. The outermost middleware: what is
/// further in holds memory for as long.
package struct StreamTaskMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  package init() {}

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    guard let streams = AbandonedStreams.current, context.isStream else { return try await next(request, context) }
    let task = StreamTask(of: context.channel, in: streams)
    defer { withExtendedLifetime(task) {} }
    var response = try await next(request, context)
    // A body that is known is written in one piece, which fails at once when the stream has ended. Of another one the
    // task goes on until it is written, or dropped unwritten.
    guard response.body.contentLength == nil else { return response }
    let body = response.body
    response.body = ResponseBody { writer in
      defer { withExtendedLifetime(task) {} }
      try await body.write(writer)
    }
    return response
  }
}

/// The task of one stream, for as long as something holds it. It holds the channel, by which the stream is known.
private final class StreamTask: Sendable {
  private let channel: any Channel
  private let streams: AbandonedStreams

  init(of channel: any Channel, in streams: AbandonedStreams) { (self.channel, self.streams) = (channel, streams) }

  deinit { streams.taskEnded(ObjectIdentifier(channel)) }
}
