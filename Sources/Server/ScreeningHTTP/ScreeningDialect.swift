// SPDX-License-Identifier: Apache-2.0

import HTTP
import Hummingbird
import Kit

/// How the screening API answers an error: by problem documents (RFC 9457), as every API of our own.
package struct ScreeningDialect: Dialect {
  package static let base = "/v1/screening"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID, challenge: #"Basic realm="screening""#)
  }
}
