// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit

/// How the demonstration bank says that something went wrong: on a page.
package struct DemoBankDialect: Dialect {
  package static let base = DemoBankRoutes.base

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let title =
      switch problem.category {
      case .notFound, .gone: "Nothing here"
      case .rateLimited: "Too many tries"
      case .forbidden: "Once more, please"
      case .unavailable, .providerFailed, .providerTimedOut: "Not now"
      case .internal: "Something went wrong"
      default: "That did not work"
      }
    // A page of constants: without it an empty answer of the right status.
    var response =
      (try? DemoBankProblemPage(title: title, detail: problem.detail).response(status: problem.status))
      ?? Response(status: problem.status)
    if let seconds = problem.retryAfterSeconds { response.headers[.retryAfter] = "\(seconds)" }
    return response
  }
}
