// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: every call in every status")
struct StatusCallTests {
  typealias Wire = FinapticAPI

  /// What a call is answered in a status, of an application that lacks nothing: nil is a refusal.
  /// - Parameter needsKYC: false for the bundle without a check of identity, which has no products either.
  private static func specified(
    _ method: FinapticMethod, _ status: ApplicationStatus, needsKYC: Bool
  ) -> ApplicationStatus? {
    let isOpen = [.newApplication, .dataCollection, .kycInProgress, .kycFailed].contains(status)
    switch method {
    case .updatePersonalDetails, .updateContactDetails, .updateAddresses, .updateCustomerResidency:
      return isOpen ? .dataCollection : nil
    case .updateAccountDetails, .updateConsents, .updateDisclosures, .updateEmployment, .updateCommunicationPreferences:
      return isOpen ? .dataCollection : status == .kycSuccess ? status : nil
    case .validateDocuments, .validateSelfie: return isOpen ? .kycInProgress : nil
    case .validateApplication: return isOpen && status != .newApplication ? .kycSuccess : nil
    case .acceptApplication where !needsKYC && [.dataCollection, .kycInProgress].contains(status):
      return .applicationAccepted
    case .acceptApplication:
      return status == .kycSuccess || status == .applicationAccepted
        ? .applicationAccepted : status == .applicationProcessed ? status : nil
    case .finalizeApplicationCreateCustomer where !needsKYC:
      return status == .applicationAccepted ? .applicationProcessed : nil
    case .finalizeApplicationCreateCustomer: return status == .applicationAccepted ? status : nil
    case .finalizeApplicationCreateProduct: return status == .applicationProcessed ? status : nil
    case .cancelApplication: return status.isTerminal ? nil : .applicationCancelled
    case .createFileUploadURL, .getApplicationStatus: return status
    default: return nil
    }
  }

  private static let methods: [FinapticMethod] = [
    .updatePersonalDetails, .updateContactDetails, .updateAddresses, .updateCustomerResidency, .updateAccountDetails,
    .updateConsents, .updateDisclosures, .updateEmployment, .updateCommunicationPreferences, .createFileUploadURL,
    .validateDocuments, .validateSelfie, .validateApplication, .acceptApplication,
    .finalizeApplicationCreateCustomer, .finalizeApplicationCreateProduct, .cancelApplication, .getApplicationStatus,
  ]

  @Test(
    "is answered as the specification says, and a refusal changes nothing",
    arguments: ApplicationStatus.allCases, ["prepaidV1", "productlessV1"])
  func everyCall(status: ApplicationStatus, bundle: String) async throws {
    try await OnboardingTestApp.run { app in
      // There is nothing to agree to without a product.
      let texts: [FinapticMethod] = bundle == "productlessV1" ? [.updateConsents, .updateDisclosures] : []
      // Calls that change nothing but the application's row share an applicant, and so do those that are refused, which
      // change nothing at all: the row is put back each time.
      let shared = try await Self.filled(app, bundle)
      for method in Self.methods where !texts.contains(method) {
        var expected = Self.specified(method, status, needsKYC: bundle == "prepaidV1")
        if method == .createFileUploadURL, status.isTerminal { expected = nil }
        let (applicant, files) =
          expected == nil || Self.changesOnlyRow(method) ? shared : try await Self.filled(app, bundle)
        let id = OnboardingApplication.ID(rawValue: applicant.id)
        // Put there: how one gets there is the other suites' affair.
        try await app.database.write { [vault = app.vault, now = app.clock.now] tx in
          let store = OnboardingStore(tx, vault: vault)
          var application = try #require(try store.find(id))
          application.status = status
          application.content.evidence.documents = .init(submitted: applicant.passport(files[0]))
          application.content.evidence.selfie = .init(fileName: files[1])
          try store.save(application, at: now)
        }
        let answer = try await Self.call(method, applicant, files)
        let after = try await app.database.read { [vault = app.vault] in
          try OnboardingStore($0, vault: vault).find(id)?.status
        }
        #expect((answer.code == "OK") == (expected != nil), "\(method.name) \(answer.code)")
        #expect(answer.code == "OK" || answer.code == "FAILED_PRECONDITION", "\(method.name) \(answer.code)")
        #expect(after == (expected ?? status), "\(method.name)")
      }
    }
  }

  /// An applicant that lacks nothing, and two files that were uploaded.
  private static func filled(
    _ app: OnboardingTestApp, _ bundle: String
  ) async throws -> (applicant: OnboardingApplicant, files: [String]) {
    let applicant = try await OnboardingApplicant(app, bundle: bundle)
    try await applicant.fill()
    return (applicant, try await [applicant.upload(), applicant.upload()])
  }

  private static func changesOnlyRow(_ method: FinapticMethod) -> Bool {
    switch method {
    case .updatePersonalDetails, .updateContactDetails, .updateAddresses, .updateCustomerResidency,
      .updateAccountDetails, .updateConsents, .updateDisclosures, .updateEmployment, .updateCommunicationPreferences,
      .getApplicationStatus:
      true
    default: false
    }
  }

  private static func call(
    _ method: FinapticMethod, _ applicant: OnboardingApplicant, _ files: [String]
  ) async throws -> OnboardingTestApp.Answer {
    let app = applicant.app
    switch method {
    case .updatePersonalDetails: return try await applicant.personal()
    case .updateContactDetails: return try await applicant.contact()
    case .updateAddresses: return try await applicant.addresses()
    case .updateCustomerResidency: return try await applicant.residency()
    case .updateAccountDetails: return try await applicant.usage()
    case .updateConsents: return try await applicant.consents()
    case .updateDisclosures: return try await applicant.disclose()
    case .updateEmployment: return try await applicant.employment()
    case .updateCommunicationPreferences: return try await applicant.preferences()
    case .validateDocuments: return try await applicant.documents(file: files[0])
    case .validateSelfie: return try await applicant.selfie(file: files[1])
    case .validateApplication: return try await applicant.validate()
    case .getApplicationStatus: return try await applicant.status()
    case .finalizeApplicationCreateCustomer, .finalizeApplicationCreateProduct:
      let customer = method == .finalizeApplicationCreateProduct ? app.dependencies.core.world.randomUUID() : nil
      let token = try await app.token(FinapticUser.ID(app.dependencies.core.world), customer: customer)
      return try await app.call(
        method, Wire.ApplicationRequest(onboardingApplicationId: applicant.id), token: token)
    default: return try await applicant.call(method)
    }
  }

  @Test("to finalise one has to be signed in, and to be a customer for the products")
  func classes() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      #expect(try await applicant.call(.finalizeApplicationCreateCustomer).code == "UNAUTHENTICATED")
      #expect(try await applicant.call(.finalizeApplicationCreateProduct).code == "UNAUTHENTICATED")
      let token = try await app.token(FinapticUser.ID(app.dependencies.core.world))
      let request = Wire.ApplicationRequest(onboardingApplicationId: applicant.id)
      #expect(
        try await app.call(.finalizeApplicationCreateProduct, request, token: token).code == "PERMISSION_DENIED")
    }
  }
}
