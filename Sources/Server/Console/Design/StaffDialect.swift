// SPDX-License-Identifier: Apache-2.0

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
      case .notFound, .methodNotAllowed, .gone: "title_nothing"
      case .rateLimited: "title_too_many"
      case .forbidden: problem.code == "form-expired" ? "title_again" : "title_forbidden"
      case .unavailable: "title_unavailable"
      case .internal: "title_internal"
      default: "title_failed"
      }
    // A page of constants: without it an empty answer of the right status.
    var response =
      (try? StaffProblemPage(title: Phrase(title), detail: Phrase(problem)).response(status: problem.status))
      ?? Response(status: problem.status)
    if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
