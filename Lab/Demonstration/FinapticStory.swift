// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseApp
import Kit

/// One applicant's story with the Finaptic SDK: after each step, where the application stands.
struct FinapticStory: Sendable {
  let title: String
  let play: FinapticPlay
  let log: DemoLog

  /// The rest of a story makes no sense after a step that failed.
  struct Broken: Error {}

  func step(
    _ title: String, shows expected: String, _ act: () async throws -> (shown: String, note: String)
  ) async throws {
    let start = World.live.ticks()
    var told = (shown: "nothing", note: "")
    var differences: [String] = []
    do {
      told = try await act()
      if told.shown != expected { differences.append("it should show \(expected)") }
    } catch { differences.append("\(error)") }
    await log.add(
      DemoStep(
        story: self.title, title: title, answer: told.note, shown: told.shown, differences: differences,
        milliseconds: Int((World.live.ticks() - start).inSeconds * 1000)))
    if !differences.isEmpty { throw Broken() }
  }

  /// A step whose answer is where the application stands.
  private func call(
    _ title: String, _ status: ApplicationStatus, codes: [String] = [], retries: Int = 3,
    _ act: () async throws -> OnboardingOperationResponseDetails
  ) async throws {
    try await step(title, shows: Self.words("OK", status, codes, retries)) {
      let details = try await act()
      return (
        Self.words(
          details.requestStatus, details.onboardingApplicationStatus, details.failureStatusCodes,
          details.remainingAllowedRetries), ""
      )
    }
  }

  private static func words(
    _ request: String, _ status: ApplicationStatus, _ codes: [String], _ retries: Int
  ) -> String {
    ([request, status.rawValue] + codes + (retries == 3 ? [] : ["\(retries) retries left"])).joined(separator: ", ")
  }

  /// From the beginning to the pictures, in the order of the published sample application (finaptic §5.9).
  /// - Parameter middleName: decides what becomes of the applicant.
  private func apply(middleName: String) async throws -> String {
    var begun: OnboardingOperationResponseDetails?
    try await call("initiateApplication", .newApplication) {
      let details = try await play.initiate()
      begun = details
      return details
    }
    guard let begun else { throw Broken() }
    let id = begun.applicationId
    try await step("consents and lists of codes", shows: "4 consents, 249 countries, 13 provinces") {
      let countries = try await play.sdk.referenceDataClient.getReferenceDataByType(
        request: .init(dataType: ReferenceDataTypes.country, locale: "FR_CA"))
      let provinces = try await play.sdk.referenceDataClient.getReferenceDataByType(
        request: .init(dataType: ReferenceDataTypes.state + "CA", locale: "FR_CA"))
      let own = [
        play.sdk.onboardingClient.getConsentElectronicCommunication(),
        play.sdk.onboardingClient.getConsentTermsOfUse(), play.sdk.onboardingClient.getConsentProductAgreement(),
        play.sdk.onboardingClient.getConsentPrivacyPolicy(),
      ]
      let asked = Set(begun.consents.map(\.documentNameAndVersion))
      let matching = own.filter { asked.contains($0.documentNameAndVersion) }.count
      return (
        "\(matching) consents, \(countries.data.count) countries, \(provinces.data.count) provinces",
        countries.data.last?.value ?? ""
      )
    }
    try await call("updatePersonalDetails", .dataCollection) { try await play.personal(id, middleName: middleName) }
    try await call("updateContactDetails", .dataCollection) { try await play.contact(id) }
    try await call("updateAccountDetails", .dataCollection) { try await play.account(id) }
    try await call("getSuggestions, updateAddresses", .dataCollection) { try await play.addresses(id) }
    try await call("updateConsents", .dataCollection) { try await play.consents(id, begun.consents) }
    try await call("updateCustomerResidency", .dataCollection) { try await play.residency(id) }
    try await call("updateDisclosures", .dataCollection) { try await play.disclosures(id, begun.disclosures) }
    try await call("updateEmployment", .dataCollection) { try await play.employment(id) }
    try await call("updateCommunicationPreferences", .dataCollection) { try await play.preferences(id) }
    return id
  }

  /// Everything is in order.
  func become() async throws {
    let id = try await apply(middleName: DemoTenant.passing)
    try await call("upload, validateDocuments", .kycInProgress) { try await play.documents(id) }
    try await finish(id)
    try await lookAtAccounts()
    try await registerDevice()
  }

  /// The birthday on the card is another one at first.
  func recover() async throws {
    let id = try await apply(middleName: DemoTenant.mistaken)
    let code = "FAILURE_CODE_ID_DOB_MATCH"
    try await call("upload, validateDocuments", .dataCollection, codes: [code]) { try await play.documents(id) }
    try await call("again", .dataCollection, codes: [code], retries: 2) { try await play.documents(id) }
    try await call("updatePersonalDetails, corrected", .dataCollection, retries: 2) {
      try await play.personal(id, middleName: DemoTenant.passing)
    }
    try await call("upload, validateDocuments", .kycInProgress, retries: 2) { try await play.documents(id) }
    try await finish(id, retries: 2)
  }

  /// The applicant is on a list.
  func beRejected() async throws {
    let id = try await apply(middleName: DemoTenant.sanctioned)
    try await call("upload, validateDocuments", .kycInProgress) { try await play.documents(id) }
    try await call("upload, validateSelfie", .kycInProgress) { try await play.selfie(id) }
    try await call("validateApplication", .kycRejected, codes: ["FAILURE_CODE_DEFAULT"], retries: 0) {
      try await play.decide(id)
    }
    try await step("acceptApplication", shows: "FAILED_PRECONDITION") {
      do { return (try await play.accept(id).onboardingApplicationStatus.rawValue, "") } catch let error
        as FinapticError
      {
        return (error.code.rawValue, error.message)
      }
    }
  }

  private func finish(_ id: String, retries: Int = 3) async throws {
    try await call("upload, validateSelfie", .kycInProgress, retries: retries) { try await play.selfie(id) }
    try await call("validateApplication", .kycSuccess, retries: retries) { try await play.decide(id) }
    try await call("acceptApplication", .applicationAccepted, retries: retries) { try await play.accept(id) }
    try await step("signUp, signIn", shows: "signed in") {
      try await play.signUpAndIn()
      return ("signed in", try await play.sdk.authenticationClient.getUserInfo().email)
    }
    try await call("finalizeApplicationCreateCustomer", .applicationAccepted, retries: retries) {
      try await play.createCustomer(id).basicDetails
    }
    try await step("finalizeApplicationCreateProduct", shows: "Application Processed: core-banking, core-card") {
      let made = try await play.createProducts(id)
      let domains = made.products.map(\.sourceDomain).joined(separator: ", ")
      return ("\(made.basicDetails.onboardingApplicationStatus.rawValue): \(domains)", "")
    }
  }
}
