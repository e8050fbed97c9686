// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import OneAssistWire

/// How OneAssist's APIs say that something went wrong: the envelope of §8, towards apps and towards partners.
package struct OneAssistDialect: Dialect {
  /// The parts of the URL space that speak it.
  package static let bases = ["/apigateway", "/OASYS", "/partner/v1"]

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    if problem.category == .unauthenticated, !path.hasPrefix("/apigateway") {
      headers[.wwwAuthenticate] = #"Basic realm="oneassist""#
    }
    // The body holds nothing that cannot be encoded.
    let bytes = (try? WireJSON.encode(Self.body(problem))) ?? Data()
    return Response(status: problem.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static func body(_ problem: Problem) -> OneAssist.Envelope<OneAssist.TaskStatus> {
    let failures =
      problem.fields.isEmpty
      ? [OneAssist.Failure(errorCode: word(problem.code), message: problem.detail)]
      : problem.fields.map {
        OneAssist.Failure(errorCode: word($0.code), message: $0.message, attributeCode: String($0.pointer.dropFirst()))
      }
    let taskStatus = problem.lastStep.map { OneAssist.TaskStatus(taskInfo: .init(status: $0)) }
    return .init(failures, statusCode: problem.status.code, extra: taskStatus)
  }

  /// Codes of the shared modules as this wire writes codes: `not-found` is `NOT_FOUND`.
  private static func word(_ code: String) -> String { code.replacing("-", with: "_").uppercased() }
}
