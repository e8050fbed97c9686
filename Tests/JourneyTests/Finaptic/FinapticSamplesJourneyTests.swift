// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticSamples
import Foundation
import GatehouseTransport
import Kit
import Synchronization
import TestSupport
import Testing

@testable import GatehouseApp

/// The seed's samples, played in its order against the product. They say themselves how it went.
@Suite("Finaptic samples: against the server", .onOneEngine, .serialized)
@MainActor
struct FinapticSamplesJourneyTests {
  @Test("onboarding, from initiateApplication to finalizeApplicationCreateProduct")
  func onboarding() async throws {
    try await FinapticTestApp.run { app in try await SamplePlayer(app).playOnboarding() }
  }

  @Test("the user: sign up, sign in, step up, renew, reset, sign out")
  func authentication() async throws {
    try await FinapticTestApp.run { app in try await SamplePlayer(app).playAuthentication() }
  }

  @Test("accounts, cards, transfers, Interac and help: each gets an answer, or that the server does not do it yet")
  func later() async throws {
    try await FinapticTestApp.run { app in try await SamplePlayer(app).playTheRest() }
  }
}

/// Plays samples and hears what they print and how their calls ended.
@MainActor
private final class SamplePlayer {
  private let app: FinapticTestApp
  private let sdk: FinapticSDK
  private let ended: Ended

  /// How calls ended, in order.
  private final class Ended: Sendable {
    private let entries = Mutex<[FinapticLogEntry]>([])
    var all: [FinapticLogEntry] { entries.withLock { $0 } }
    func add(_ entry: FinapticLogEntry) { entries.withLock { $0.append(entry) } }
  }

  init(_ app: FinapticTestApp) async throws {
    self.app = app
    Self.setClock(of: app)
    let ended = Ended()
    self.ended = ended
    var options = app.options()
    options.log = { ended.add($0) }
    sdk = try await FinapticSDK.make(sdkKey: app.sdkKey, options: options)
  }

  /// The samples take the time from the device. A turn may be waited for longer than clocks may differ.
  private static func setClock(of app: FinapticTestApp) {
    app.clock.set(Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)))
  }

  /// Plays a sample that says nothing unless its call fails.
  private func quiet(_ method: String, _ sample: () -> Void) async throws {
    let before = ended.all.count
    // What it says of a failure is no other sample's line.
    try await Transcript.alone {
      Self.setClock(of: app)
      sample()
      try await waitUntil("\(method) has ended") { ended.all.count > before }
    }
    let entry = ended.all[before]
    #expect(entry.method == method && entry.code == nil, "\(entry)")
  }

  /// Plays a sample that says how it went.
  private func heard(_ sample: () -> Void) async -> String { await Transcript.heard(sample) }

  private func code(_ type: String, _ code: String) -> ReferenceData {
    ReferenceData(dataType: type, code: code, value: code, locale: "EN_CA")
  }

  func playOnboarding() async throws {
    #expect(await heard { OnboardingSamples.initialize() }.hasPrefix("Initialization failed: INVALID_ARGUMENT"))
    #expect(
      await heard { OnboardingSamples.initiateApplication(sdk: sdk) }
        .hasPrefix("Verification needed for an onboarding application:"))
    let documents = [
      OnboardingSamples.getConsentElectronicCommunication(sdk: sdk), OnboardingSamples.getConsentTermsOfUse(sdk: sdk),
      OnboardingSamples.getConsentProductAgreement(sdk: sdk), OnboardingSamples.getConsentPrivacyPolicy(sdk: sdk),
    ]
    #expect(Set(documents.map(\.documentType)).count == 4)
    let begun = try await sdk.onboardingClient.initiateApplication(
      request: InitiateApplicationRequest(customerId: nil, productId: "prepaidV1")
    ).basicDetails
    try await update(begun)
    try await validate(begun)
    _ = await heard { AuthenticationSamples.signUp(sdk: sdk) }
    _ = await heard { AuthenticationSamples.signIn(sdk: sdk) }
    let id = begun.applicationId
    ValidationSamples.finalizeApplicationCreateCustomer(sdk: sdk, applicationId: id)
    try await until("onboarding/finalizeApplicationCreateCustomer")
    ValidationSamples.finalizeApplicationCreateProduct(sdk: sdk, applicationId: id)
    try await until("onboarding/finalizeApplicationCreateProduct")
    let status = try await sdk.onboardingClient.getApplicationStatus(
      request: GetApplicationStatusRequest(applicationId: id))
    #expect(status.basicDetails.onboardingApplicationStatus == .applicationProcessed)
  }

  /// Waits for the end of the newest call of a method, which is a success.
  private func until(_ method: String) async throws {
    try await waitUntil("\(method) has ended") { ended.all.contains { $0.method == method } }
    #expect(ended.all.last { $0.method == method }?.code == nil, "\(method)")
  }

  private func update(_ begun: OnboardingOperationResponseDetails) async throws {
    let (sdk, id) = (sdk, begun.applicationId)
    try await quiet("onboarding/updatePersonalDetails") {
      OnboardingSamples.updatePersonalDetails(sdk: sdk, applicationId: id)
    }
    try await quiet("onboarding/updateContactDetails") {
      OnboardingSamples.updateContactDetails(sdk: sdk, applicationId: id)
    }
    let purpose = code("ACCOUNT_PURPOSE", "ACCOUNT_PURPOSE_TRAVELLING")
    let funds = code("SOURCE_OF_FUNDS", "PRIMARY_SOURCE_OF_FUNDS_GIFTS")
    try await quiet("onboarding/updateAccountDetails") {
      OnboardingSamples.updateAccountDetails(
        sdk: sdk, applicationId: id, accountPurpose: purpose, sourceOfFunds: funds, authorizedThirdPartyUsage: false)
    }
    try await quiet("onboarding/updateAddresses") {
      OnboardingSamples.updateAddresses(sdk: sdk, applicationId: id, address: FinapticApplicant.home)
    }
    let consent = code("CONSENT_TYPE", "CONSENT_TYPE_PRIVACY_POLICY")
    try await quiet("onboarding/updateConsents") {
      OnboardingSamples.updateConsents(sdk: sdk, applicationId: id, consent: consent)
    }
    try await quiet("onboarding/updateCustomerResidency") {
      OnboardingSamples.updateCustomerResidency(sdk: sdk, applicationId: id)
    }
    let disclosure = code("DISCLOSURE_TYPE", "DISCLOSURE_TYPE_DISCLOSURES_DURING_ISSUANCE_OF_PREPAID_CARD")
    try await quiet("onboarding/updateDisclosures") {
      OnboardingSamples.updateDisclosures(sdk: sdk, applicationId: id, disclosure: disclosure)
    }
    var office = FinapticApplicant.home
    office.type = AddressTypes.workAddressType
    let employment = code("EMPLOYMENT_STATUS", "EMPLOYMENT_STATUS_EMPLOYED")
    let (industry, occupation) = (
      code("INDUSTRY", "236110"), code("OCCUPATION", "OCCUPATION_8255_CONTRACTOR_AND_SUPERVISOR_LANDSCAPING")
    )
    try await quiet("onboarding/updateEmployment") {
      OnboardingSamples.updateEmployment(
        sdk: sdk, applicationId: id, employment: employment, industry: industry, occupation: occupation,
        address: office)
    }
    let preference = code("COMMUNICATION_PREFERENCE", "COMMUNICATION_PREFERENCES_EMAIL")
    try await quiet("onboarding/updateCommunicationPreferences") {
      OnboardingSamples.updateCommunicationPreferences(
        sdk: sdk, applicationId: id, communicationPreference: preference)
    }
    // The samples agree to a document of their own, which is kept and is not one that the bundle asks for (§5.4).
    _ = try await sdk.onboardingClient.updateConsents(
      request: UpdateConsentsRequest(
        onboardingApplicationId: id,
        consents: begun.consents.map {
          Consent(
            consentType: $0.documentType, consentTimestamp: app.now,
            documentNameAndVersion: $0.documentNameAndVersion, viewTimestamp: app.now)
        }))
    _ = try await sdk.onboardingClient.updateDisclosures(
      request: UpdateDisclosuresRequest(
        onboardingApplicationId: id,
        disclosures: begun.disclosures.map {
          Disclosure(
            disclosureType: $0.documentType, timestamp: app.now, documentNameAndVersion: $0.documentNameAndVersion)
        }))
  }

  private func validate(_ begun: OnboardingOperationResponseDetails) async throws {
    let (sdk, id) = (sdk, begun.applicationId)
    // The sample holds its screen weakly, as an app does.
    let screen = ScreenSamples(sdk: sdk)
    #expect(await heard { screen.createFileUploadURL(applicationId: id) } != "")
    withExtendedLifetime(screen) {}
    let applicant = FinapticApplicant(app: app, sdk: sdk, id: id)
    let (front, back) = (try await applicant.upload(), try await applicant.upload())
    let selfie = try await applicant.upload()
    let licence = code("DOCUMENT_TYPE", "DOCUMENT_TYPE_CANADIAN_DRIVERS_LICENSE")
    let ontario = code("STATE_CA", "ON")
    try await quiet("onboarding/validateDocuments") {
      ValidationSamples.validateDocuments(
        sdk: sdk, applicationId: id, documentType: licence, documentStateType: ontario, idFrontFileUpload: front,
        idBackFileUpload: back)
    }
    try await quiet("onboarding/validateSelfie") {
      ValidationSamples.validateSelfie(sdk: sdk, applicationId: id, selfieFileUpload: selfie)
    }
    try await quiet("onboarding/validateApplication") {
      ValidationSamples.validateApplication(sdk: sdk, applicationId: id)
    }
    try await quiet("onboarding/acceptApplication") { ValidationSamples.acceptApplication(sdk: sdk, applicationId: id) }
    let status = try await sdk.onboardingClient.getApplicationStatus(
      request: GetApplicationStatusRequest(applicationId: id))
    #expect(status.basicDetails.onboardingApplicationStatus == .applicationAccepted)
  }

  func playAuthentication() async throws {
    let sdk = sdk
    #expect(await heard { AuthenticationSamples.currentAuthState(sdk: sdk) } == "Current auth state: nil")
    #expect(await heard { AuthenticationSamples.signUp(sdk: sdk) } == "()")
    #expect(await heard { AuthenticationSamples.signIn(sdk: sdk) } == "AuthState(…)")
    #expect(await heard { AuthenticationSamples.currentAuthState(sdk: sdk) } != "Current auth state: nil")
    #expect(await heard { AuthenticationSamples.refreshAuthState(sdk: sdk) }.hasPrefix("Refreshed auth state: Opt"))
    let user = await heard { AuthenticationSamples.getUserInfo(authenticationClient: sdk.authenticationClient) }
    #expect(user.hasPrefix("Get user info success: AuthUserInfo(") && user.contains("sample@finaptic.com"))
    let credential = Credential(email: "sample@finaptic.com", password: "Password1234!@#$", username: "Username")
    #expect(
      await heard { AuthorizedUserSamples.signInToStepUp(sdk: sdk, credential: credential) }
        == "You may call removeAuthorizedUser")
    #expect(await heard { AuthenticationSamples.resetPassword(sdk: sdk) } == "Reset Password success")
    #expect(await heard { AuthenticationSamples.signOut(sdk: sdk) } == "Signed out")
    #expect(await heard { AuthenticationSamples.refreshAuthState(sdk: sdk) } == "Refreshed auth state: nil")
    #expect(
      await heard { ReferenceAndAddressSamples.getReferenceDataByType(sdk: sdk) }.contains("ACCOUNT_PURPOSE_TRAVELLING")
    )
    let begun = try await sdk.onboardingClient.initiateApplication(
      request: InitiateApplicationRequest(bundleId: "kycV1")
    ).basicDetails
    let suggested = await heard {
      ReferenceAndAddressSamples.getSuggestions(sdk: sdk, onboardingApplicationId: begun.applicationId)
    }
    #expect(!suggested.contains("error"), "\(suggested)")
  }

  func playTheRest() async throws {
    let (sdk, id) = (sdk, "00000000-0000-4000-8000-000000000000")
    let none = Amount(amount: 0, currency: "CAD")
    let account = Account(
      id: id, balance: Balance(actual: none, available: none), name: "", sourceDomain: "", owners: [],
      authorizedUsers: [])
    let invitation = AuthorizedUserInvitation(
      invitationId: id, issuerCustomerId: id, invitedCustomerId: id, accountId: id, status: .pending,
      creationTime: app.now, expirationTime: app.now)
    let transaction = Transaction(
      transactionId: id, lifecycleTransactionId: id, amount: none, transactorName: "",
      balance: Balance(actual: none, available: none), transactionState: .posted, transactionType: .credit,
      accountId: id, category: "", transactionTime: app.now, accountDomain: "", initiatingDomain: "")
    let screen = ScreenSamples(sdk: sdk)
    let samples: [() -> Void] = [
      { AuthorizedUserSamples.inviteAuthorizedUser(sdk: sdk, account: account) },
      { AuthorizedUserSamples.acceptAuthorizedUserInvitation(sdk: sdk, invitation: invitation) },
      { AuthorizedUserSamples.declineAuthorizedUserInvitation(sdk: sdk, invitation: invitation) },
      { AuthorizedUserSamples.confirmAuthorizedUserInvitation(sdk: sdk, invitation: invitation) },
      { AuthorizedUserSamples.getInvitations(sdk: sdk) { _ in } },
      { screen.removeAuthorizedUser(accountId: id, authorizedUserId: id) },
      { BankingSamples.getAccountDetails(sdk: sdk, accountId: id) }, { BankingSamples.getCard(sdk: sdk, cardId: id) },
      { BankingSamples.listCards(sdk: sdk) }, { BankingSamples.createCardSDKSignOnToken(sdk: sdk, cardId: id) },
      { screen.startChat(displayName: "Ada", subject: "Help") }, { HelpCenterSamples.listChatThreads(sdk: sdk) },
      { HelpCenterSamples.listChatHistory(sdk: sdk, contactId: id) },
      { DistributionSamples.registerChannel(sdk: sdk, registrationId: "r", deviceId: "d") },
      { InteracSamples.createRegistration(sdk: sdk, account: account) },
      { InteracSamples.listAutodepositRegistrations(sdk: sdk, account: account) },
      { InteracSamples.updateRegistration(sdk: sdk, accountId: id, registrationId: id) },
      { InteracSamples.deleteRegistration(sdk: sdk, registrationId: id) },
      { AccountSamples.listAccounts(sdk: sdk) }, { AccountSamples.getAccount(sdk: sdk, accountId: id) },
      { AccountSamples.listAuthorizedUsers(sdk: sdk, accountId: id) },
      { AccountSamples.listOwners(sdk: sdk, accountId: id) },
      { AccountSamples.listTransactions(sdk: sdk, accountId: id) },
      { AccountSamples.getTransferDetails(sdk: sdk, transaction: transaction) },
      { AccountSamples.initiateTransfer(sdk: sdk, sourceAccount: account, destinationAccount: account) },
      { PersonalFinanceSamples.getTransactions(sdk: sdk, accountId: id) },
      { PersonalFinanceSamples.getTransaction(sdk: sdk, transactionId: id) },
      {
        ErrorSamples.errors(sdk: sdk, request: InitiateApplicationRequest(bundleId: "no such bundle"))
      },
    ]
    for (number, play) in samples.enumerated() {
      let text = await heard(play)
      // No user is signed in: the right answers are that, and what is wrong with the request.
      let isRefused = ["UNAUTHENTICATED", "INVALID_ARGUMENT"].contains { text.contains($0) }
      #expect(isRefused, "sample \(number): \(text)")
    }
  }
}
