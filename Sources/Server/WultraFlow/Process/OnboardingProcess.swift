// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import PowerAuthCore
import WultraWire

/// One person's onboarding with one device, from what they say of themselves to a verified activation.
package struct OnboardingProcess: Sendable, Equatable {
  package typealias ID = Identifier<OnboardingProcess>

  package let id: ID
  package let tenant: String
  package internal(set) var status: ProcessStatus
  /// Keyed digest of the normalised identification; what the person said is kept nowhere.
  let identificationDigest: String
  package internal(set) var person: Person
  /// Nil until the device is activated.
  package internal(set) var activation: String?
  var errorScore = 0
  /// Wrong activation codes.
  var activationFailures = 0
  /// The activation code that was promised last.
  var passcode: Passcode.ID?
  package internal(set) var failure: ProcessFailure?
  package let createdAt: Instant
  /// When it fails unless it has come further by then.
  var deadline: Instant
  package internal(set) var version = 1

  /// Who it is about. Sealed.
  package struct Person: Sendable, Codable, Equatable {
    /// As the institution calls the user; nil when it knows none, which the app is not told.
    package var user: String?
    /// BCP 47, of the last request.
    package var language: String
    package var consentRequired: Bool

    /// Of a process that was forgotten, or of which nothing is known yet.
    static let unknown = Person(user: nil, language: "en", consentRequired: false)

    package init(user: String?, language: String, consentRequired: Bool) {
      self.user = user
      self.language = language
      self.consentRequired = consentRequired
    }
  }

  /// Whose key seals what is kept of the process.
  var keySubject: KeySubject { KeySubject(id.rawValue, of: TenantID(WultraModule.name, tenant)) }

  func view(_ policy: WultraPolicy) -> Wultra.ProcessState {
    Wultra.ProcessState(processId: id.rawValue, onboardingStatus: status.wire, config: policy.configuration)
  }

  /// For the activation's code.
  var activationBinding: PasscodeBinding {
    PasscodeBinding(.sms, to: id.rawValue, subject: id.rawValue, purpose: "wultra-activation")
  }
}

extension ProcessStatus {
  var wire: Wultra.OnboardingStatus {
    switch self {
    case .activating: .activationInProgress
    case .verifying: .verificationInProgress
    case .finished: .finished
    case .failed: .failed
    }
  }
}

/// Whatever a person says of themselves, in one spelling: members in order, no blanks (wultra-onboarding.md §2).
struct Identification: Sendable {
  static let bytesMax = 16 * 1024

  let value: JSONValue
  private let normalized: Data

  /// - Throws: `Problem` INVALID_REQUEST for anything but an object with members, or one that is too large.
  init(_ value: JSONValue) throws {
    guard case .object(let members) = value, !members.isEmpty else { throw Problem.invalidRequest }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    normalized = try encoder.encode(value)
    guard normalized.count <= Self.bytesMax else { throw Problem.invalidRequest }
    self.value = value
  }

  /// Keyed, so that a table of digests identifies no person.
  func digest(tenant: String, by vault: Vault) -> String {
    vault.digest("\(tenant)\u{0}\(String(decoding: normalized, as: UTF8.self))", for: "wultra identification")
  }
}
