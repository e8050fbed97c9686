// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit
import Logging

/// One line a request: method, route pattern, status, time. Never the path itself, its query or any header.
package struct RequestLogMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  let world: World

  package init(world: World) { self.world = world }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    let start = world.now()
    let response = try await next(request, context)
    context.logger.info(
      "request",
      metadata: [
        "method": "\(request.method.rawValue)", "route": "\(context.endpointPath ?? "none")",
        "status": "\(response.status.code)", "ms": "\((world.now() - start).milliseconds)",
      ])
    return response
  }
}
