// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import SaltEdgeWire

/// How the Authenticator's APIs say that something went wrong: `{"error_class": …, "error_message": …}`
/// (saltedge-authenticator §2, §6), towards devices and towards banks.
package struct SaltEdgeDialect: Dialect {
  /// The core of the URL space that speak it.
  package static let bases = ["/api/authenticator", "/api/sca/v1", V1Routes.base]

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let body = Self.body(problem)
    var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    // Malformed and unacceptable are one class with one status here.
    let status = problem.category == .unprocessable ? HTTPResponse.Status.badRequest : problem.status
    // The body holds nothing that cannot be encoded.
    let bytes = (try? WireJSON.encode(body)) ?? Data()
    return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static func body(_ problem: Problem) -> SaltEdge.ErrorBody {
    let own = SaltEdge.ErrorClass(rawValue: problem.code)
    guard !own.isKnown else { return .init(errorClass: own, message: problem.detail) }
    let name =
      switch problem.category {
      case .badRequest, .unprocessable, .payloadTooLarge, .unsupportedMedia, .conflict, .requestTimeout, .clientGone:
        "WrongRequestFormat"
      case .rateLimited: "TooManyRequests"
      case .notFound, .methodNotAllowed: "NotFound"
      case .providerFailed, .providerTimedOut: "ProviderUnavailable"
      case .unavailable: "ServiceUnavailable"
      // The one thing that a proved caller may not do.
      case .forbidden: "ProviderSuspended"
      default: "InternalServerError"
      }
    return .init(errorClass: .init(rawValue: name), message: problem.detail)
  }
}
