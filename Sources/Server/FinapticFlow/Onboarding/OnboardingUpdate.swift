// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit

/// One of the nine updates of an application.
protocol OnboardingUpdate: Codable, Sendable {
  static var kind: UpdateKind { get }

  var onboardingApplicationId: String? { get }

  /// The same in the form in which it is stored.
  /// - Throws: `Problem` that names the members that break a rule.
  func checked(by rules: InputRules) throws -> Self
  /// - Precondition: it is checked.
  /// - Throws: `Problem` resource exhausted.
  func write(to content: inout OnboardingApplication.Content) throws
}

extension FinapticAPI.UpdatePersonalDetailsRequest: OnboardingUpdate {
  static var kind: UpdateKind { .personalDetails }

  func checked(by rules: InputRules) throws -> Self { try rules.personalDetails(self) }
  func write(to content: inout OnboardingApplication.Content) { content.personal = customerPersonalDetails }
}

extension FinapticAPI.UpdateContactDetailsRequest: OnboardingUpdate {
  static var kind: UpdateKind { .contactDetails }

  func checked(by rules: InputRules) throws -> Self { try rules.contactDetails(self) }
  func write(to content: inout OnboardingApplication.Content) { content.contact = customerContactDetails }
}

extension FinapticAPI.UpdateAccountDetailsRequest: OnboardingUpdate {
  static var kind: UpdateKind { .accountDetails }

  func checked(by rules: InputRules) throws -> Self { try rules.accountDetails(self) }
  func write(to content: inout OnboardingApplication.Content) { content.usage = accountDetails }
}

extension FinapticAPI.UpdateAddressesRequest: OnboardingUpdate {
  static var kind: UpdateKind { .addresses }

  func checked(by rules: InputRules) throws -> Self { try rules.addresses(self) }
  func write(to content: inout OnboardingApplication.Content) { content.addresses = addresses ?? [] }
}

extension FinapticAPI.UpdateConsentsRequest: OnboardingUpdate {
  static var kind: UpdateKind { .consents }

  func checked(by rules: InputRules) throws -> Self { try rules.consents(self) }
  func write(to content: inout OnboardingApplication.Content) throws { try content.add(consents: consents ?? []) }
}

extension FinapticAPI.UpdateCustomerResidencyRequest: OnboardingUpdate {
  static var kind: UpdateKind { .customerResidency }

  func checked(by rules: InputRules) throws -> Self { try rules.residency(self) }
  func write(to content: inout OnboardingApplication.Content) { content.residency = residency }
}

extension FinapticAPI.UpdateDisclosuresRequest: OnboardingUpdate {
  static var kind: UpdateKind { .disclosures }

  func checked(by rules: InputRules) throws -> Self { try rules.disclosures(self) }
  func write(to content: inout OnboardingApplication.Content) throws {
    try content.add(disclosures: disclosures ?? [])
  }
}

extension FinapticAPI.UpdateEmploymentRequest: OnboardingUpdate {
  static var kind: UpdateKind { .employment }

  func checked(by rules: InputRules) throws -> Self { try rules.employment(self) }
  func write(to content: inout OnboardingApplication.Content) { content.employment = employmentInfo }
}

extension FinapticAPI.UpdateCommunicationPreferencesRequest: OnboardingUpdate {
  static var kind: UpdateKind { .communicationPreferences }

  func checked(by rules: InputRules) throws -> Self { try rules.communicationPreferences(self) }
  func write(to content: inout OnboardingApplication.Content) {
    content.preferences = .init(preference: customerCommunicationPref ?? "", language: customerCommunicationLanguage)
  }
}

extension OnboardingApplication.Content {
  /// The same text in the same version is accepted once; the latest answer counts. Nothing withdraws an earlier one
  /// (§5.4).
  /// - Throws: `Problem` resource exhausted.
  mutating func add(consents added: [FinapticAPI.Consent]) throws {
    for consent in added {
      consents.removeAll {
        ($0.consentType, $0.documentNameAndVersion) == (consent.consentType, consent.documentNameAndVersion)
      }
      consents.append(consent)
    }
    guard consents.count <= Self.textsMax else { throw Self.tooMany }
  }

  /// - Throws: `Problem` resource exhausted.
  mutating func add(disclosures added: [FinapticAPI.Disclosure]) throws {
    for disclosure in added {
      disclosures.removeAll {
        ($0.disclosureType, $0.documentNameAndVersion) == (disclosure.disclosureType, disclosure.documentNameAndVersion)
      }
      disclosures.append(disclosure)
    }
    guard disclosures.count <= Self.textsMax else { throw Self.tooMany }
  }

  /// Texts that one application keeps: many more than any bundle has.
  private static let textsMax = 200
  private static var tooMany: Problem {
    .finaptic(.resourceExhausted, "An application keeps \(textsMax) consents and as many disclosures.")
  }
}
