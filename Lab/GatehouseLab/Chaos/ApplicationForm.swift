// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import Kit

/// One application, as far as the app that fills it in was told of it.
struct ApplicationForm: Sendable {
  /// What an app sends before a validation, in the words in which the server asks for it.
  enum Update: String, Sendable, CaseIterable {
    case personalDetails = "UpdatePersonalDetailsRequest"
    case contactDetails = "UpdateContactDetailsRequest"
    case accountDetails = "UpdateAccountDetailsRequest"
    case addresses = "UpdateAddressesRequest"
    case customerResidency = "UpdateCustomerResidencyRequest"
    case employment = "UpdateEmploymentRequest"
    case consents = "UpdateConsentsRequest"
  }

  /// Steps beside the updates that an answer said were taken.
  enum Step: String, Sendable {
    case documents, selfie, validated, accepted, customer, products
  }

  let id: String
  /// The name is one that the sandbox refuses at the documents.
  var isRefused: Bool
  var updates: Set<Update> = []
  var steps: Set<Step> = []
  /// Names of pictures that the server said it has.
  var pictures: [String] = []
  /// A place whose upload was not answered yet.
  var place: CreateFileUploadUrlResponse?
  /// Validations of documents that were begun under the refused name; some may never have arrived.
  var refusalsAsked = 0

  /// Everything that was told and has to be there.
  var told: Int { updates.count + steps.count + pictures.count }

  static func consents(_ terms: [TermsAndConditions], at now: Date) -> [Consent] {
    terms.map {
      Consent(
        consentType: $0.documentType, consentTimestamp: now, documentNameAndVersion: $0.documentNameAndVersion,
        viewTimestamp: now)
    }
  }

  /// Sends an update with valid details of a person in Toronto.
  func send(_ update: Update, by client: any OnboardingClient, _ terms: [TermsAndConditions]) async throws {
    switch update {
    case .personalDetails:
      let person = PersonalDetails(
        firstName: "Ada", middleName: isRefused ? FinapticBank.refusedName : nil, lastName: "Byron",
        dateOfBirth: Date(timeIntervalSince1970: 400_000_000))
      _ = try await client.updatePersonalDetails(
        request: UpdatePersonalDetailsRequest(onboardingApplicationId: id, customerPersonalDetails: person))
    case .contactDetails:
      let phone = PhoneNumberType(smsCompatible: true, number: "+15141234567")
      _ = try await client.updateContactDetails(
        request: UpdateContactDetailsRequest(
          onboardingApplicationId: id,
          customerContactDetails: ContactDetails(contactPhoneNumber: phone, customerEmail: "ada@example.com")))
    case .accountDetails:
      let usage = AccountUsageDetails(
        accountPurpose: "ACCOUNT_PURPOSE_TRAVELLING", primarySourceOfFunds: ["PRIMARY_SOURCE_OF_FUNDS_GIFTS"],
        authorizedThirdPartyUsage: false)
      _ = try await client.updateAccountDetails(
        request: UpdateAccountDetailsRequest(onboardingApplicationId: id, accountDetails: usage))
    case .addresses:
      let home = Address(
        type: "HOME", line1: "350 Bay Street", locality: "Toronto", area: "Ontario", postalCode: "M5H 2S6",
        country: "Canada")
      _ = try await client.updateAddresses(
        request: UpdateAddressesRequest(onboardingApplicationId: id, addresses: [home]))
    case .customerResidency:
      let residency = CustomerResidency(isCanadianTaxResident: true, citizenship: "CA")
      _ = try await client.updateCustomerResidency(
        request: UpdateCustomerResidencyRequest(onboardingApplicationId: id, residency: residency))
    case .employment:
      let retired = Employment(employmentStatus: "EMPLOYMENT_STATUS_RETIRED")
      _ = try await client.updateEmployment(
        request: UpdateEmploymentRequest(onboardingApplicationId: id, employmentInfo: retired))
    case .consents:
      _ = try await client.updateConsents(
        request: UpdateConsentsRequest(
          onboardingApplicationId: id, consents: Self.consents(terms, at: World.live.now().date)))
    }
  }
}
