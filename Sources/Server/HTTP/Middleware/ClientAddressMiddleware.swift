import Foundation
import HTTPTypes
import Hummingbird
import Kit

/// Takes the client's address from the last entry of `X-Forwarded-For`, which the trusted proxy in front appended.
package struct ClientAddressMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  static let name = HTTPField.Name("X-Forwarded-For")!

  package init() {}

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    var context = context
    if let last = request.headers[Self.name]?.split(separator: ",").last {
      let address = last.withoutOptionalWhitespace
      let isAddress = address.utf8.count <= 45 && address.allSatisfy { $0.isHexDigit || $0 == "." || $0 == ":" }
      context.clientAddress = isAddress ? address : nil
    }
    return try await next(request, context)
  }
}
