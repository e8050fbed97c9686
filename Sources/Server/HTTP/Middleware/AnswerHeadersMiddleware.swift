// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird

/// Headers of every answer: no caching unless the answer sets its own, no guessing of types, no frames, no camera, no
/// window that another site holds. An answer to HEAD is its headers alone, also where it is a problem
/// (RFC 9110 §9.3.2).
package struct AnswerHeadersMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  private static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
  private static let openerPolicy = HTTPField.Name("Cross-Origin-Opener-Policy")!

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
    // A page of another site that opens one of ours in a window could lead that window elsewhere later, such as to a
    // page that looks like the one where staff sign in (HTML §7.1.3).
    response.headers[Self.openerPolicy] = "same-origin"
    // Only the page of a call may ask for camera and microphone, and it sets the header by itself.
    if response.headers[.permissionsPolicy] == nil { response.headers[.permissionsPolicy] = "camera=(), microphone=()" }
    if response.headers[.contentSecurityPolicy] == nil {
      response.headers[.contentSecurityPolicy] = .barePolicy
    }
    return response
  }
}

extension String {
  /// The content policy of an answer that loads, frames and sends nothing (CSP Level 3). `default-src` does not cover the
  /// last three rules.
  package static let barePolicy =
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

extension HTTPField.Name {
  /// Which parts of a browser a page may use (Permissions Policy).
  package static let permissionsPolicy = Self("Permissions-Policy")!
}
