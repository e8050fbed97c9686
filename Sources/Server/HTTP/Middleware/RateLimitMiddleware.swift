// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import Hummingbird
import Kit

/// Says in each answer what is left of the caller's own limits (draft-ietf-httpapi-ratelimit-headers-10):
/// `RateLimit-Policy: "name";q=quota;w=seconds` and `RateLimit: "name";r=left;t=seconds until it is whole again`.
package struct RateLimitMiddleware: RouterMiddleware {
  package typealias Context = PublicContext

  static let policy = HTTPField.Name("RateLimit-Policy")!
  static let limit = HTTPField.Name("RateLimit")!

  package init() {}

  package func handle(
    _ request: Request, context: PublicContext, next: (Request, PublicContext) async throws -> Response
  ) async throws -> Response {
    let ledger = RateUsage()
    var response = try await RateUsage.$current.withValue(ledger) { try await next(request, context) }
    let usages = ledger.usages
    guard !usages.isEmpty else { return response }
    response.headers[Self.policy] = usages.map {
      "\(Self.name($0));q=\($0.policy.count);w=\(max(1, $0.policy.window.components.seconds))"
    }.joined(separator: ", ")
    response.headers[Self.limit] = usages.map { "\(Self.name($0));r=\($0.remaining);t=\($0.resetSeconds)" }
      .joined(separator: ", ")
    return response
  }

  /// As a string of structured fields (RFC 9651 §3.3.3). Names of limits are ours and hold nothing to escape.
  private static func name(_ usage: RateLimit.Usage) -> String { "\"\(usage.policy.name)\"" }
}
