// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit
import WultraWire

/// The numbers of wultra-onboarding.md §5.1, and what an institution chooses.
package struct WultraPolicy: Sendable {
  // MARK: Codes
  package var otpLength = 8
  package var otpLifetime = Duration.minutes(5)
  /// Wrong codes of one kind, over all codes of a process or a verification.
  package var otpFailuresMax = 5
  package var otpResendPeriod = Duration.seconds(30)
  /// Codes of one process in an hour: each is a message that costs money.
  package var otpSendsPerHour = 20

  /// Whether two persons decide on a review (four eyes).
  package var reviewsNeedTwo = false
  /// Whether two persons let a blocked device in again at the desk.
  package var unblocksNeedTwo = false

  // MARK: Time
  package var processLifetime = Duration.hours(3)
  /// From the beginning of the process until the device is activated.
  package var activationLifetime = Duration.minutes(5)
  /// From the beginning of the process until the person is verified.
  package var verificationLifetime = Duration.hours(1)
  /// How long the documents that are still needed may take when every picture so far is accepted. Released apps keep the
  /// user's choice to themselves: with too few documents chosen they have nothing to scan, and only the end of the
  /// verification lets the user choose again.
  package var uploadPatience = Duration.minutes(15)
  /// Pictures and what was read of them go so long after the verification has ended.
  package var retention = Duration.hours(1)
  /// Whose an ended process was is forgotten so long after it ended.
  package var personRetention = Duration.days(30)
  /// How long after a process failed its activation goes: the app asks once more how it stands.
  package var removalDelay = Duration.seconds(60)

  // MARK: Counts
  /// Processes that a user may begin in `processWindow`.
  package var processesMax = 5
  package var processWindow = Duration.hours(24)
  /// A process with a higher score has failed.
  package var errorScoreMax = 15
  package var verificationsMax = 5
  package var failedUploadsMax = 5
  package var presenceChecksMax = 5
  package var evaluationsMax = 5
  /// Beginnings from one network in ten minutes; nil for any number.
  package var startsPerNetwork: Int? = 60

  // MARK: Documents
  /// At least one of these is needed.
  package var primaryDocuments: [IdentityDocument] = [.idCard]
  package var distinctDocuments = 2
  package var selfieWidthMin = 400
  /// In years; nil for none.
  package var minimumAge: Int? = 18
  /// Documents of Utopia pass: in sandboxes only.
  package var acceptsSpecimens = false

  // MARK: Phases
  package var checksPresence = true
  package var asksOTP = true
  /// Codes can be asked for over the API.
  package var isSandbox = false

  package init() {}

  /// What an error adds to a process's score.
  enum Score: Int {
    case activationOTPFailed = 1
    case userVerificationOTPFailed = 2
    case verificationReset = 3

    static let documentFailed = 1
    static let documentRejected = 2
  }

  /// For the passcodes of this flow: they count sends and spacing by process, the flow counts wrong codes itself.
  package var passcodes: PasscodePolicy {
    var policy = PasscodePolicy()
    policy.codeLength = otpLength
    policy.lifetimeSMS = otpLifetime
    policy.requestLifetime = otpLifetime
    policy.triesMax = otpFailuresMax
    policy.wrongMax = .max
    policy.spacing = [otpResendPeriod]
    policy.sendsPerHour = otpSendsPerHour
    policy.sendsPerDay = otpSendsPerHour * 3
    return policy
  }

  var configuration: Wultra.ProcessConfiguration {
    let seconds = otpResendPeriod.wholeSeconds
    return Wultra.ProcessConfiguration(otpResendPeriod: "PT\(seconds)S", otpResendPeriodSeconds: seconds)
  }
}
