import HTTPTypes
import Hummingbird

/// Headers of every answer: no caching unless the answer sets its own, no guessing of types, no frames. An answer to HEAD
/// is its headers alone, also where it is a problem (RFC 9110 §9.3.2).
package struct AnswerHeadersMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private static let referrerPolicy = HTTPField.Name("Referrer-Policy")!

  package init() {}

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    var response = try await next(request, context)
    // What is sent after the headers would be read as the beginning of the next answer.
    if request.method == .head { response = response.createHeadResponse() }
    if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
    response.headers[.xContentTypeOptions] = "nosniff"
    response.headers[Self.referrerPolicy] = "no-referrer"
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = "default-src 'none'; frame-ancestors 'none'"
    }
    return response
  }
}
