import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// How the Rubix API says that something went wrong: problem documents (rubix-onboarding §1.2, RFC 9457).
package struct RubixDialect: Dialect {
  package static let base = "/api/v1/onboarding"
  static let typeBase = "https://gatehouse.example/problems/"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    var headers: HTTPFields = [.contentType: ProblemDetails.mediaType]
    if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    if problem.category == .unauthenticated {
      let isPartner = path.hasPrefix(Self.base + "/callback/")
      headers[.wwwAuthenticate] = isPartner ? #"Basic realm="callback""# : #"Bearer error="invalid_token""#
    }
    let details = Self.details(problem, instance: "\(path)#\(correlationID)")
    // The document holds nothing that cannot be encoded.
    let body = (try? WireJSON.encode(details)) ?? Data()
    return Response(status: problem.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }

  /// A problem that is kept as the answer to repetitions.
  static func stored(_ problem: Problem, instance: String) throws -> StoredAnswer {
    StoredAnswer(
      status: problem.status.code, contentType: ProblemDetails.mediaType,
      body: try WireJSON.encode(details(problem, instance: instance)))
  }

  static func details(_ problem: Problem, instance: String) -> ProblemDetails {
    var details = ProblemDetails(
      type: typeBase + problem.code, title: title(problem), status: problem.status.code, detail: problem.detail,
      instance: instance, code: ProblemCode(rawValue: problem.code))
    details.errors =
      problem.fields.isEmpty
      ? nil : problem.fields.map { ProblemFieldError(field: $0.pointer, code: $0.code, message: $0.message) }
    details.expectedSteps = problem.expectedSteps
    details.lastStep = problem.lastStep.map(OnboardingStep.init(rawValue:))?.rawValue
    details.retryAfterSeconds = problem.retryAfterSeconds
    details.attemptsLeft = problem.attemptsLeft
    return details
  }

  /// The same for every occurrence of a code.
  private static func title(_ problem: Problem) -> String {
    let words = problem.code.replacing("-", with: " ").replacing("otp", with: "OTP").replacing("json", with: "JSON")
    return words.prefix(1).uppercased() + words.dropFirst()
  }
}
