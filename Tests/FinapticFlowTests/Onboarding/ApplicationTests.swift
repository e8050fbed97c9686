// SPDX-License-Identifier: Apache-2.0

import Foundation
import FinapticWire
import Kit
import Testing

@testable import FinapticFlow

@Suite("Finaptic onboarding: an application")
struct ApplicationTests {
  typealias Wire = FinapticAPI

  @Test("the complete flow, in the order of the specification")
  func whole() async throws {
    try await OnboardingTestApp.run { app in
      var applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      #expect(try await applicant.documents().details().onboardingApplicationStatus == "KYC In Progress")
      #expect(try await applicant.selfie().details().onboardingApplicationStatus == "KYC In Progress")
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
      #expect(
        try await applicant.call(.acceptApplication).details().onboardingApplicationStatus == "Application Accepted")
      let user = FinapticUser.ID(app.dependencies.core.world)
      applicant.token = try await app.token(user)
      let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
      #expect(made.basicDetails.onboardingApplicationStatus == "Application Accepted")
      let customer = try #require(made.customerId)
      #expect(UUID(uuidString: customer) != nil)
      #expect(try await app.customer(of: user) == customer)
      applicant.token = try await app.token(user, customer: customer)
      let opened = try await applicant.call(.finalizeApplicationCreateProduct).view(Wire.ApplicationResponse.self)
      #expect(opened.basicDetails.onboardingApplicationStatus == "Application Processed")
      #expect(opened.products?.map(\.sourceDomain) == ["core-banking", "core-card"])
      let accounts = try await app.database.read {
        try AccountStore($0).all(of: customer, tenant: OnboardingTestApp.sandbox, limit: 9)
      }
      #expect(accounts.map(\.id.rawValue) == [opened.products?.first?.productId])
      #expect(accounts.first?.isActive == true && accounts.first?.account.actualBalance.decimal == "0.00")
      #expect(accounts.first?.owners == [customer] && accounts.first?.product == "prepaid_account.v12")
      // Again: the same ids, and nothing new.
      let again = try await applicant.call(.finalizeApplicationCreateProduct).view(Wire.ApplicationResponse.self)
      #expect(again.products == opened.products)
      let same = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
      #expect(same.customerId == customer)
      #expect(
        try await applicant.call(.acceptApplication).details().onboardingApplicationStatus == "Application Processed")
      // The pictures go at once.
      #expect(app.blobs.keys.count == 2)
      try await app.settle()
      #expect(app.blobs.keys.isEmpty)
      let profile = try await app.database.read { [vault = app.vault] in
        try ClientProfileStore($0, vault: vault).find(customer)
      }
      #expect(profile?.isVerified == true)
      #expect(profile?.legalName == "Marie Tremblay")
      #expect(try await app.story(applicant.id).last == "finaptic.application.productsOpened")
    }
  }

  @Test("a bundle without products and without verification takes five calls")
  func productless() async throws {
    try await OnboardingTestApp.run { app in
      var applicant = try await OnboardingApplicant(app, bundle: "productlessV1")
      let first = try await applicant.status().details()
      #expect(first.verificationNeeded?.map(\.name) == ["ProfileCreation"])
      #expect(first.consents == [] && first.disclosures == [])
      _ = try await applicant.personal().details()
      #expect(try await applicant.call(.acceptApplication).code == "FAILED_PRECONDITION")
      _ = try await applicant.contact().details()
      #expect(
        try await applicant.call(.acceptApplication).details().onboardingApplicationStatus == "Application Accepted")
      let user = FinapticUser.ID(app.dependencies.core.world)
      applicant.token = try await app.token(user)
      let made = try await applicant.call(.finalizeApplicationCreateCustomer).view(Wire.ApplicationResponse.self)
      #expect(made.basicDetails.onboardingApplicationStatus == "Application Processed")
      applicant.token = try await app.token(user, customer: made.customerId)
      let opened = try await applicant.call(.finalizeApplicationCreateProduct).view(Wire.ApplicationResponse.self)
      #expect(opened.products == [])
    }
  }

  @Test("without a need for verification every validation passes, no matter who it is")
  func unneeded() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app, bundle: "productlessV1")
      var child = OnboardingApplicant.Person()
      child.birth = "2020-01-01"
      _ = try await applicant.personal(child).details()
      #expect(try await applicant.documents().details().onboardingApplicationStatus == "KYC In Progress")
      #expect(try await applicant.selfie().details().onboardingApplicationStatus == "KYC In Progress")
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
    }
  }

  @Test("ids that are invalid, unknown, of another tenant and of another user")
  func identity() async throws {
    try await OnboardingTestApp.run { app in
      let user = FinapticUser.ID(app.dependencies.core.world)
      let applicant = try await OnboardingApplicant(app, token: try await app.token(user))
      func status(_ id: String?, tenant: Int = OnboardingTestApp.sandbox, token: String? = nil) async throws -> String {
        try await app.call(
          .getApplicationStatus, Wire.ApplicationStatusRequest(applicationId: id), tenant: tenant, token: token
        ).code
      }
      #expect(try await status("nothing") == "INVALID_ARGUMENT")
      #expect(try await status(nil) == "INVALID_ARGUMENT")
      #expect(try await status(app.dependencies.core.world.randomUUID()) == "NOT_FOUND")
      #expect(try await status(applicant.id, tenant: OnboardingTestApp.production) == "NOT_FOUND")
      let stranger = try await app.token(FinapticUser.ID(app.dependencies.core.world))
      #expect(try await status(applicant.id, token: stranger) == "PERMISSION_DENIED")
      #expect(try await status(applicant.id) == "PERMISSION_DENIED")
      #expect(try await status(applicant.id.uppercased(), token: applicant.token) == "OK")
    }
  }

  @Test("an unknown bundle, the misspelt one, and another's customer id")
  func bundles() async throws {
    try await OnboardingTestApp.run { app in
      func initiate(_ bundle: String?, customer: String? = nil, token: String? = nil) async throws -> String {
        try await app.call(
          .initiateApplication, Wire.InitiateApplicationRequest(bundleId: bundle, customerId: customer), token: token
        ).code
      }
      #expect(try await initiate("goldV1") == "INVALID_ARGUMENT")
      #expect(try await initiate(" ") == "INVALID_ARGUMENT")
      #expect(try await initiate("despositV1") == "OK")
      let customer = app.dependencies.core.world.randomUUID()
      #expect(try await initiate("prepaidV1", customer: customer) == "PERMISSION_DENIED")
      let token = try await app.token(FinapticUser.ID(app.dependencies.core.world), customer: customer)
      #expect(try await initiate("prepaidV1", customer: customer, token: token) == "OK")
      #expect(
        try await initiate("prepaidV1", customer: app.dependencies.core.world.randomUUID(), token: token)
          == "PERMISSION_DENIED")
    }
  }

  @Test("a consent counts in the version that is shown, and what is missing is named")
  func consents() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      _ = try await applicant.personal().details()
      _ = try await applicant.addresses().details()
      let refused = try await applicant.documents()
      #expect(refused.code == "FAILED_PRECONDITION")
      #expect(refused.violations == ["consents", "consents", "consents"])
      #expect(refused.json.contains("CONSENT_TYPE_PRIVACY_POLICY") && !refused.json.contains("PRODUCT_AGREEMENT"))
      let old = applicant.terms.map {
        Wire.Terms(
          documentType: $0.documentType, documentNameAndVersion: "https://old.example/1", neededBeforeValidation: true)
      }
      #expect(try await applicant.consents(old).details().requestStatus == "OK")
      #expect(try await applicant.documents().code == "FAILED_PRECONDITION")
      #expect(
        try await applicant.consents(applicant.terms.filter(\.neededBeforeValidation)).details().requestStatus == "OK")
      #expect(try await applicant.documents().details().remainingAllowedRetries == 3)
      // What may wait is asked for when the applicant accepts; it may be given after the verification.
      for update in [try await applicant.contact(), try await applicant.residency(), try await applicant.employment()] {
        _ = try update.details()
      }
      _ = try await applicant.selfie().details()
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
      #expect(
        try await applicant.call(.acceptApplication).violations == [
          "consents", "disclosures", "UpdateAccountDetailsRequest",
        ])
      for update in [try await applicant.consents(), try await applicant.usage(), try await applicant.disclose()] {
        #expect(try update.details().onboardingApplicationStatus == "KYC Success")
      }
      #expect(try await applicant.personal().code == "FAILED_PRECONDITION")
      #expect(
        try await applicant.call(.acceptApplication).details().onboardingApplicationStatus == "Application Accepted")
    }
  }

  @Test("another name, date of birth or home discards the evidence; the same ones and other updates do not")
  func discards() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      _ = try await applicant.documents().details()
      _ = try await applicant.selfie().details()
      for update in [try await applicant.personal(), try await applicant.addresses(), try await applicant.contact()] {
        _ = try update.details()
      }
      #expect(try await applicant.validate().details().onboardingApplicationStatus == "KYC Success")
      let other = try await OnboardingApplicant(app)
      try await other.fill()
      _ = try await other.documents().details()
      _ = try await other.selfie().details()
      var person = OnboardingApplicant.Person()
      person.birth = "1990-05-18"
      _ = try await other.personal(person).details()
      #expect(try await other.validate().violations == ["documentDetails", "selfieFileName"])
    }
  }

  @Test("tax residents of other countries are turned away where the installation is set so")
  func policy() async throws {
    let abroad = Wire.Residency(
      isCanadianTaxResident: false, otherResidences: [.init(otherResidenceCountry: "France")], citizenship: "FR")
    for isStrict in [false, true] {
      try await OnboardingTestApp.run(ports: { $0.refusesForeignTaxResidents = isStrict }) { app in
        let applicant = try await OnboardingApplicant(app)
        try await applicant.fill()
        _ = try await applicant.residency(abroad).details()
        for answer in [try await applicant.documents(), try await applicant.selfie(), try await applicant.validate()] {
          _ = try answer.details()
        }
        let details = try await applicant.call(.acceptApplication).details()
        #expect(details.onboardingApplicationStatus == (isStrict ? "Application Rejected" : "Application Accepted"))
        #expect(details.failureStatusCodes == (isStrict ? ["FAILURE_CODE_DEFAULT"] : []))
        #expect(details.requestStatusReason?.isEmpty == !isStrict)
      }
    }
  }

  @Test("the same key gets the same answer; with another body it is refused")
  func idempotency() async throws {
    try await OnboardingTestApp.run { app in
      let applicant = try await OnboardingApplicant(app)
      try await applicant.fill()
      let key = app.dependencies.core.world.randomUUID()
      let first = try await applicant.call(.createFileUploadURL, key: key)
      #expect(try await applicant.call(.createFileUploadURL, key: key).body == first.body)
      let other = try await OnboardingApplicant(app)
      #expect(try await other.call(.createFileUploadURL, key: key).code == "ABORTED")
    }
  }
}
