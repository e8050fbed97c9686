// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import Hummingbird
import Kit

/// How the Rubix API says that something went wrong: problem documents (rubix-onboarding §1.2, RFC 9457).
package struct RubixDialect: Dialect {
  package static let base = "/api/v1/onboarding"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let isPartner = path.hasPrefix(Self.base + "/callback/")
    return ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID,
      challenge: isPartner ? #"Basic realm="callback""# : #"Bearer error="invalid_token""#)
  }

  /// A problem that is kept as the answer to repetitions.
  static func stored(_ problem: Problem, instance: String) throws -> StoredAnswer {
    StoredAnswer(
      status: problem.status.code, contentType: ProblemDetails.mediaType,
      body: try WireJSON.encode(details(problem, instance: instance)))
  }

  static func details(_ problem: Problem, instance: String) -> ProblemDetails {
    ProblemDocument.details(problem, instance: instance)
  }
}
