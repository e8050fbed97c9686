// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Kit
import TestSupport
import Testing

@testable import RubixFlow

@Suite("Rubix: problem documents (13. content type, members, no stack traces, correlation id)", .storeless)
struct RubixDialectTests {
  private static let statuses: [Problem.Category: Int] = [
    .badRequest: 400, .unauthenticated: 401, .forbidden: 403, .notFound: 404, .methodNotAllowed: 405,
    .requestTimeout: 408, .conflict: 409, .clientGone: 499,
    .gone: 410, .payloadTooLarge: 413, .unsupportedMedia: 415, .unprocessable: 422, .locked: 423, .rateLimited: 429,
    .internal: 500, .providerFailed: 502, .unavailable: 503, .providerTimedOut: 504,
  ]

  @Test("every category has its status, in the line and in the document", arguments: Problem.Category.allCases)
  func statuses(category: Problem.Category) throws {
    let problem = Problem(category, "step-out-of-order", "In words.")
    let response = RubixDialect().response(for: problem, path: "/api/v1/onboarding/sessions", correlationID: "c-1")
    #expect(response.status.code == Self.statuses[category])
    #expect(response.headers[.contentType] == "application/problem+json")
    #expect((response.headers[.wwwAuthenticate] != nil) == (category == .unauthenticated))
    #expect(response.headers[.retryAfter] == nil)
    let stored = try RubixDialect.stored(problem, instance: "/api/v1/onboarding/sessions")
    #expect(stored.status == Self.statuses[category] && stored.contentType == "application/problem+json")
    #expect(try WireJSON.decode(ProblemDetails.self, from: stored.body).status == Self.statuses[category])
  }

  @Test("a document has the members that it needs, and no others")
  func members() throws {
    let plain = RubixDialect.details(.notFound, instance: "/api/v1/onboarding/documents/1#c-1")
    #expect(
      try Self.members(plain) == ["type", "title", "status", "detail", "instance", "code"])
    #expect(plain.type.hasSuffix("/problems/not-found") && plain.title == "Not found")
    #expect(plain.instance == "/api/v1/onboarding/documents/1#c-1" && plain.code == .notFound)
    let whole = RubixDialect.details(
      Problem.validation([.init("/a/0", "format", "Wrong.")]).with {
        $0.expectedSteps = ["/sessions"]
        $0.lastStep = "RBX_ONB_STEP_REG_INITIATED"
        $0.retryAfterSeconds = 7
        $0.attemptsLeft = 2
      }, instance: "/x")
    #expect(whole.errors == [ProblemFieldError(field: "/a/0", code: "format", message: "Wrong.")])
    #expect(whole.expectedSteps == ["/sessions"] && whole.lastStep == "RBX_ONB_STEP_REG_INITIATED")
    #expect(whole.retryAfterSeconds == 7 && whole.attemptsLeft == 2)
  }

  @Test("who must wait is told how long in the header as well")
  func retryAfter() {
    let response = RubixDialect().response(
      for: .rateLimited(retryAfterSeconds: 12), path: "/api/v1/onboarding/auth/me", correlationID: "c")
    #expect(response.headers[.retryAfter] == "12")
  }

  @Test("customers are asked for a bearer token, the screening partner for its name and password")
  func challenges() {
    func challenge(_ path: String) -> String? {
      RubixDialect().response(for: .tokenMissing, path: path, correlationID: "c").headers[.wwwAuthenticate]
    }
    #expect(challenge("/api/v1/onboarding/auth/me")?.hasPrefix("Bearer") == true)
    #expect(challenge("/api/v1/onboarding/callback/aml")?.hasPrefix("Basic") == true)
  }

  @Test("an unexpected error reveals no details")
  func unexpected() throws {
    let details = RubixDialect.details(.unexpected, instance: "/x")
    #expect(details.status == 500 && details.code == .internalError)
    #expect(details.detail == Problem.unexpected.detail)
    #expect(try Self.members(details).isDisjoint(with: ["errors", "stack", "cause"]))
  }

  @Test("titles are the same for every occurrence of a code")
  func titles() {
    #expect(RubixDialect.details(Problem(.gone, "otp-expired", "a"), instance: "/").title == "OTP expired")
    #expect(RubixDialect.details(Problem(.badRequest, "invalid-json", "b"), instance: "/").title == "Invalid JSON")
    for code in ProblemCode.known {
      let one = RubixDialect.details(Problem(.conflict, code.rawValue, "one"), instance: "/1")
      let other = RubixDialect.details(Problem(.conflict, code.rawValue, "other"), instance: "/2")
      #expect(one.title == other.title && one.type == other.type && one.code == code)
    }
  }

  private static func members(_ details: ProblemDetails) throws -> Set<String> {
    let object = try JSONSerialization.jsonObject(with: WireJSON.encode(details)) as? [String: Any]
    return Set((object ?? [:]).keys)
  }
}
