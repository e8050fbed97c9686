// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import Kit
import Testing

@testable import GatehouseApp

@Suite("Finaptic money: every refusal through the SDK", .onOneEngine)
struct FinapticMoneyRefusalTests {
  private static let unknown = "00000000-0000-4000-8000-000000000000"

  private func expect(
    _ code: FinapticErrorCode, _ call: () async throws -> Void, line: Int = #line
  ) async {
    do {
      try await call()
      Issue.record("line \(line): it was done")
    } catch { #expect((error as? FinapticError)?.code == code, "line \(line): \(error)") }
  }

  private func register(
    _ sdk: FinapticSDK, _ account: String, email: String? = nil, phone: String? = nil
  ) async throws {
    _ = try await sdk.interacClient.createRegistration(
      request: CreateRegistrationRequest(
        registration: Registration(
          accountId: account, aliasEmail: email, aliasPhoneNumber: phone.map { PhoneNumber(phoneNumber: $0) })))
  }

  @Test("of registrations")
  func registrations() async throws {
    try await FinapticTestApp.run { app in
      let (ada, _, own) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let (bob, _, other) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      try await register(ada, own, email: "one@example.ca")
      await expect(.transInteracAliasInUse) { try await register(ada, own, email: "ONE@example.ca") }
      await expect(.transInteracInvalidAccount) { try await register(ada, other, email: "two@example.ca") }
      await expect(.transInteracInvMobNumber) { try await register(ada, own, phone: "+1-514555012") }
      await expect(.transInteracInvMobAreacode) { try await register(ada, own, phone: "+1-2125550123") }
      await expect(.invalidArgument) {
        try await register(ada, own, email: "two@example.ca", phone: "+1-5145550123")
      }
      try await register(ada, own, phone: "+1-5145550123")
      for number in 3...5 { try await register(ada, own, email: "n\(number)@example.ca") }
      await expect(.transInteracRegCountExceeded) { try await register(ada, own, email: "n6@example.ca") }
      let listed = try await ada.interacClient.listAutodepositRegistrations(
        request: ListAutodepositRegistrationsRequest(accountId: own)
      ).registrations
      #expect(listed.count == 5)
      let id = try #require(listed.first { $0.aliasEmail == "one@example.ca" }?.registrationId)
      await expect(.transInteracInvalidAccount) {
        _ = try await ada.interacClient.listAutodepositRegistrations(
          request: ListAutodepositRegistrationsRequest(accountId: other))
      }
      await expect(.transInteracInvalidAccount) {
        _ = try await ada.interacClient.updateRegistration(
          request: UpdateRegistrationRequest(registrationId: id, accountId: other))
      }
      await expect(.unauthorized) {
        _ = try await bob.interacClient.updateRegistration(
          request: UpdateRegistrationRequest(registrationId: id, accountId: other))
      }
      for name in [id, Self.unknown] {
        await expect(.unauthorized) {
          _ = try await bob.interacClient.deleteRegistration(request: DeleteRegistrationRequest(registrationId: name))
        }
      }
    }
  }

  @Test("of transfers")
  func transfers() async throws {
    try await FinapticTestApp.run { app in
      let (ada, customer, own) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let (_, _, other) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      let second = try await app.account(of: customer)
      func move(_ amount: Decimal, _ from: String, _ to: String, _ currency: String = "CAD", by sdk: FinapticSDK)
        async throws
      {
        _ = try await sdk.coreTransferClient.initiateTransfer(
          request: InitiateTransferRequest(
            sourceAccountId: from, destinationAccountId: to, fundTransfer: Amount(amount: amount, currency: currency)))
      }
      await expect(.invalidArgument) { try await move(0, own, second, by: ada) }
      await expect(.invalidArgument) { try await move(-1, own, second, by: ada) }
      await expect(.invalidArgument) { try await move(Decimal(string: "0.001") ?? 0, own, second, by: ada) }
      await expect(.invalidArgument) { try await move(1, own, second, "USD", by: ada) }
      await expect(.invalidArgument) { try await move(1, own, own, by: ada) }
      for (from, to) in [(other, own), (own, other), (Self.unknown, own), (own, Self.unknown)] {
        await expect(.permissionDenied) { try await move(1, from, to, by: ada) }
      }
      let nobody = try await app.phone()
      await expect(.unauthenticated) { try await move(1, own, second, by: nobody) }
      await expect(.transInvalidTransaction) {
        _ = try await ada.coreTransferClient.getTransferDetails(
          request: GetTransferDetailsRequest(transactionId: Self.unknown))
      }
      await expect(.invalidArgument) {
        _ = try await ada.coreTransferClient.listTargetAccounts(
          request: ListTargetAccountsRequest(transferType: .unspecified, pageSize: 1))
      }
      await expect(.invalidArgument) {
        _ = try await ada.coreTransferClient.listTargetAccounts(
          request: ListTargetAccountsRequest(transferType: .interacAutodeposit, pageSize: 0))
      }
    }
  }

  @Test("of money that waits")
  func incoming() async throws {
    try await FinapticTestApp.run { app in
      let (ada, customer, own) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let (bob, _, other) = try await FinapticApplicant.customer(in: app, email: "bob@example.ca")
      func answer(_ number: String, _ text: String, by sdk: FinapticSDK) async throws {
        _ = try await sdk.interacClient.authenticateIncomingTransfer(
          request: AuthenticateIncomingTransferRequest(interacPaymentNumber: number, securityAnswer: text))
      }
      func take(_ number: String, by sdk: FinapticSDK, onto account: String) async throws {
        _ = try await sdk.interacClient.completeIncomingTransfer(
          request: CompleteIncomingTransferRequest(interacPaymentNumber: number, targetAccountId: account))
      }
      func decline(_ number: String, by sdk: FinapticSDK) async throws {
        _ = try await sdk.interacClient.declineIncomingTransfer(
          request: DeclineIncomingTransferRequest(interacPaymentNumber: number))
      }
      func asked(_ customer: String? = nil) async throws -> String {
        try await app.send(to: "x@example.ca") {
          ($0.securityQuestion, $0.securityAnswer, $0.customerId) = ("Colour?", "Blue", customer)
        }.interacPaymentNumber
      }
      await expect(.transInteracInvalidTransfer) { try await answer("CA0000000000", "blue", by: ada) }
      await expect(.transInteracInvalidTransfer) { try await take("CA0000000000", by: ada, onto: own) }
      await expect(.transInteracInvalidTransfer) { try await decline("CA0000000000", by: ada) }
      await expect(.transInteracInvalidTransfer) {
        _ = try await ada.coreTransferClient.getIncomingTransferDetails(
          request: GetIncomingTransferDetailsRequest(interacPaymentNumber: "CA0000000000"))
      }
      let number = try await asked(customer)
      for call in [
        { try await answer(number, "blue", by: bob) }, { try await take(number, by: bob, onto: other) },
        { try await decline(number, by: bob) },
      ] as [() async throws -> Void] { await expect(.transInteracInconsistentCustomer, call) }
      await expect(.transInteracAuthenticationRequired) { try await take(number, by: ada, onto: own) }
      try await answer(number, "blue", by: ada)
      await expect(.transInteracPreviousTransferInProgress) { try await answer(number, "blue", by: ada) }
      await expect(.transInteracInvalidAccount) { try await take(number, by: ada, onto: other) }
      try await take(number, by: ada, onto: own)
      await expect(.transInteracAlreadyAccepted) { try await answer(number, "blue", by: ada) }
      await expect(.transInteracAlreadyAccepted) { try await decline(number, by: ada) }
      let gone = try await asked()
      try await decline(gone, by: ada)
      await expect(.transInteracAlreadyCancelled) { try await answer(gone, "blue", by: ada) }
      await expect(.transInteracAlreadyCancelled) { try await decline(gone, by: ada) }
      let large = try await app.send(to: "x@example.ca") { $0.amount = .init(amount: "10000.00", currency: "CAD") }
      await expect(.transInteracTransferLimitsExceeded) {
        try await take(large.interacPaymentNumber, by: ada, onto: own)
      }
    }
  }
}
