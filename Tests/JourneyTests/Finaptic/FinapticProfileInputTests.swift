// SPDX-License-Identifier: Apache-2.0

import Finaptic
import Foundation
import Testing

/// What an applicant may write.
@Suite(
  "Finaptic profiles: input", .onOneEngine,
  .enabled(if: !FinapticProfile.files.isEmpty, "no profiles beside the checkout"))
struct FinapticProfileInputTests {
  @Test("every profile of these categories can be read")
  func readable() throws {
    for category in ["kyc", "retryScript", "ageOfMajority", "address", "personName", "signUp"] {
      #expect(try FinapticProfile.of(category).count == FinapticProfile.count(category), "\(category)")
    }
  }

  @Test("addresses", arguments: FinapticProfile.of("address"))
  func addresses(profile: FinapticProfile) async throws {
    let expect = try #require(profile.expect)
    let home = try #require(profile.input.address)
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.begun(in: app)
      do throws(FinapticError) {
        let details = try await applicant.live(at: home)
        #expect(expect.error == nil && details.requestStatus == expect.requestStatus)
        if let status = expect.status { #expect(details.onboardingApplicationStatus.rawValue == status) }
      } catch {
        #expect(error.code.word == expect.error)
        if let field = expect.fieldViolation { #expect(error.fieldViolations.contains { $0.field == field }) }
      }
    }
  }

  @Test("names of persons", arguments: FinapticProfile.of("personName"))
  func names(profile: FinapticProfile) async throws {
    let expect = try #require(profile.expect)
    try await FinapticTestApp.run { app in
      let applicant = try await FinapticApplicant.begun(in: app)
      do throws(FinapticError) {
        let details = try await applicant.name(profile.input.names)
        #expect(expect.error == nil && details.requestStatus == expect.requestStatus)
      } catch { #expect(error.code.word == expect.error && !error.fieldViolations.isEmpty) }
    }
  }

  @Test("signing up", arguments: FinapticProfile.of("signUp"))
  func signUp(profile: FinapticProfile) async throws {
    let expect = try #require(profile.expect)
    let input = profile.input
    let credential = Credential(email: input.email, password: input.password ?? "", username: input.username)
    try await FinapticTestApp.run { app in
      let client = try await app.phone().authenticationClient
      do throws(FinapticError) {
        try await client.signUp(request: SignUpRequest(credential: credential))
        #expect(expect.success == true)
        // And the user can come in.
        let state = try await client.signIn(request: SignInRequest(credential: credential))
        #expect(!state.accessToken.isEmpty)
      } catch { #expect(error.code.word == expect.error) }
    }
  }

  @Test(
    "data for accounts and cards is asked only of signed-in users",
    arguments: ["autodeposit", "internalTransfer", "cardPayment"])
  func strangers(category: String) async throws {
    try await FinapticTestApp.run { app in
      let sdk = try await app.phone()
      let code = await category.answer(of: sdk)
      #expect(code == .unauthenticated, "\(category): \(code?.word ?? "done")")
    }
  }
}

extension String {
  /// What the server says to a call of the category; nil when it does it.
  fileprivate func answer(of sdk: FinapticSDK) async -> FinapticErrorCode? {
    do throws(FinapticError) {
      switch self {
      case "autodeposit":
        _ = try await sdk.interacClient.createRegistration(
          request: CreateRegistrationRequest(
            registration: Registration(accountId: "00000000-0000-4000-8000-000000000000", aliasEmail: "a@example.ca")))
      case "internalTransfer":
        _ = try await sdk.coreTransferClient.getTransferDetails(
          request: GetTransferDetailsRequest(transactionId: "00000000-0000-4000-8000-000000000000"))
      default:
        _ = try await sdk.coreCardClient.listCards(request: ListCardsRequest(pageSize: 1))
      }
      return nil
    } catch { return error.code }
  }
}
