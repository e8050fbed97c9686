import FinapticWire
import Hummingbird
import Kit

/// The nine updates: checked whole, then written down (finaptic §4.1).
struct OnboardingUpdateRoutes: Sendable {
  let room: FinapticService
  private var parts: FinapticDependencies { room.parts }

  private func update<Body: Codable & Sendable>(
    _ request: Request, _ context: FinapticContext, _ kind: UpdateKind, _ type: Body.Type,
    id: @escaping @Sendable (Body) -> String?, check: @escaping @Sendable (InputRules, Body) throws -> Body,
    write: @escaping @Sendable (Body, inout OnboardingApplication.Content) throws -> Void
  ) async throws -> Response {
    let caller = OnboardingService.Caller(context)
    return try await room.change(request, context, type) { [parts] given, tx in
      let kept = try check(InputRules(book: parts.library.book, now: parts.core.world.now()), given)
      return try parts.onboardingCommands.update(kind, of: id(kept), by: caller, in: tx) {
        try write(kept, &$0)
      }
    }
  }

  @Sendable
  func updatePersonalDetails(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .personalDetails, FinapticAPI.UpdatePersonalDetailsRequest.self,
      id: { $0.onboardingApplicationId },
      check: { try $0.personalDetails($1) }
    ) { $1.personal = $0.customerPersonalDetails }
  }

  @Sendable
  func updateContactDetails(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .contactDetails, FinapticAPI.UpdateContactDetailsRequest.self,
      id: { $0.onboardingApplicationId },
      check: { try $0.contactDetails($1) }
    ) { $1.contact = $0.customerContactDetails }
  }

  @Sendable
  func updateAccountDetails(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .accountDetails, FinapticAPI.UpdateAccountDetailsRequest.self,
      id: { $0.onboardingApplicationId },
      check: { try $0.accountDetails($1) }
    ) { $1.usage = $0.accountDetails }
  }

  @Sendable
  func updateAddresses(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .addresses, FinapticAPI.UpdateAddressesRequest.self, id: { $0.onboardingApplicationId },
      check: { try $0.addresses($1) }
    ) { $1.addresses = $0.addresses ?? [] }
  }

  @Sendable
  func updateConsents(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .consents, FinapticAPI.UpdateConsentsRequest.self, id: { $0.onboardingApplicationId },
      check: { try $0.consents($1) }
    ) { try $1.add(consents: $0.consents ?? []) }
  }

  @Sendable
  func updateCustomerResidency(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .customerResidency, FinapticAPI.UpdateCustomerResidencyRequest.self,
      id: { $0.onboardingApplicationId },
      check: { try $0.residency($1) }
    ) { $1.residency = $0.residency }
  }

  @Sendable
  func updateDisclosures(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .disclosures, FinapticAPI.UpdateDisclosuresRequest.self, id: { $0.onboardingApplicationId },
      check: { try $0.disclosures($1) }
    ) { try $1.add(disclosures: $0.disclosures ?? []) }
  }

  @Sendable
  func updateEmployment(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .employment, FinapticAPI.UpdateEmploymentRequest.self, id: { $0.onboardingApplicationId },
      check: { try $0.employment($1) }
    ) { $1.employment = $0.employmentInfo }
  }

  @Sendable
  func updateCommunicationPreferences(_ request: Request, _ context: FinapticContext) async throws -> Response {
    try await update(
      request, context, .communicationPreferences, FinapticAPI.UpdateCommunicationPreferencesRequest.self,
      id: { $0.onboardingApplicationId },
      check: { try $0.communicationPreferences($1) }
    ) {
      $1.preferences = .init(preference: $0.customerCommunicationPref ?? "", language: $0.customerCommunicationLanguage)
    }
  }
}

extension OnboardingApplication.Content {
  /// The same text in the same version is accepted once; the latest word on it counts. Nothing withdraws an earlier one
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
