// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// One person's application for a bundle.
package struct OnboardingApplication: Sendable {
  package typealias ID = Identifier<OnboardingApplication>

  package let id: ID
  /// Number of the tenant.
  package let tenant: Int
  /// Whose it is: of an application that was begun signed in, or that a user finalised. Nil is anybody's who knows
  /// its id.
  package internal(set) var user: FinapticUser.ID?
  /// Id of the customer that it made.
  package internal(set) var customer: String?
  /// Id of the `ProductBundle`.
  package let bundle: String
  /// Whether an identity has to be verified: false also for a customer whose was, for another bundle (§5.3).
  package let needsKYC: Bool
  package internal(set) var status: ApplicationStatus
  /// Failed validations (§5.5).
  package internal(set) var failures = 0
  /// Why the last validation failed; shown while the status is one of failure.
  package internal(set) var codes: [FailureCode] = []
  let createdAt: Instant
  var version = 0
  /// Sealed in the store.
  package internal(set) var content: Content

  /// What the applicant sent, as the published interface has it, and what was read from the evidence.
  package struct Content: Sendable, Codable, Equatable {
    package var personal: FinapticAPI.PersonalDetails?
    package var contact: FinapticAPI.ContactDetails?
    package var usage: FinapticAPI.AccountUsage?
    package var addresses: [FinapticAPI.Address] = []
    package var consents: [FinapticAPI.Consent] = []
    package var residency: FinapticAPI.Residency?
    package var disclosures: [FinapticAPI.Disclosure] = []
    package var employment: FinapticAPI.Employment?
    package var preferences: Preferences?
    package var evidence = IdentityEvidence()

    package init() {}

    /// Where the applicant lives.
    package var home: FinapticAPI.Address? { addresses.first { $0.type == "HOME" } }
  }

  package struct Preferences: Sendable, Codable, Equatable {
    /// Code of COMMUNICATION_PREFERENCE.
    package var preference: String
    /// Code of LANGUAGE.
    package var language: String?
  }

  /// Whether an update was made, or stands in the application already.
  func has(_ update: UpdateKind) -> Bool {
    switch update {
    case .personalDetails: content.personal != nil
    case .contactDetails: content.contact != nil
    case .accountDetails: content.usage != nil
    case .addresses: content.home != nil
    case .consents: !content.consents.isEmpty
    case .customerResidency: content.residency != nil
    case .disclosures: !content.disclosures.isEmpty
    case .employment: content.employment != nil
    case .communicationPreferences: content.preferences != nil
    }
  }
}

/// The nine updates of an application, named as the wire names their requests (finaptic §3.1).
package enum UpdateKind: String, Sendable, CaseIterable, Codable {
  case personalDetails = "UpdatePersonalDetailsRequest"
  case contactDetails = "UpdateContactDetailsRequest"
  case accountDetails = "UpdateAccountDetailsRequest"
  case addresses = "UpdateAddressesRequest"
  case consents = "UpdateConsentsRequest"
  case customerResidency = "UpdateCustomerResidencyRequest"
  case disclosures = "UpdateDisclosuresRequest"
  case employment = "UpdateEmploymentRequest"
  case communicationPreferences = "UpdateCommunicationPreferencesRequest"

  /// What it does to an application: after a check of identity, what the check rests on stays as it is (§5.2).
  package var event: ApplicationEvent {
    switch self {
    case .personalDetails, .contactDetails, .addresses, .customerResidency: .identityUpdated
    case .accountDetails, .consents, .disclosures, .employment, .communicationPreferences: .detailsUpdated
    }
  }

  /// The updates that a status takes (§5.7).
  package static func permitted(in status: ApplicationStatus) -> [UpdateKind] {
    allCases.filter { applicationFlow.allows($0.event, from: status) }
  }
}
