// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import GatehouseTransport
import Testing

@testable import GatehouseApp

@Suite("Finaptic: from the key to the account")
struct FinapticJourneyTests {
  private let credential = Credential(email: "john@example.ca", password: "Quartz7Lantern", username: "john")

  @Test("the whole flow, on one phone, with the statuses that the documentation names")
  func whole() async throws {
    try await FinapticTestApp.run { app in
      let names = FinapticProfile.Names(firstName: "Ada", lastName: "Doe")
      let applicant = try await FinapticApplicant.ready(in: app, bundle: "prepaidV1", names)
      let usage = AccountUsageDetails(
        accountPurpose: "ACCOUNT_PURPOSE_TRAVELLING", primarySourceOfFunds: ["PRIMARY_SOURCE_OF_FUNDS_GIFTS"],
        authorizedThirdPartyUsage: false)
      let onboarding = applicant.sdk.onboardingClient
      let updated = try await onboarding.updateAccountDetails(
        request: UpdateAccountDetailsRequest(onboardingApplicationId: applicant.id, accountDetails: usage))
      #expect(updated.basicDetails.onboardingApplicationStatus == .dataCollection)
      #expect(try await applicant.documents().onboardingApplicationStatus == .kycInProgress)
      #expect(try await applicant.selfie().onboardingApplicationStatus == .kycInProgress)
      #expect(try await applicant.application().onboardingApplicationStatus == .kycSuccess)
      #expect(try await applicant.accept().onboardingApplicationStatus == .applicationAccepted)

      let authentication = applicant.sdk.authenticationClient
      #expect(await authentication.currentAuthState() == nil)
      try await authentication.signUp(request: SignUpRequest(credential: credential))
      _ = try await authentication.signIn(request: SignInRequest(credential: credential))
      let user = try await authentication.getUserInfo()
      #expect(user.username == "john" && user.email == "john@example.ca" && !user.isEmailVerified)

      let customer = try await onboarding.finalizeApplicationCreateCustomer(
        request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: applicant.id))
      #expect(customer.basicDetails.onboardingApplicationStatus == .applicationAccepted)
      #expect(customer.customerId?.isEmpty == false)
      // No sign-in between: the session has a customer's rights by now.
      let opened = try await onboarding.finalizeApplicationCreateProduct(
        request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: applicant.id))
      #expect(opened.basicDetails.onboardingApplicationStatus == .applicationProcessed)
      #expect(opened.products.map(\.sourceDomain).sorted() == ["core-banking", "core-card"])
      // Again: the same, and nothing new.
      let again = try await onboarding.finalizeApplicationCreateProduct(
        request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: applicant.id))
      #expect(again.products == opened.products)
    }
  }

  @Test("a key of another house, or a revoked one, is not known")
  func wrongKey() async throws {
    try await FinapticTestApp.run { app in
      let other = Data(
        #"{"v":1,"env":"sandbox","tenantId":7,"baseUrl":"http://127.0.0.1:8080","clientKey":"nobody"}"#.utf8)
      do throws(FinapticError) {
        _ = try await FinapticSDK.make(sdkKey: other.base64EncodedString(), options: app.options())
        Issue.record("the server took the key")
      } catch { #expect(error.code == .unauthenticated) }
    }
  }

  @Test("a session: expiry, renewal, and signing out, seen from the phone")
  func session() async throws {
    try await FinapticTestApp.run { app in
      let store = MemorySecureStore()
      let client = try await app.phone(store: store).authenticationClient
      try await client.signUp(request: SignUpRequest(credential: credential))
      let first = try await client.signIn(request: SignInRequest(credential: credential))
      #expect(await client.currentAuthState() == first)
      app.clock.advance(by: .seconds(16 * 60))
      let second = try #require(await client.currentAuthState())
      #expect(second.accessToken != first.accessToken && second.refreshToken != first.refreshToken)
      #expect(try await client.getUserInfo().email == "john@example.ca")
      try await client.signOut()
      #expect(await client.currentAuthState() == nil && store.contents.isEmpty)
      do throws(FinapticError) {
        _ = try await client.getUserInfo()
        Issue.record("nobody has a name")
      } catch { #expect(error.code == .unauthenticated) }
      do throws(FinapticError) {
        _ = try await client.signIn(
          request: SignInRequest(credential: Credential(email: "john@example.ca", password: "Wrong7Lantern")))
        Issue.record("anybody comes in")
      } catch { #expect(error.code == .signinInvalidPassword && error.genericCode == .unauthenticated) }
    }
  }
}
