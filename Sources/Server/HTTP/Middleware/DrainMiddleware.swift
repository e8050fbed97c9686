// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// While the node drains, each answer asks its connection to be the last one here.
package struct DrainMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  let drain: Drain

  package init(_ drain: Drain) { self.drain = drain }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    if drain.isDraining { response.headers[.connection] = "close" }
    return response
  }
}
