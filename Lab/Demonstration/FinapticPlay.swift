// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseApp
import GatehouseTransport

/// One applicant with an app over the SDK: each call answers how the application then stands.
struct FinapticPlay: Sendable {
  struct Pictures: Sendable {
    let front: Data
    let back: Data
    let face: Data
  }

  struct Refused: Error, CustomStringConvertible {
    let description: String
  }

  let sdk: FinapticSDK
  let pictures: Pictures
  let email: String
  /// What the clock of server and phone shows.
  let now: @Sendable () -> Date

  static let password = "Quartz7Lantern"
  /// The published sample's own.
  static let bundle = "prepaidV1"

  func initiate() async throws -> OnboardingOperationResponseDetails {
    try await sdk.onboardingClient.initiateApplication(request: .init(bundleId: Self.bundle)).basicDetails
  }

  /// The first choice of a list, as a person in a hurry takes it.
  func first(_ type: String) async throws -> String {
    let list = try await sdk.referenceDataClient.getReferenceDataByType(
      request: .init(dataType: type, locale: "EN_CA"))
    guard let first = list.data.first else { throw Refused(description: "\(type) has no codes") }
    return first.code
  }

  func personal(_ id: String, middleName: String) async throws -> OnboardingOperationResponseDetails {
    guard let birth = Calendar.current.date(from: DateComponents(year: 2000, month: 3, day: 6)) else {
      throw Refused(description: "no such day")
    }
    return try await sdk.onboardingClient.updatePersonalDetails(
      request: .init(
        onboardingApplicationId: id,
        customerPersonalDetails: .init(
          firstName: "Thomas", middleName: middleName, lastName: "More", dateOfBirth: birth))
    ).basicDetails
  }

  func contact(_ id: String) async throws -> OnboardingOperationResponseDetails {
    try await sdk.onboardingClient.updateContactDetails(
      request: .init(
        onboardingApplicationId: id,
        customerContactDetails: .init(
          contactPhoneNumber: .init(smsCompatible: true, number: "+15141234567"), customerEmail: email))
    ).basicDetails
  }

  func account(_ id: String) async throws -> OnboardingOperationResponseDetails {
    let details = AccountUsageDetails(
      accountPurpose: try await first(ReferenceDataTypes.accountPurpose),
      primarySourceOfFunds: [try await first(ReferenceDataTypes.sourceOfFunds)], authorizedThirdPartyUsage: false)
    return try await sdk.onboardingClient.updateAccountDetails(
      request: .init(onboardingApplicationId: id, accountDetails: details)
    ).basicDetails
  }

  /// The first address that is suggested for what the published sample types.
  func suggested(_ id: String, _ type: String) async throws -> Address {
    let answer = try await sdk.addressClient.getSuggestions(
      request: .init(onboardingApplicationId: id, pattern: "123", addressType: type))
    guard let first = answer.suggestions.first else { throw Refused(description: "no address is suggested") }
    return first
  }

  func addresses(_ id: String) async throws -> OnboardingOperationResponseDetails {
    let home = try await suggested(id, AddressTypes.homeAddressType)
    return try await sdk.onboardingClient.updateAddresses(
      request: .init(onboardingApplicationId: id, addresses: [home])
    ).basicDetails
  }

  func consents(
    _ id: String, _ asked: [TermsAndConditions]
  ) async throws -> OnboardingOperationResponseDetails {
    let now = now()
    return try await sdk.onboardingClient.updateConsents(
      request: .init(
        onboardingApplicationId: id,
        consents: asked.map {
          Consent(
            consentType: $0.documentType, consentTimestamp: now, documentNameAndVersion: $0.documentNameAndVersion,
            viewTimestamp: now)
        })
    ).basicDetails
  }

  func residency(_ id: String) async throws -> OnboardingOperationResponseDetails {
    try await sdk.onboardingClient.updateCustomerResidency(
      request: .init(
        onboardingApplicationId: id,
        residency: .init(isCanadianTaxResident: true, otherResidences: nil, sinToken: nil, citizenship: "CA"))
    ).basicDetails
  }

  func disclosures(
    _ id: String, _ asked: [TermsAndConditions]
  ) async throws -> OnboardingOperationResponseDetails {
    try await sdk.onboardingClient.updateDisclosures(
      request: .init(
        onboardingApplicationId: id,
        disclosures: asked.map {
          Disclosure(
            disclosureType: $0.documentType, timestamp: now(), documentNameAndVersion: $0.documentNameAndVersion)
        })
    ).basicDetails
  }

  func employment(_ id: String) async throws -> OnboardingOperationResponseDetails {
    let employment = Employment(
      employmentStatus: try await first(ReferenceDataTypes.employmentStatus), employerName: "Finaptic",
      industry: try await first(ReferenceDataTypes.industry),
      occupation: try await first(ReferenceDataTypes.occupation),
      workAddress: try await suggested(id, AddressTypes.workAddressType),
      phoneNumber: .init(smsCompatible: true, number: "+15141234567"))
    return try await sdk.onboardingClient.updateEmployment(
      request: .init(onboardingApplicationId: id, employmentInfo: employment)
    ).basicDetails
  }

  func preferences(_ id: String) async throws -> OnboardingOperationResponseDetails {
    let (way, language) = (
      try await first(ReferenceDataTypes.communicationPreference), try await first(ReferenceDataTypes.language)
    )
    return try await sdk.onboardingClient.updateCommunicationPreferences(
      request: .init(
        onboardingApplicationId: id, customerCommunicationPref: way, customerCommunicationLanguage: language)
    ).basicDetails
  }

  // MARK: Pictures

  /// Uploads a picture as an app does: a name and an address first, then the bytes.
  func upload(_ picture: Data, _ id: String) async throws -> String {
    let place = try await sdk.onboardingClient.createFileUploadURL(request: .init(onboardingApplicationId: id))
    guard let url = URL(string: place.uploadUrl) else { throw Refused(description: "no upload address") }
    let answer = try await HTTPTransport.live().send(
      TransportRequest(method: "PUT", url: url, headers: ["Content-Type": "image/jpeg"], body: picture))
    guard (200..<300).contains(answer.status) else {
      throw Refused(description: "the picture was refused: \(answer.status)")
    }
    return place.filename
  }

  func documents(_ id: String) async throws -> OnboardingOperationResponseDetails {
    let (front, back) = (try await upload(pictures.front, id), try await upload(pictures.back, id))
    return try await sdk.onboardingClient.validateDocuments(
      request: .init(
        onboardingApplicationId: id,
        documentDetails: [
          .init(
            documentType: "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE", documentCountry: "CA", frontImageFileName: front,
            backImageFileName: back, documentState: "ON")
        ])
    ).basicDetails
  }

  func selfie(_ id: String) async throws -> OnboardingOperationResponseDetails {
    let name = try await upload(pictures.face, id)
    return try await sdk.onboardingClient.validateSelfie(request: .init(onboardingApplicationId: id, fileName: name))
      .basicDetails
  }

  func decide(_ id: String) async throws -> OnboardingOperationResponseDetails {
    try await sdk.onboardingClient.validateApplication(request: .init(onboardingApplicationId: id)).basicDetails
  }

  func accept(_ id: String) async throws -> OnboardingOperationResponseDetails {
    try await sdk.onboardingClient.acceptApplication(request: .init(onboardingApplicationId: id)).basicDetails
  }

  // MARK: The user

  func signUpAndIn() async throws {
    let credential = Credential(email: email, password: Self.password)
    try await sdk.authenticationClient.signUp(request: .init(credential: credential))
    _ = try await sdk.authenticationClient.signIn(request: .init(credential: credential))
  }

  func createCustomer(_ id: String) async throws -> FinalizeApplicationCreateCustomerResponse {
    try await sdk.onboardingClient.finalizeApplicationCreateCustomer(request: .init(onboardingApplicationId: id))
  }

  func createProducts(_ id: String) async throws -> FinalizeApplicationCreateProductResponse {
    try await sdk.onboardingClient.finalizeApplicationCreateProduct(request: .init(onboardingApplicationId: id))
  }
}
