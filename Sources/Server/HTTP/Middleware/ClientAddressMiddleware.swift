// SPDX-License-Identifier: Apache-2.0

import Hummingbird

/// Takes the client's address from what the trusted proxy in front wrote. Without its header the address is the proxy's
/// own, so that all who come that way are counted as one.
package struct ClientAddressMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private let header: ForwardedHeader

  /// - Parameter header: the one that the proxy writes.
  package init(header: ForwardedHeader) { self.header = header }

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    if let address = ForwardedAddress.of(request.headers, header: header) { context.clientAddress = address }
    return try await next(request, context)
  }
}
