// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import Testing

/// A customer with an account and a card, and the phone that made them one.
struct FinapticCardholder {
  static let password = "Quartz7Lantern"

  let sdk: FinapticSDK
  let customer: String
  let account: String
  let card: String
  let credential: Credential

  /// From the key to the card, by the SDK alone.
  static func made(_ name: String, in app: FinapticTestApp) async throws -> FinapticCardholder {
    let names = FinapticProfile.Names(firstName: name, lastName: "Doe")
    let applicant = try await FinapticApplicant.ready(in: app, bundle: "prepaidV1", names)
    let onboarding = applicant.sdk.onboardingClient
    _ = try await onboarding.updateAccountDetails(
      request: UpdateAccountDetailsRequest(
        onboardingApplicationId: applicant.id,
        accountDetails: AccountUsageDetails(
          accountPurpose: "ACCOUNT_PURPOSE_TRAVELLING", primarySourceOfFunds: ["PRIMARY_SOURCE_OF_FUNDS_GIFTS"],
          authorizedThirdPartyUsage: false)))
    _ = try await applicant.documents()
    _ = try await applicant.selfie()
    _ = try await applicant.application()
    _ = try await applicant.accept()
    let credential = Credential(
      email: "\(name.lowercased())@example.ca", password: password, username: name.lowercased())
    try await applicant.sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
    _ = try await applicant.sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    let made = try await onboarding.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: applicant.id))
    let opened = try await onboarding.finalizeApplicationCreateProduct(
      request: FinalizeApplicationCreateProductRequest(onboardingApplicationId: applicant.id))
    func product(_ domain: String) throws -> String {
      try #require(opened.products.first { $0.sourceDomain == domain }).productId
    }
    return FinapticCardholder(
      sdk: applicant.sdk, customer: try #require(made.customerId), account: try product("core-banking"),
      card: try product("core-card"), credential: credential)
  }

  /// Signs in again, for a right.
  func stepUp(_ scope: String) async throws {
    _ = try await sdk.authenticationClient.signIn(request: SignInRequest(credential: credential, scope: scope))
  }

  func invite(_ identifier: String, account: String? = nil) async throws(FinapticError) -> AuthorizedUserInvitation {
    try await sdk.onboardingClient.inviteAuthorizedUser(
      request: InviteAuthorizedUserRequest(
        invitedCustomerIdentifier: identifier, accountId: account ?? self.account)
    ).invitation
  }

  func accept(_ id: String) async throws(FinapticError) {
    _ = try await sdk.onboardingClient.acceptAuthorizedUserInvitation(
      request: AcceptAuthorizedUserInvitationRequest(invitationId: id))
  }

  func confirm(_ id: String) async throws(FinapticError) {
    _ = try await sdk.onboardingClient.confirmAuthorizedUserInvitation(
      request: ConfirmAuthorizedUserInvitationRequest(invitationId: id))
  }

  func remove(_ user: String) async throws(FinapticError) -> [String] {
    try await sdk.onboardingClient.removeAuthorizedUser(
      request: RemoveAuthorizedUserRequest(accountId: account, authorizedUser: user)
    ).authorizedUsers
  }

  func createCard(
    for user: String, _ type: CardType = .cardTypePrepaid, account: String? = nil
  ) async throws(FinapticError) -> Card {
    try await sdk.coreCardClient.createAuthorizedUserCard(
      request: CreateAuthorizedUserCardRequest(
        card: AuthorizedUserCard(cardType: type, accountId: account ?? self.account, description: "Second card"),
        authorizedUserId: user)
    ).card
  }
}

/// The code that a call is refused with; nil when it is not.
func refusal<Value>(_ call: () async throws(FinapticError) -> Value) async -> FinapticErrorCode? {
  do throws(FinapticError) {
    _ = try await call()
    return nil
  } catch { return error.code }
}
