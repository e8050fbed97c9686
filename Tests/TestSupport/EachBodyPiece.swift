// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Does something before each piece of a body is handed on, and nothing for a body that is not read.
package struct EachBodyPiece<Context: RequestContext>: RouterMiddleware {
  private let act: @Sendable () async throws -> Void

  package init(_ act: @escaping @Sendable () async throws -> Void) { self.act = act }

  package func handle(
    _ request: Request, context: Context, next: (Request, Context) async throws -> Response
  ) async throws -> Response {
    var request = request
    let act = act
    request.body = RequestBody(
      asyncSequence: request.body.map { piece in
        try await act()
        return piece
      })
    return try await next(request, context)
  }
}
