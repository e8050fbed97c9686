import HTTP
import Hummingbird
import Kit

/// How the console says that something went wrong: on a page.
package struct StaffDialect: Dialect {
  package static let base = StaffRoutes.base

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let title =
      switch problem.category {
      case .notFound, .methodNotAllowed, .gone: "Nothing here"
      case .rateLimited: "Too many tries"
      case .forbidden: problem.code == "form-expired" ? "Once more, please" : "Not for you"
      case .unavailable: "Not now"
      case .internal: "Something went wrong"
      default: "That did not work"
      }
    // A page of constants: without it an empty answer of the right status.
    var response =
      (try? StaffProblemPage(title: title, detail: problem.detail).response(status: problem.status))
      ?? Response(status: problem.status)
    if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
