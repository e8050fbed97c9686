// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit

/// One try at verifying who a person is, within a process.
package struct IdentityVerification: Sendable, Equatable {
  package typealias ID = Identifier<IdentityVerification>

  package let id: ID
  package let process: OnboardingProcess.ID
  package internal(set) var state: VerificationState
  package internal(set) var failure: ProcessFailure?
  /// The code that was promised last.
  var passcode: Passcode.ID?
  /// Wrong codes.
  var otpFailures = 0
  var isOTPVerified = false
  /// What came of the presence check; nil until it is judged, and again when it is repeated.
  var presence: PresenceResult?
  var presenceChecks = 0
  /// Keyed digest of the running presence session's token.
  var sessionDigest: String?
  var sessionEndsAt: Instant?
  var evaluations = 0
  package let createdAt: Instant
  package internal(set) var version = 1

  /// For the code that ends the verification. Each presence check is followed by a code of its own.
  var binding: PasscodeBinding {
    PasscodeBinding(.sms, to: otpDestination, subject: id.rawValue, purpose: "wultra-verification")
  }

  var otpDestination: String { "\(id.rawValue)/\(presenceChecks)" }
}
