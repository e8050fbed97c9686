// SPDX-License-Identifier: Apache-2.0

import Foundation
import PowerAuthCore

/// The port to the institution that knows its users (wultra-onboarding.md §5.3). Every call may come twice: the outbox
/// repeats, under the same `id`.
///
/// All throw when the institution cannot be asked; what it answers is a value.
package struct OnboardingAdapter: Sendable {
  /// Whether there is anybody to ask.
  package var isConfigured = true
  package var lookUp: @Sendable (UserLookup) async throws -> UserLookup.Answer
  package var sendOTP: @Sendable (_ message: OTPMessage, _ id: String) async throws -> Void
  package var consentText: @Sendable (ConsentQuery) async throws -> ConsentAnswer
  package var storeConsent: @Sendable (_ decision: ConsentDecision, _ id: String) async throws -> Void
  package var evaluate: @Sendable (_ client: ClientQuery, _ id: String) async throws -> ClientVerdict
  package var tell: @Sendable (_ notice: ProcessStatusNotice, _ id: String) async throws -> Void

  package init(
    lookUp: @escaping @Sendable (UserLookup) async throws -> UserLookup.Answer,
    sendOTP: @escaping @Sendable (OTPMessage, String) async throws -> Void,
    consentText: @escaping @Sendable (ConsentQuery) async throws -> ConsentAnswer,
    storeConsent: @escaping @Sendable (ConsentDecision, String) async throws -> Void,
    evaluate: @escaping @Sendable (ClientQuery, String) async throws -> ClientVerdict,
    tell: @escaping @Sendable (ProcessStatusNotice, String) async throws -> Void
  ) {
    self.lookUp = lookUp
    self.sendOTP = sendOTP
    self.consentText = consentText
    self.storeConsent = storeConsent
    self.evaluate = evaluate
    self.tell = tell
  }

  /// The institution does not answer, or not in a way that is understood. Repeating may help.
  package struct Unavailable: Error, Sendable, Equatable {
    package init() {}
  }

  /// No institution is configured: onboarding is switched off.
  package static let unconfigured: OnboardingAdapter = {
    var adapter = OnboardingAdapter(
      lookUp: { _ in throw Unavailable() }, sendOTP: { _, _ in throw Unavailable() },
      consentText: { _ in throw Unavailable() }, storeConsent: { _, _ in throw Unavailable() },
      evaluate: { _, _ in throw Unavailable() }, tell: { _, _ in })
    adapter.isConfigured = false
    return adapter
  }()
}

/// Asks who a person is.
package struct UserLookup: Sendable, Codable {
  /// As the app sent it.
  package let identification: JSONValue
  /// Nil before a process is known.
  package let processId: String?
  package let language: String
  package let fdsData: [String: JSONValue]?

  package enum Answer: Sendable, Equatable {
    case known(user: String, consentRequired: Bool)
    case unknown
  }
}

/// A code on its way to its reader.
package struct OTPMessage: Sendable, Codable {
  package enum Kind: String, Sendable, Codable {
    case activation = "ACTIVATION"
    case userVerification = "USER_VERIFICATION"
  }

  package let processId: String
  package let userId: String
  package let otpCode: String
  package let otpType: Kind
  package let resend: Bool
  package let language: String
}

package struct ConsentQuery: Sendable, Codable {
  package let processId: String
  package let userId: String?
  package let consentType: String
  package let language: String
}

/// A consent's words, before anything is taken out of them.
package struct ConsentAnswer: Sendable, Codable, Equatable {
  package let consentText: String
  /// As the institution numbers its texts; nil is named by its digest.
  package let version: String?

  package init(consentText: String, version: String? = nil) {
    self.consentText = consentText
    self.version = version
  }
}

package struct ConsentDecision: Sendable, Codable {
  package let processId: String
  package let userId: String?
  package let consentType: String
  package let approved: Bool
  package let version: String?
  package let language: String?
  /// RFC 3339.
  package let decidedAt: String
}

package struct ClientQuery: Sendable, Codable {
  package let processId: String
  package let userId: String
  package let verificationId: String
}

package enum ClientVerdict: String, Sendable, Codable {
  case accepted = "ACCEPTED"
  case rejected = "REJECTED"
}

/// How far a process has come.
package struct ProcessStatusNotice: Sendable, Codable {
  package let processId: String
  package let userId: String?
  package let status: String
  /// See `ProcessFailure`.
  package let reason: String?
}
