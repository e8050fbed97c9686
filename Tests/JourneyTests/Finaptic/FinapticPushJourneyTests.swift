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

  @Test("the SDK registers the phone, money comes in, and the SDK reads what the push says")
  func whole() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, customer) = try await customer(app)
      try await sdk.distributionClient.registerChannel(
        request: RegisterPushNotificationChannelRequest(deviceId: "phone", registrationId: "fcm:token"))
      _ = try await app.app.webhooks.add(
        "http://127.0.0.1:1/hooks", tenant: FinapticTenant.webhooks(7), events: ["TransactionCreated"], by: "test")
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
      _ = try await app.app.finaptic.dependencies.ledger.transfer(
        TransferOrder(
          .deposit, tenant: 7, key: "d-1", debit: Self.cash, credit: account, amount: Money(12_000, "CAD")))
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
    _ = Transcript.take()
    DistributionSamples.registerChannel(sdk: sdk, registrationId: "fcm:token", deviceId: "phone")
    while Transcript.lines.isEmpty { await Task.yield() }
    #expect(Transcript.take() == ["Register channel success"])
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
