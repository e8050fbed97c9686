// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation

/// The flow in the order of the documentation.
struct SampleOnboarding {
  let sdk: FinapticSDK
  let choices: SampleChoices

  private var client: any OnboardingClient { sdk.onboardingClient }

  /// - Returns: where the application stands at the end.
  func play() async throws -> ApplicationStatus {
    let begun = try await step("initiateApplication") {
      try await client.initiateApplication(request: InitiateApplicationRequest(bundleId: choices.bundle)).basicDetails
    }
    let id = begun.applicationId
    for verification in begun.verificationNeeded {
      say("  needs \(verification.name): \(verification.requiredUpdates.joined(separator: ", "))")
    }
    try await enter(id, begun)
    let files = try await upload(id)
    let decided = try await decide(id, files)
    guard decided == .kycSuccess else { return decided }
    _ = try await step("acceptApplication") {
      try await client.acceptApplication(request: AcceptApplicationRequest(onboardingApplicationId: id)).basicDetails
    }
    try await signIn()
    return try await finish(id)
  }

  /// What the applicant says.
  private func enter(_ id: String, _ begun: OnboardingOperationResponseDetails) async throws {
    let lists = SampleLists(sdk: sdk)
    _ = try await step("updatePersonalDetails") {
      try await client.updatePersonalDetails(
        request: UpdatePersonalDetailsRequest(onboardingApplicationId: id, customerPersonalDetails: person)
      ).basicDetails
    }
    let phone = PhoneNumberType(smsCompatible: true, number: "+15141234567")
    _ = try await step("updateContactDetails") {
      let contact = ContactDetails(contactPhoneNumber: phone, customerEmail: choices.email)
      return try await client.updateContactDetails(
        request: UpdateContactDetailsRequest(onboardingApplicationId: id, customerContactDetails: contact)
      ).basicDetails
    }
    let usage = AccountUsageDetails(
      accountPurpose: try await lists.first(ReferenceDataTypes.accountPurpose),
      primarySourceOfFunds: [try await lists.first(ReferenceDataTypes.sourceOfFunds)], authorizedThirdPartyUsage: false)
    _ = try await step("updateAccountDetails") {
      try await client.updateAccountDetails(
        request: UpdateAccountDetailsRequest(onboardingApplicationId: id, accountDetails: usage)
      ).basicDetails
    }
    let home = try await lists.address(id, AddressTypes.homeAddressType)
    _ = try await step("updateAddresses") {
      try await client.updateAddresses(request: UpdateAddressesRequest(onboardingApplicationId: id, addresses: [home]))
        .basicDetails
    }
    try await agree(id, begun)
    _ = try await step("updateCustomerResidency") {
      let residency = CustomerResidency(isCanadianTaxResident: true, citizenship: "CA")
      return try await client.updateCustomerResidency(
        request: UpdateCustomerResidencyRequest(onboardingApplicationId: id, residency: residency)
      ).basicDetails
    }
    let employment = Employment(
      employmentStatus: "EMPLOYMENT_STATUS_EMPLOYED", employerName: "Finaptic",
      industry: try await lists.first(ReferenceDataTypes.industry),
      occupation: try await lists.first(ReferenceDataTypes.occupation),
      workAddress: try await lists.address(id, AddressTypes.workAddressType), phoneNumber: phone)
    _ = try await step("updateEmployment") {
      try await client.updateEmployment(
        request: UpdateEmploymentRequest(onboardingApplicationId: id, employmentInfo: employment)
      ).basicDetails
    }
    let preference = try await lists.first(ReferenceDataTypes.communicationPreference)
    _ = try await step("updateCommunicationPreferences") {
      try await client.updateCommunicationPreferences(
        request: UpdateCommunicationPreferencesRequest(
          onboardingApplicationId: id, customerCommunicationPref: preference, customerCommunicationLanguage: nil)
      ).basicDetails
    }
  }

  private var person: PersonalDetails {
    var birth = DateComponents()
    (birth.year, birth.month, birth.day) = (2000, 3, 6)
    return PersonalDetails(
      firstName: choices.firstName, middleName: choices.middleName, lastName: choices.lastName,
      dateOfBirth: Calendar.current.date(from: birth) ?? .distantPast)
  }

  /// Everything that the bundle asks for, as it was shown.
  private func agree(_ id: String, _ begun: OnboardingOperationResponseDetails) async throws {
    let now = Date()
    _ = try await step("updateConsents") {
      let consents = begun.consents.map {
        Consent(
          consentType: $0.documentType, consentTimestamp: now, documentNameAndVersion: $0.documentNameAndVersion,
          viewTimestamp: now)
      }
      return try await client.updateConsents(
        request: UpdateConsentsRequest(onboardingApplicationId: id, consents: consents)
      ).basicDetails
    }
    guard !begun.disclosures.isEmpty else { return }
    _ = try await step("updateDisclosures") {
      let disclosures = begun.disclosures.map {
        Disclosure(
          disclosureType: $0.documentType, timestamp: now, documentNameAndVersion: $0.documentNameAndVersion)
      }
      return try await client.updateDisclosures(
        request: UpdateDisclosuresRequest(onboardingApplicationId: id, disclosures: disclosures)
      ).basicDetails
    }
  }

  private func signIn() async throws {
    let credential = Credential(email: choices.email, password: choices.password)
    say("signUp, signIn")
    try await sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
  }

  private func finish(_ id: String) async throws -> ApplicationStatus {
    _ = try await step("finalizeApplicationCreateCustomer") {
      try await client.finalizeApplicationCreateCustomer(
        request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: id)
      ).basicDetails
    }
    let opened = try await client.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: id))
    for product in opened.products { say("  opened \(product.sourceDomain) \(product.productId)") }
    return opened.basicDetails.onboardingApplicationStatus
  }
}
