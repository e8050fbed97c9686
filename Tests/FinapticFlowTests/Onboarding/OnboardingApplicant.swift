// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

/// An applicant: makes the calls of one application as an app does.
struct OnboardingApplicant: Sendable {
  typealias Wire = FinapticAPI
  typealias Answer = OnboardingTestApp.Answer

  struct Person: Sendable {
    var first = "Marie"
    var middle: String? = nil
    var last = "Tremblay"
    var birth = "1990-05-17"
    var address = Wire.Address(
      type: "HOME", line1: "350 Bay Street", locality: "Toronto", area: "Ontario", postalCode: "M5H 2S6",
      country: "Canada")
  }

  let app: OnboardingTestApp
  let tenant: Int
  var token: String?
  private(set) var id = ""
  private(set) var terms: [Wire.Terms] = []
  private(set) var disclosures: [Wire.Terms] = []

  init(
    _ app: OnboardingTestApp, bundle: String = "prepaidV1", tenant: Int = OnboardingTestApp.sandbox,
    token: String? = nil
  ) async throws {
    (self.app, self.tenant, self.token) = (app, tenant, token)
    let details = try await call(.initiateApplication, Wire.InitiateApplicationRequest(bundleId: bundle)).details()
    #expect(details.onboardingApplicationStatus == "New Application")
    (id, terms, disclosures) = (details.applicationId, details.consents ?? [], details.disclosures ?? [])
  }

  /// The same applicant, in another process.
  func at(_ other: OnboardingTestApp) -> OnboardingApplicant {
    var copy = OnboardingApplicant(other, tenant, token)
    (copy.id, copy.terms, copy.disclosures) = (id, terms, disclosures)
    return copy
  }

  private init(_ app: OnboardingTestApp, _ tenant: Int, _ token: String?) {
    (self.app, self.tenant, self.token) = (app, tenant, token)
  }

  func call(_ method: FinapticMethod, _ body: some Encodable, key: String? = nil) async throws -> Answer {
    try await app.call(method, body, tenant: tenant, token: token, key: key)
  }

  /// A call that needs nothing but the application.
  func call(_ method: FinapticMethod, key: String? = nil) async throws -> Answer {
    try await call(method, Wire.ApplicationRequest(onboardingApplicationId: id), key: key)
  }

  func status() async throws -> Answer {
    try await call(.getApplicationStatus, Wire.ApplicationStatusRequest(applicationId: id))
  }

  // MARK: Updates

  func personal(_ person: Person = Person()) async throws -> Answer {
    try await call(
      .updatePersonalDetails,
      Wire.UpdatePersonalDetailsRequest(
        onboardingApplicationId: id,
        customerPersonalDetails: .init(
          firstName: person.first, middleName: person.middle, lastName: person.last, dateOfBirth: person.birth)))
  }

  func contact(number: String = "+15141234567", email: String = "marie@example.ca") async throws -> Answer {
    try await call(
      .updateContactDetails,
      Wire.UpdateContactDetailsRequest(
        onboardingApplicationId: id,
        customerContactDetails: .init(
          contactPhoneNumber: .init(smsCompatible: true, number: number), customerEmail: email)))
  }

  func addresses(_ person: Person = Person()) async throws -> Answer {
    try await call(
      .updateAddresses, Wire.UpdateAddressesRequest(onboardingApplicationId: id, addresses: [person.address]))
  }

  func usage() async throws -> Answer {
    try await call(
      .updateAccountDetails,
      Wire.UpdateAccountDetailsRequest(
        onboardingApplicationId: id,
        accountDetails: .init(
          accountPurpose: "ACCOUNT_PURPOSE_TRAVELLING", primarySourceOfFunds: ["PRIMARY_SOURCE_OF_FUNDS_LOANS"],
          authorizedThirdPartyUsage: false)))
  }

  func consents(_ terms: [Wire.Terms]? = nil) async throws -> Answer {
    let moment = Wire.Instant(millisecondsSince1970: app.clock.now.milliseconds).description
    return try await call(
      .updateConsents,
      Wire.UpdateConsentsRequest(
        onboardingApplicationId: id,
        consents: (terms ?? self.terms).map {
          .init(
            consentType: $0.documentType, consentTimestamp: moment, documentNameAndVersion: $0.documentNameAndVersion,
            viewTimestamp: moment)
        }))
  }

  func disclose() async throws -> Answer {
    let moment = Wire.Instant(millisecondsSince1970: app.clock.now.milliseconds).description
    return try await call(
      .updateDisclosures,
      Wire.UpdateDisclosuresRequest(
        onboardingApplicationId: id,
        disclosures: disclosures.map {
          .init(
            disclosureType: $0.documentType, timestamp: moment, documentNameAndVersion: $0.documentNameAndVersion)
        }))
  }

  func residency(_ residency: Wire.Residency = .init(isCanadianTaxResident: true, citizenship: "CA")) async throws
    -> Answer
  {
    try await call(
      .updateCustomerResidency,
      Wire.UpdateCustomerResidencyRequest(onboardingApplicationId: id, residency: residency))
  }

  func employment() async throws -> Answer {
    try await call(
      .updateEmployment,
      Wire.UpdateEmploymentRequest(
        onboardingApplicationId: id, employmentInfo: .init(employmentStatus: "EMPLOYMENT_STATUS_RETIRED")))
  }

  func preferences() async throws -> Answer {
    try await call(
      .updateCommunicationPreferences,
      Wire.UpdateCommunicationPreferencesRequest(
        onboardingApplicationId: id, customerCommunicationPref: "COMMUNICATION_PREFERENCES_EMAIL",
        customerCommunicationLanguage: "LANGUAGE_FR_CA"))
  }

  /// Every update, in the order of the specification.
  func fill(_ person: Person = Person()) async throws {
    var answers: [Answer] = []
    answers.append(try await personal(person))
    answers.append(try await contact())
    answers.append(try await usage())
    answers.append(try await addresses(person))
    if !terms.isEmpty { answers.append(try await consents()) }
    answers.append(try await residency())
    if !disclosures.isEmpty { answers.append(try await disclose()) }
    answers.append(try await employment())
    answers.append(try await preferences())
    for answer in answers { #expect(try answer.details().onboardingApplicationStatus == "Data Collection") }
  }

  // MARK: Pictures

  func upload(_ bytes: Data = picture) async throws -> String {
    let place = try await call(.createFileUploadURL).view(Wire.FileUploadResponse.self)
    let status = try await app.put(place.uploadUrl, bytes)
    #expect(status == 200)
    return place.filename
  }

  func passport(_ file: String) -> [Wire.DocumentInfo] {
    [.init(documentType: "DOCUMENT_TYPE_CANADIAN_PASSPORT", documentCountry: "CA", frontImageFileName: file)]
  }

  static let picture = Data([0xFF, 0xD8, 0xFF, 0xE0, 1, 2, 3])

  func documents(_ bytes: Data = picture, key: String? = nil) async throws -> Answer {
    try await documents(file: upload(bytes), key: key)
  }

  func documents(file: String, key: String? = nil) async throws -> Answer {
    try await call(
      .validateDocuments,
      Wire.ValidateDocumentsRequest(onboardingApplicationId: id, documentDetails: passport(file)), key: key)
  }

  func selfie() async throws -> Answer { try await selfie(file: upload()) }

  func selfie(file: String) async throws -> Answer {
    try await call(
      .validateSelfie, Wire.ValidateSelfieRequest(onboardingApplicationId: id, fileName: file))
  }

  func validate() async throws -> Answer {
    try await call(.validateApplication, Wire.ValidateApplicationRequest(onboardingApplicationId: id))
  }
}
