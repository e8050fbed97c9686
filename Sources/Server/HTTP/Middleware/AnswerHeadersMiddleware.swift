import HTTPTypes
import Hummingbird

/// Headers of every answer: no caching unless the answer sets its own, no guessing of types, no frames.
package struct AnswerHeadersMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private static let referrerPolicy = HTTPField.Name("Referrer-Policy")!

  package init() {}

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[Self.referrerPolicy] = "no-referrer"
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
    return response
  }
}
