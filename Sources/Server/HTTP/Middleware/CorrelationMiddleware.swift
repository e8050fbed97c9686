// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Kit
import Logging

/// Gives every request a correlation id, the caller's own when it is a UUID, and returns it.
package struct CorrelationMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  static let name = HTTPField.Name("x-correlation-id")!
  let world: World

  package init(world: World) { self.world = world }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    // Only a UUID is echoed, letter for letter: anything else could carry text into logs. These have it in lower case.
    if let sent = request.headers[Self.name], let id = sent.canonicalUUID {
      context.correlationID = sent
      context.logger[metadataKey: "correlation"] = .string(id)
    } else {
      context.correlationID = world.uuid()
      context.logger[metadataKey: "correlation"] = .string(context.correlationID)
    }
    var response = try await next(request, context)
    response.headers[Self.name] = context.correlationID
    return response
  }
}
