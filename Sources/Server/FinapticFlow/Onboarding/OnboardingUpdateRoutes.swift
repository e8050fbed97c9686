import FinapticWire
import Hummingbird
import Kit

/// The nine updates: checked whole, then written down (finaptic §4.1).
struct OnboardingUpdateRoutes {
  private typealias Wire = FinapticAPI

  let service: FinapticService
  let group: RouterGroup<FinapticContext>

  func add() {
    post(
      .updatePersonalDetails, .personalDetails, Wire.UpdatePersonalDetailsRequest.self, \.onboardingApplicationId,
      check: { try $0.personalDetails($1) }
    ) { $1.personal = $0.customerPersonalDetails }
    post(
      .updateContactDetails, .contactDetails, Wire.UpdateContactDetailsRequest.self, \.onboardingApplicationId,
      check: { try $0.contactDetails($1) }
    ) { $1.contact = $0.customerContactDetails }
    post(
      .updateAccountDetails, .accountDetails, Wire.UpdateAccountDetailsRequest.self, \.onboardingApplicationId,
      check: { try $0.accountDetails($1) }
    ) { $1.usage = $0.accountDetails }
    post(
      .updateAddresses, .addresses, Wire.UpdateAddressesRequest.self, \.onboardingApplicationId,
      check: { try $0.addresses($1) }
    ) { $1.addresses = $0.addresses ?? [] }
    post(
      .updateConsents, .consents, Wire.UpdateConsentsRequest.self, \.onboardingApplicationId,
      check: { try $0.consents($1) }
    ) { try $1.add(consents: $0.consents ?? []) }
    post(
      .updateCustomerResidency, .customerResidency, Wire.UpdateCustomerResidencyRequest.self, \.onboardingApplicationId,
      check: { try $0.residency($1) }
    ) { $1.residency = $0.residency }
    post(
      .updateDisclosures, .disclosures, Wire.UpdateDisclosuresRequest.self, \.onboardingApplicationId,
      check: { try $0.disclosures($1) }
    ) { try $1.add(disclosures: $0.disclosures ?? []) }
    post(
      .updateEmployment, .employment, Wire.UpdateEmploymentRequest.self, \.onboardingApplicationId,
      check: { try $0.employment($1) }
    ) { $1.employment = $0.employmentInfo }
    post(
      .updateCommunicationPreferences, .communicationPreferences, Wire.UpdateCommunicationPreferencesRequest.self,
      \.onboardingApplicationId, check: { try $0.communicationPreferences($1) }
    ) {
      $1.preferences = .init(preference: $0.customerCommunicationPref ?? "", language: $0.customerCommunicationLanguage)
    }
  }

  private func post<Body: Codable & Sendable>(
    _ method: FinapticMethod, _ kind: UpdateKind, _ type: Body.Type, _ id: any KeyPath<Body, String?> & Sendable,
    check: @escaping @Sendable (InputRules, Body) throws -> Body,
    write: @escaping @Sendable (Body, inout OnboardingApplication.Content) throws -> Void
  ) {
    group.post(method.route) { [service] request, context in
      let caller = OnboardingService.Caller(context)
      return try await service.change(request, context, type) { [dependencies = service.dependencies] given, tx in
        let kept = try check(
          InputRules(catalogue: dependencies.library.catalogue, now: dependencies.core.world.now()), given)
        return try dependencies.onboardingCommands.update(kind, of: kept[keyPath: id], by: caller, in: tx) {
          try write(kept, &$0)
        }
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
