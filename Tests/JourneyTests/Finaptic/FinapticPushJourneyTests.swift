// SPDX-License-Identifier: Apache-2.0

import Ledger
import Finaptic
import FinapticFlow
import FinapticSamples
import Foundation
import Kit
import Synchronization
import Testing

@testable import GatehouseApp

@Suite("Finaptic: a transaction reaches the phone and the tenant's server", .serialized)
struct FinapticPushJourneyTests {
  private let credential = Credential(email: "john@example.ca", password: "Quartz7Lantern", username: "john")
  private static let cash = InternalAccounts.account(.cash, tenant: 7)

  /// A new customer, on a phone that is signed in.
  private func customer(_ app: FinapticTestApp) async throws -> (sdk: FinapticSDK, customer: String) {
    let applicant = try await FinapticApplicant.ready(
      in: app, .init(firstName: "Ada", lastName: "Doe"))
    _ = try await applicant.documents()
    _ = try await applicant.selfie()
    _ = try await applicant.application()
    _ = try await applicant.accept()
    try await applicant.sdk.authenticationClient.signUp(request: SignUpRequest(credential: credential))
    _ = try await applicant.sdk.authenticationClient.signIn(request: SignInRequest(credential: credential))
    let answer = try await applicant.sdk.onboardingClient.finalizeApplicationCreateCustomer(
      request: FinalizeApplicationCreateCustomerRequest(onboardingApplicationId: applicant.id))
    return (applicant.sdk, try #require(answer.customerId))
  }

  /// Opens an account of the customer's and pays in.
  private func deposit(_ app: FinapticTestApp, to customer: String) async throws {
    let ledger = app.app.finaptic.dependencies.ledger
    let account = LedgerAccount.ID(rawValue: "10000000-0000-4000-8000-000000000001")
    try await app.app.database.write { tx in
      try InternalAccounts(ledger).prepare(7, in: tx)
      let opening = LedgerOpening(
        id: account, tenant: BankAccount.ledgerTenant(7), product: AccountProduct.current.code, name: "Current",
        owners: [customer])
      _ = try ledger.open(opening, in: tx)
      _ = try ledger.activate(account, tenant: opening.tenant, in: tx)
    }
    _ = try await ledger.transfer(
      TransferOrder(.deposit, tenant: 7, key: "d-1", debit: Self.cash, credit: account, amount: Money(12_000, "CAD")))
    try await app.settle()
  }

  @Test("what ends every session of a user also ends the pushes to the devices that were registered in them")
  func afterSessions() async throws {
    for isBlock in [true, false] {
      try await FinapticTestApp.run { app in
        let (sdk, customer) = try await customer(app)
        try await sdk.distributionClient.registerChannel(
          request: RegisterPushNotificationChannelRequest(deviceId: "of a thief", registrationId: "fcm:thief"))
        let dependencies = app.app.finaptic.dependencies
        if isBlock {
          _ = try await dependencies.users.setBlocked(true, credential.email ?? "", tenant: 7, by: "test")
        } else {
          try await sdk.authenticationClient.resetPassword(
            request: ResetRequest(email: credential.email ?? ""))
          try await app.settle()
          let mail = try await app.app.devOutbox.list().map(\.message.body).first { $0.contains("reset-password/") }
          let token = try #require(mail?.firstMatch(of: /reset-password\/([A-Za-z0-9_-]+)/)).1
          try await dependencies.passwordReset.set("Zebrafish7Lantern", by: String(token))
        }
        try await deposit(app, to: customer)
        #expect(try await !app.app.devOutbox.list().contains { $0.message.channel == .push })
      }
    }
  }

  @Test("the SDK registers the phone, money comes in, and the SDK reads what the push says")
  func whole() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, customer) = try await customer(app)
      try await sdk.distributionClient.registerChannel(
        request: RegisterPushNotificationChannelRequest(deviceId: "phone", registrationId: "fcm:token"))
      _ = try await app.app.webhooks.add(
        "http://127.0.0.1:1/hooks", tenant: FinapticTenant.webhooks(7), events: ["TransactionCreated"], by: "test")
      try await deposit(app, to: customer)
      try await app.settle()
      let push = try #require(try await app.app.devOutbox.list().map(\.message).first { $0.channel == .push })
      let told = Finaptic.TransactionCreatedEvent(userInfo: push.data ?? [:])
      let event = try #require(told)
      #expect(event.amount == 120 && event.availableBalance == 120 && event.actualBalance == 120)
      // The ledger counts in microseconds, and no two of an account's are the same.
      #expect((app.now..<(app.now + 0.001)).contains(event.transactionTime))
      #expect(push.subject == "Journey" && push.about == customer)
      // There is no server at that address; the push waits for a day.
      let delivery = try #require(try await app.app.webhooks.log(.init()).first)
      #expect(delivery.type == "TransactionCreated" && delivery.state == .pending && delivery.tries == 1)
    }
  }

  @Test("the seed's sample, signed in")
  @MainActor
  func sample() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _) = try await customer(app)
      try await Self.play(sdk)
    }
  }

  @MainActor
  private static func play(_ sdk: FinapticSDK) async throws {
    let told = await Transcript.heard {
      DistributionSamples.registerChannel(sdk: sdk, registrationId: "fcm:token", deviceId: "phone")
    }
    #expect(told == "Register channel success")
  }

  @Test("what the SDK is told of an invalid registration, and without a signed-in user")
  func refusals() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _) = try await customer(app)
      do throws(FinapticError) {
        try await sdk.distributionClient.registerChannel(
          request: RegisterPushNotificationChannelRequest(deviceId: "", registrationId: "a b"))
        Issue.record("registered")
      } catch { #expect(error.code == .invalidArgument) }
      let nobody = try await app.phone()
      do throws(FinapticError) {
        try await nobody.distributionClient.registerChannel(
          request: RegisterPushNotificationChannelRequest(deviceId: "d", registrationId: "r"))
        Issue.record("registered")
      } catch { #expect(error.code == .unauthenticated) }
    }
  }
}
