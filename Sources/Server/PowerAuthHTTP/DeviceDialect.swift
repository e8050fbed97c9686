// SPDX-License-Identifier: Apache-2.0

import Activations
import Foundation
import GatehouseWire
import HTTP
import HTTPTypes
import Hummingbird
import Kit
import PowerAuthCore

/// How routes that devices call answer an error: `{"status": "ERROR", "responseObject": {"code": …,
/// "message": …}}`, never encrypted (powerauth.md §8, wultra-onboarding §1).
package struct DeviceDialect: Dialect {
  private let own: @Sendable (Problem) -> PowerAuthFailure?
  /// Adds the time to what answers an encrypted request, as a member `timestamp` beside the others: without it some
  /// released apps take such an error for an envelope and never read it (wultra-onboarding §1).
  let stampsEncrypted: Bool

  /// - Parameter own: a flow's own names of its problems; nil leaves a problem to the protocol's names.
  package init(stampsEncrypted: Bool = false, own: @escaping @Sendable (Problem) -> PowerAuthFailure? = { _ in nil }) {
    self.stampsEncrypted = stampsEncrypted
    self.own = own
  }

  package func response(for problem: Problem, path: String, correlationID: String) -> Response {
    response(for: problem)
  }

  /// - Parameter timestamp: milliseconds since 1970, for an encrypted request.
  func response(for problem: Problem, pukIndex: Int? = nil, timestamp: Int64? = nil) -> Response {
    // The activation was blocked or removed after its proof was checked: the next one is refused, too.
    let problem = problem.code == Problem.activationStateCode ? .signatureInvalid : problem
    var failure = own(problem) ?? Self.failure(for: problem)
    failure.currentRecoveryPukIndex = pukIndex
    let body = FailureBody(
      responseObject: failure, remainingAttempts: problem.attemptsLeft,
      timestamp: stampsEncrypted ? timestamp : nil)
    var headers: HTTPFields = [.contentType: Self.contentType]
    if let seconds = problem.retryAfterSeconds { headers[.retryAfter] = "\(seconds)" }
    if problem.category == .unauthenticated { headers[.wwwAuthenticate] = "PowerAuth" }
    // Texts and numbers: nothing that cannot be encoded.
    let bytes = (try? WireJSON.encode(body)) ?? Data()
    return Response(status: problem.status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
  }

  static let contentType = "application/json; charset=utf-8"

  /// The protocol's name of what it refuses, or else one that says no more than the HTTP status.
  static func failure(for problem: Problem) -> PowerAuthFailure {
    if let failure = protocolFailures[problem.code] { return failure }
    let code =
      switch problem.category {
      case .internal, .unavailable, .providerFailed, .providerTimedOut: "ERROR_GENERIC"
      case .notFound: "ERROR_NOT_FOUND"
      case .rateLimited: "TOO_MANY_REQUESTS"
      case .unauthenticated, .forbidden: "ERR_AUTHENTICATION"
      default: "INVALID_REQUEST"
      }
    return PowerAuthFailure(code: code, message: problem.code.uppercased().replacing("-", with: "_"))
  }

  private static let protocolFailures: [String: PowerAuthFailure] = [
    Problem.signatureInvalid.code: .signatureInvalid,
    Problem.signatureTypeInvalid.code: .signatureTypeInvalid,
    Problem.tokenInvalid.code: .tokenInvalid,
    Problem.headerMissing.code: .headerMissing,
    Problem.activationUnfit.code: .requestInvalid,
    Problem.activationInvalid.code: .activationInvalid,
    Problem.encryptionFailed.code: .encryptionFailed,
    Problem.temporaryKeyMissing.code: .temporaryKeyMissing,
    Problem.protocolTooOld.code: .versionTooLow,
    Problem.temporaryKeyFailure.code: .temporaryKeyFailure,
    Problem.recoveryInvalid.code: .recoveryInvalid,
    Problem.secureVaultInvalid.code: .secureVaultInvalid,
    Problem.userInfoFailed.code: .userInfoError,
  ]

  private struct FailureBody: Encodable {
    let status = ResponseStatus.error
    let responseObject: PowerAuthFailure
    let remainingAttempts: Int?
    let timestamp: Int64?
  }
}

extension Problem {
  /// A call that has to prove something came without the header that does.
  package static let headerMissing = Problem.unauthenticated("header-missing", "A PowerAuth header is required.")
  /// Proved, but of an activation that this call is not for now, by its flags.
  /// Unauthenticated, as the protocol has it (powerauth.md §8).
  package static let activationUnfit = Problem.unauthenticated(
    "activation-unfit", "This activation may not make this call now.")
  /// The app's networking was written for an earlier version of the protocol than the one that its SDK speaks.
  static let temporaryKeyMissing = Problem(
    .badRequest, "temporary-key-missing",
    "An envelope of 3.3 names its temporary key; networking that does not send it needs protocol 3.2.")
  static let secureVaultInvalid = Problem(.badRequest, "secure-vault-invalid", "The vault was not unlocked.")
  static let userInfoFailed = Problem(.badRequest, "user-info-failed", "Nothing can be said about the user.")
  static let requestUnreadable = Problem(.badRequest, "invalid-request", "The request could not be read.")
}
