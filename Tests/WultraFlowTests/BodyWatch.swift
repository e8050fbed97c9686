// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import NIOCore
import Synchronization

/// Counts the pieces of bodies that were read.
final class BodyWatch: Sendable {
  private let read = Mutex(0)

  /// Since the last time.
  func take() -> Int {
    read.withLock { count in
      defer { count = 0 }
      return count
    }
  }

  var middleware: Middleware { Middleware(watch: self) }

  struct Middleware: RouterMiddleware {
    let watch: BodyWatch

    func handle(
      _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
    ) async throws -> Response {
      var request = request
      let watch = watch
      request.body = RequestBody(
        asyncSequence: request.body.map { piece in
          watch.read.withLock { $0 += 1 }
          return piece
        })
      return try await next(request, context)
    }
  }
}
