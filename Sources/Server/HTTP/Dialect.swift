// SPDX-License-Identifier: Apache-2.0

import Hummingbird
import Kit

/// How one system says that something went wrong.
package protocol Dialect: Sendable {
  /// - Parameters:
  ///   - path: of the request, without its query.
  ///   - correlationID: names the request to support.
  func response(for problem: Problem, path: String, correlationID: String) -> Response
}

extension Problem {
  /// Status codes by category (RFC 9110 §15, RFC 4918 §11.2–3, RFC 6585 §4).
  package var status: HTTPResponse.Status {
    switch category {
    case .badRequest: .badRequest
    case .unauthenticated: .unauthorized
    case .forbidden: .forbidden
    case .notFound: .notFound
    case .methodNotAllowed: .methodNotAllowed
    case .requestTimeout: .requestTimeout
    case .conflict: .conflict
    case .gone: .gone
    case .payloadTooLarge: .contentTooLarge
    case .unsupportedMedia: .unsupportedMediaType
    case .unprocessable: .unprocessableContent
    case .locked: HTTPResponse.Status(code: 423, reasonPhrase: "Locked")
    case .rateLimited: .tooManyRequests
    // As proxies count it; no standard has a name for it.
    case .clientGone: HTTPResponse.Status(code: 499, reasonPhrase: "Client Closed Request")
    case .internal: .internalServerError
    case .providerFailed: .badGateway
    case .unavailable: .serviceUnavailable
    case .providerTimedOut: .gatewayTimeout
    }
  }
}
