// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import Testing

extension FinapticApplicant {
  /// A customer who applied, signed up and opened an account.
  /// - Returns: their signed-in phone, their customer id, their account's id.
  static func customer(
    in app: FinapticTestApp, email: String, bundle: String = "depositV1"
  ) async throws -> (sdk: FinapticSDK, customer: String, account: String) {
    let names = FinapticProfile.Names(firstName: "Ada", middleName: nil, lastName: "Byron")
    let applicant = try await ready(in: app, bundle: bundle, names)
    let (sdk, client, id) = (applicant.sdk, applicant.sdk.onboardingClient, applicant.id)
    let usage = AccountUsageDetails(
      accountPurpose: "ACCOUNT_PURPOSE_TRAVELLING", primarySourceOfFunds: ["PRIMARY_SOURCE_OF_FUNDS_GIFTS"],
      authorizedThirdPartyUsage: false)
    _ = try await client.updateAccountDetails(
      request: UpdateAccountDetailsRequest(onboardingApplicationId: id, accountDetails: usage))
    _ = try await applicant.documents()
    _ = try await applicant.selfie()
    _ = try await applicant.application()
    #expect(try await applicant.accept().onboardingApplicationStatus == .applicationAccepted)
    let credential = Credential(email: email, password: "Quartz7&violet")
    try await sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    let made = try await client.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: id))
    let opened = try await client.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: id))
    return (sdk, try #require(made.customerId), try #require(opened.products.first?.productId))
  }
}
