// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Hummingbird
import Kit

/// The nine updates: checked whole, then written down (finaptic §4.1).
struct OnboardingUpdateRoutes: Sendable {
  private typealias Wire = FinapticAPI

  let calls: FinapticCalls
  let commands: OnboardingCommands
  let catalogue: ReferenceCatalogue

  func add(to group: RouterGroup<FinapticContext>) {
    post(
      group, .updatePersonalDetails, .personalDetails, Wire.UpdatePersonalDetailsRequest.self,
      \.onboardingApplicationId,
      check: { try $0.personalDetails($1) }
    ) { $1.personal = $0.customerPersonalDetails }
    post(
      group, .updateContactDetails, .contactDetails, Wire.UpdateContactDetailsRequest.self, \.onboardingApplicationId,
      check: { try $0.contactDetails($1) }
    ) { $1.contact = $0.customerContactDetails }
    post(
      group, .updateAccountDetails, .accountDetails, Wire.UpdateAccountDetailsRequest.self, \.onboardingApplicationId,
      check: { try $0.accountDetails($1) }
    ) { $1.usage = $0.accountDetails }
    post(
      group, .updateAddresses, .addresses, Wire.UpdateAddressesRequest.self, \.onboardingApplicationId,
      check: { try $0.addresses($1) }
    ) { $1.addresses = $0.addresses ?? [] }
    post(
      group, .updateConsents, .consents, Wire.UpdateConsentsRequest.self, \.onboardingApplicationId,
      check: { try $0.consents($1) }
    ) { try $1.add(consents: $0.consents ?? []) }
    post(
      group, .updateCustomerResidency, .customerResidency, Wire.UpdateCustomerResidencyRequest.self,
      \.onboardingApplicationId,
      check: { try $0.residency($1) }
    ) { $1.residency = $0.residency }
    post(
      group, .updateDisclosures, .disclosures, Wire.UpdateDisclosuresRequest.self, \.onboardingApplicationId,
      check: { try $0.disclosures($1) }
    ) { try $1.add(disclosures: $0.disclosures ?? []) }
    post(
      group, .updateEmployment, .employment, Wire.UpdateEmploymentRequest.self, \.onboardingApplicationId,
      check: { try $0.employment($1) }
    ) { $1.employment = $0.employmentInfo }
    post(
      group, .updateCommunicationPreferences, .communicationPreferences,
      Wire.UpdateCommunicationPreferencesRequest.self,
      \.onboardingApplicationId, check: { try $0.communicationPreferences($1) }
    ) {
      $1.preferences = .init(preference: $0.customerCommunicationPref ?? "", language: $0.customerCommunicationLanguage)
    }
  }

  private func post<Body: Codable & Sendable>(
    _ group: RouterGroup<FinapticContext>, _ method: FinapticMethod, _ kind: UpdateKind, _ type: Body.Type,
    _ id: any KeyPath<Body, String?> & Sendable,
    check: @escaping @Sendable (InputRules, Body) throws -> Body,
    write: @escaping @Sendable (Body, inout OnboardingApplication.Content) throws -> Void
  ) {
    group.post(method.route) { request, context in
      let call = try await calls.read(request, context, type)
      return try await calls.core.database.writeOnce { tx in
        if let earlier = try calls.claim(call, in: tx) { return earlier }
        let kept = try check(InputRules(catalogue: catalogue, now: calls.core.world.now()), call.body)
        let view = try commands.update(kind, of: kept[keyPath: id], by: .init(context), in: tx) { try write(kept, &$0) }
        return try calls.keep(view, for: call, in: tx)
      }
    }
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
