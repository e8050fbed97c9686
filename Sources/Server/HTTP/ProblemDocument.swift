// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTPTypes
import Hummingbird
import Kit

/// A problem as `application/problem+json` (RFC 9457): what our own APIs answer (rubix-onboarding §1.2).
package enum ProblemDocument {
  static let typeBase = "https://gatehouse.example/problems/"

  /// - Parameter instance: a URI reference to this occurrence.
  package static func details(_ problem: Problem, instance: String) -> ProblemDetails {
    var details = ProblemDetails(
      type: typeBase + problem.code, title: title(problem), status: problem.status.code, detail: problem.detail,
      instance: instance, code: ProblemCode(rawValue: problem.code))
    details.errors =
      problem.fields.isEmpty
      ? nil : problem.fields.map { ProblemFieldError(field: $0.pointer, code: $0.code, message: $0.message) }
    details.expectedSteps = problem.expectedSteps
    details.lastStep = problem.lastStep
    details.retryAfterSeconds = problem.retryAfterSeconds
    details.attemptsLeft = problem.attemptsLeft
    return details
  }

  /// - Parameter challenge: how to authenticate, in the answer to a client that did not (RFC 9110 §11.6.1).
  package static func response(
    for problem: Problem, path: String, correlationID: String, challenge: @autoclosure () -> String
  ) -> Response {
    var headers: HTTPFields = [.contentType: ProblemDetails.mediaType]
    if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    if problem.category == .unauthenticated { headers[.wwwAuthenticate] = challenge() }
    // The document holds nothing that cannot be encoded.
    let body = (try? WireJSON.encode(details(problem, instance: "\(path)#\(correlationID)"))) ?? Data()
    return Response(status: problem.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// The same for every occurrence of a code.
  private static func title(_ problem: Problem) -> String {
    let words = problem.code.replacing("-", with: " ").replacing("otp", with: "OTP").replacing("json", with: "JSON")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
