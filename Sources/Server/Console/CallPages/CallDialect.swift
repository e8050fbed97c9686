// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit

/// How the links of calls say that there is nothing behind them: in words for people.
package struct CallDialect: Dialect {
  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let (title, text) =
      switch problem.category {
      case .notFound, .methodNotAllowed: ("link_none", "link_whole")
      case .rateLimited: ("title_too_many", "link_wait")
      default: ("title_internal", "link_in_a_moment")
      }
    let page = CallProblemPage(title: Phrase(title), text: Phrase(text))
    guard var response = try? page.response(status: problem.status) else { return Response(status: problem.status) }
    if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
