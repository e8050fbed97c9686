// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseTransport
import Testing

/// An applicant with a phone.
struct FinapticApplicant {
  static let home = Address(
    type: "HOME", line1: "350 Bay Street", locality: "Toronto", area: "Ontario", postalCode: "M5H 2S6",
    country: "Canada")

  let app: FinapticTestApp
  let sdk: FinapticSDK
  let id: String

  private var client: any OnboardingClient { sdk.onboardingClient }

  /// Begins an application and fills in all that its bundle needs before a validation.
  static func ready(
    in app: FinapticTestApp, bundle: String = "kycV1", _ names: FinapticProfile.Names, born: Date? = nil,
    home: Address = Self.home
  ) async throws -> FinapticApplicant {
    let applicant = try await begun(in: app, bundle: bundle)
    _ = try await applicant.name(names, born: born)
    try await applicant.fillIn(home: home)
    return applicant
  }

  static func begun(in app: FinapticTestApp, bundle: String = "kycV1") async throws -> FinapticApplicant {
    let sdk = try await app.phone()
    let answer = try await sdk.onboardingClient.initiateApplication(
      request: InitiateApplicationRequest(bundleId: bundle))
    #expect(answer.basicDetails.onboardingApplicationStatus == .newApplication)
    return FinapticApplicant(app: app, sdk: sdk, id: answer.basicDetails.applicationId)
  }

  func name(
    _ names: FinapticProfile.Names, born: Date? = nil
  ) async throws(FinapticError) -> OnboardingOperationResponseDetails {
    let person = PersonalDetails(
      firstName: names.firstName ?? "", middleName: names.middleName, lastName: names.lastName ?? "",
      dateOfBirth: born ?? Self.day(yearsBefore: app.now, 30, plusDays: 0))
    return try await client.updatePersonalDetails(
      request: UpdatePersonalDetailsRequest(onboardingApplicationId: id, customerPersonalDetails: person)
    ).basicDetails
  }

  func live(at home: Address) async throws(FinapticError) -> OnboardingOperationResponseDetails {
    try await client.updateAddresses(request: UpdateAddressesRequest(onboardingApplicationId: id, addresses: [home]))
      .basicDetails
  }

  private func fillIn(home: Address) async throws {
    let phone = PhoneNumberType(smsCompatible: true, number: "+15141234567")
    _ = try await client.updateContactDetails(
      request: UpdateContactDetailsRequest(
        onboardingApplicationId: id,
        customerContactDetails: ContactDetails(contactPhoneNumber: phone, customerEmail: "john@example.ca")))
    _ = try await live(at: home)
    _ = try await client.updateCustomerResidency(
      request: UpdateCustomerResidencyRequest(
        onboardingApplicationId: id, residency: CustomerResidency(isCanadianTaxResident: true, citizenship: "CA")))
    let answer = try await client.updateEmployment(
      request: UpdateEmploymentRequest(
        onboardingApplicationId: id, employmentInfo: Employment(employmentStatus: "EMPLOYMENT_STATUS_RETIRED")))
    let consents = answer.basicDetails.consents.map {
      Consent(
        consentType: $0.documentType, consentTimestamp: app.now, documentNameAndVersion: $0.documentNameAndVersion,
        viewTimestamp: app.now)
    }
    if !consents.isEmpty {
      _ = try await client.updateConsents(
        request: UpdateConsentsRequest(onboardingApplicationId: id, consents: consents))
    }
    let disclosures = answer.basicDetails.disclosures.map {
      Disclosure(
        disclosureType: $0.documentType, timestamp: app.now, documentNameAndVersion: $0.documentNameAndVersion)
    }
    if !disclosures.isEmpty {
      _ = try await client.updateDisclosures(
        request: UpdateDisclosuresRequest(onboardingApplicationId: id, disclosures: disclosures))
    }
  }

  // MARK: Validation

  func documents() async throws -> OnboardingOperationResponseDetails {
    let passport = DocumentInfo(
      documentType: "DOCUMENT_TYPE_CANADIAN_PASSPORT", documentCountry: "CA",
      frontImageFileName: try await upload().filename)
    return try await client.validateDocuments(
      request: ValidateDocumentsRequest(onboardingApplicationId: id, documentDetails: [passport])
    ).basicDetails
  }

  func selfie() async throws -> OnboardingOperationResponseDetails {
    try await client.validateSelfie(
      request: ValidateSelfieRequest(onboardingApplicationId: id, fileName: try await upload().filename)
    ).basicDetails
  }

  func application() async throws -> OnboardingOperationResponseDetails {
    try await client.validateApplication(request: ValidateApplicationRequest(onboardingApplicationId: id)).basicDetails
  }

  func accept() async throws -> OnboardingOperationResponseDetails {
    try await client.acceptApplication(request: AcceptApplicationRequest(onboardingApplicationId: id)).basicDetails
  }

  /// A picture, in its place.
  func upload() async throws -> CreateFileUploadUrlResponse {
    let place = try await client.createFileUploadURL(request: CreateFileUploadUrlRequest(onboardingApplicationId: id))
    let answer = try await app.transport.send(
      TransportRequest(
        method: "PUT", url: try #require(URL(string: place.uploadUrl)), headers: ["content-type": "image/jpeg"],
        body: GreyPicture.jpeg))
    try #require(answer.isSuccess, "\(answer.status)")
    return place
  }

  /// A day of Toronto's calendar.
  static func day(yearsBefore now: Date, _ years: Int, plusDays: Int) -> Date {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = TimeZone(identifier: "America/Toronto") ?? .gmt
    let moved = calendar.date(byAdding: DateComponents(year: -years), to: now) ?? now
    return calendar.date(byAdding: DateComponents(day: plusDays), to: moved) ?? moved
  }
}
