import HTTP
import Hummingbird
import Kit

/// How the back-end API says that something went wrong: problem documents (RFC 9457), as all APIs of our own.
package struct BackEndDialect: Dialect {
  package static let base = "/api/v1/powerauth"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID, challenge: #"Basic realm="powerauth""#)
  }
}
