// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit

/// Errors of Finaptic's API: one body for all of them (finaptic §2.5, §9).
package struct FinapticDialect: Dialect {
  /// The part of the URL space that speaks it.
  package static let base = FinapticAPI.basePath

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    let (family, code) = Self.code(problem)
    var headers: HTTPFields = [.contentType: "application/json; charset=utf-8"]
    if let seconds = problem.retryAfterSeconds ?? (family == .unavailable ? 1 : nil) {
      headers[.retryAfter] = "\(seconds)"
    }
    if family == .unauthenticated { headers[.wwwAuthenticate] = #"Bearer realm="finaptic""# }
    // The body holds nothing that cannot be encoded.
    let bytes = (try? Self.body(problem, family, code, path, correlationID)) ?? Data()
    // An upload is plain HTTP: 413 and 415 say there what they are (§6.1).
    let isPlain =
      [.methodNotAllowed, .requestTimeout, .clientGone].contains(problem.category)
      || path.hasPrefix(FinapticAPI.uploadsPath + "/")
    let status = isPlain ? problem.status.code : family.httpStatus
    return Response(
      status: HTTPResponse.Status(code: status), headers: headers,
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  /// A refusal as it is kept for a repetition.
  static func stored(_ problem: Problem, path: String, correlationID: String) throws -> StoredAnswer {
    let (family, code) = code(problem)
    return StoredAnswer(
      status: family.httpStatus, contentType: "application/json; charset=utf-8",
      body: try body(problem, family, code, path, correlationID))
  }

  private static func body(
    _ problem: Problem, _ family: FinapticCode, _ code: FinapticCode, _ path: String, _ correlationID: String
  ) throws -> Data {
    let violations = problem.fields.map {
      FinapticAPI.FieldViolation(field: swiftPath($0.pointer), description: $0.message)
    }
    return try WireJSON.encode(
      FinapticAPI.ErrorBody(
        code: family.rawValue, message: message(problem),
        details: .init(
          errorCode: code.rawValue, source: source(path), refNumber: correlationID,
          fieldViolations: violations.isEmpty ? nil : violations)))
  }

  /// Family and most specific code: a Finaptic problem's own, and the nearest for problems of the layers below.
  static func code(_ problem: Problem) -> (family: FinapticCode, code: FinapticCode) {
    let words = problem.code.split(separator: "/", maxSplits: 1).map { FinapticCode(rawValue: String($0)) }
    if words.count == 2, FinapticCode.families.contains(words[0]) { return (words[0], words[1]) }
    let family = family(problem)
    return (family, family)
  }

  private static func family(_ problem: Problem) -> FinapticCode {
    switch problem.category {
    case .badRequest, .payloadTooLarge, .unsupportedMedia, .unprocessable, .requestTimeout, .clientGone:
      .invalidArgument
    case .unauthenticated: .unauthenticated
    case .forbidden: .permissionDenied
    case .notFound: .notFound
    case .methodNotAllowed: .unimplemented
    // The same call is still being worked on: a moment later the same key gets its answer.
    case .conflict: problem.code == "step-in-progress" ? .unavailable : .aborted
    case .gone, .locked: .failedPrecondition
    case .rateLimited: .resourceExhausted
    case .internal: .internal
    case .providerFailed, .unavailable: .unavailable
    case .providerTimedOut: .deadlineExceeded
    }
  }

  private static func message(_ problem: Problem) -> String {
    guard problem.category == .rateLimited, let seconds = problem.retryAfterSeconds else { return problem.detail }
    return "Too many requests; try again in \(seconds) s."
  }

  /// The client whose call it was: `/finaptic/v1/onboarding/…` is `onboarding`.
  private static func source(_ path: String) -> String? {
    guard path.hasPrefix(base + "/") else { return nil }
    let word = path.dropFirst(base.count + 1).prefix { $0 != "/" }
    return word.isEmpty || word.count > 64 ? nil : String(word)
  }

  /// `/addresses/0/postal_code` as an app has it: `addresses[0].postalCode` (finaptic §10.7).
  static func swiftPath(_ pointer: String) -> String {
    var path = ""
    for token in pointer.split(separator: "/") {
      if token.allSatisfy(\.isWholeNumber), !path.isEmpty {
        path += "[\(token)]"
      } else {
        let words = token.replacing("~1", with: "/").replacing("~0", with: "~").split(separator: "_")
        let name = (words.first.map(String.init) ?? "") + words.dropFirst().map(\.capitalizedFirst).joined()
        path += path.isEmpty ? name : ".\(name)"
      }
    }
    return path
  }
}

extension Substring {
  fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

extension FinapticCode {
  /// The category of our own problems that is nearest to a family.
  fileprivate var category: Problem.Category {
    switch self {
    case .failedPrecondition: .gone
    case .unauthenticated: .unauthenticated
    case .permissionDenied: .forbidden
    case .notFound: .notFound
    case .alreadyExists, .aborted: .conflict
    case .resourceExhausted: .rateLimited
    case .unknown, .internal, .dataLoss: .internal
    case .unavailable: .unavailable
    case .deadlineExceeded: .providerTimedOut
    default: .badRequest
    }
  }
}

extension Problem {
  /// A refusal with one of Finaptic's codes.
  /// - Parameters:
  ///   - code: the most specific one.
  ///   - family: where a code has several; nil is its own.
  ///   - fields: pointers into the body, in wire or in Swift names: the answer has Swift names.
  package static func finaptic(
    _ code: FinapticCode, family: FinapticCode? = nil, _ detail: String, fields: [Field] = []
  ) -> Problem {
    let family = family ?? code.family
    return Problem(family.category, "\(family.rawValue)/\(code.rawValue)", detail).with { $0.fields = fields }
  }

  /// What is wrong with the body: all of it at once (finaptic §10.7).
  package static func finapticFields(_ fields: [Field]) -> Problem {
    finaptic(.invalidArgument, "The request is not acceptable.", fields: fields)
  }

  /// An unknown or revoked client key.
  static let clientKeyInvalid = finaptic(.unauthenticated, "The SDK key is not valid.")
  static let signInRequired = finaptic(.unauthenticated, "Sign in first.")
  static let customerRequired = finaptic(.permissionDenied, "Only a customer may do this.")
}

/// Errors of the API for tenants' servers: problem documents (RFC 9457), as in all APIs of our own.
package struct FinapticServerDialect: Dialect {
  package static let base = "/api/v1/finaptic"

  package init() {}

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    ProblemDocument.response(
      for: problem, path: path, correlationID: correlationID, challenge: #"Basic realm="finaptic""#)
  }
}
