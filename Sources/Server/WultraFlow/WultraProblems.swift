// SPDX-License-Identifier: Apache-2.0

import Kit
import PowerAuthCore
import WultraWire

/// What the flow refuses, by the codes of wultra-onboarding.md §5.2. The details are for developers.
extension Problem {
  static func wultra(_ category: Category, _ code: Wultra.ErrorCode, _ detail: String) -> Problem {
    Problem(category, code.rawValue, detail)
  }

  /// There is no such process, or it is not yours, or it is over: one answer for all three.
  static let onboardingFailed = wultra(.badRequest, .onboardingFailed, "There is no such process that goes on.")
  static let otpFailed = wultra(.badRequest, .onboardingOTPFailed, "A code cannot be sent or checked now.")
  static let tooManyProcesses = wultra(.rateLimited, .tooManyProcesses, "Begun too often.")
  static let processLimitReached = wultra(.rateLimited, .processLimitReached, "Too many errors in this process.")
  static let verificationFailed = wultra(
    .badRequest, .verificationFailed, "The call does not fit the state of the verification.")
  static let verificationLimitReached = wultra(
    .rateLimited, .verificationLimitReached, "Too many failed uploads in this verification.")
  static let documentSubmitFailed = wultra(.badRequest, .documentSubmitFailed, "The pictures were not taken.")
  static let presenceCheckFailed = wultra(.badRequest, .presenceCheckFailed, "No presence check can be made now.")
  static let presenceCheckNotEnabled = wultra(.badRequest, .presenceCheckNotEnabled, "There is no presence check here.")
  static let presenceCheckLimitReached = wultra(
    .rateLimited, .presenceCheckLimitReached, "Too many presence checks in this process.")
  static let institutionUnreachable = wultra(
    .conflict, .remoteCommunicationError, "A system behind this server does not answer.")
  static let invalidRequest = wultra(.badRequest, .invalidRequest, "The request could not be read.")

  /// The flow's own names, for its dialect.
  package static let wultraNames: @Sendable (Problem) -> PowerAuthFailure? = { problem in
    let code = Wultra.ErrorCode(rawValue: problem.code)
    return code.isKnown ? PowerAuthFailure(code: problem.code, message: problem.detail) : nil
  }
}
