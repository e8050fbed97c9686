// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import FinapticSamples
import Foundation
import GatehouseWire
import Kit
import Testing

@testable import GatehouseApp

/// Transfers and Interac as an app has them, through the SDK, with the world around the sandbox played.
@Suite("Finaptic money: through the SDK", .serialized)
@MainActor
struct FinapticMoneyJourneyTests {
  private nonisolated static let remittance = """
    [{"referred_document_information":[{"type":{"code_or_proprietary":{"code":"PUOR"}},"number":"7",
    "related_date":"2021-08-19"}],"invoicer":{"name":"Works","postal_address":{"address_type":{"code":"BIZZ"},
    "town_name":"Toronto"}},"additional_remittance_information":["Thank you"]}]
    """

  @Test("a deposit, a transfer, one that is declined, and what each of them is called")
  func transfers() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, customer, first) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let second = try await app.account(of: customer)
      let deposited = try await app.simulation().deposit(
        .init(accountId: first, amount: .init(amount: "10.00", currency: "CAD")), key: UUID().uuidString)
      let client = sdk.coreTransferClient
      func move(_ amount: Decimal) async throws -> Finaptic.InitiateTransferResponse {
        try await client.initiateTransfer(
          request: InitiateTransferRequest(
            sourceAccountId: first, destinationAccountId: second, fundTransfer: Amount(amount: amount, currency: "CAD"))
        )
      }
      let moved = try await move(4)
      #expect(moved.reason.isEmpty && moved.details.status == .completed && moved.details.customerRole == .initiator)
      #expect(moved.details.transferType == .internalAccountToAccount)
      #expect(moved.details.counterparty == Counterparty(legalName: "Ada Byron"))
      let details = try await client.getTransferDetails(
        request: GetTransferDetailsRequest(transactionId: moved.details.transactionId))
      #expect(details == moved.details)
      let declined = try await move(7)
      #expect(!declined.reason.isEmpty && declined.details.status == .declined)
      let one = try await sdk.personalFinanceManagementClient.getTransaction(
        request: GetTransactionRequest(transactionId: moved.details.transactionId)
      ).transaction
      #expect(one.transactionType == .debit && one.amount.amount == -4 && one.initiatingDomain == "core-transfer")
      let targets = try await client.listTargetAccounts(
        request: ListTargetAccountsRequest(transferType: .internalAccountToAccount, pageSize: 5))
      #expect(targets.accounts.map(\.id).sorted() == [first, second].sorted())
      #expect(
        await Self.code {
          _ = try await client.getTransferDetails(
            request: GetTransferDetailsRequest(transactionId: deposited.transactionId))
        } == .transInvalidTransaction)
      try await playTransfers(sdk, first, second, one)
    }
  }

  @Test("an app that lost the answer asks for the outcome by its key, and repeats the transfer safely")
  func transferOfTheAppsKey() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, customer, first) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let second = try await app.account(of: customer)
      _ = try await app.simulation().deposit(
        .init(accountId: first, amount: .init(amount: "10.00", currency: "CAD")), key: UUID().uuidString)
      let client = sdk.coreTransferClient
      let key = UUID()
      func move(_ amount: Decimal) async throws -> Finaptic.InitiateTransferResponse {
        try await client.initiateTransfer(
          request: InitiateTransferRequest(
            sourceAccountId: first, destinationAccountId: second, fundTransfer: Amount(amount: amount, currency: "CAD"),
            idempotencyKey: key))
      }
      func outcome(_ key: UUID) async throws -> TransferTransactionDetails {
        try await client.getTransferDetails(request: GetTransferDetailsRequest(idempotencyKey: key))
      }
      #expect(await Self.code { _ = try await outcome(key) } == .transInvalidTransaction)
      let moved = try await move(4)
      #expect(try await outcome(key) == moved.details)
      #expect(try await move(4) == moved)
      #expect(await Self.code { _ = try await move(5) } == .aborted)
      #expect(await Self.code { _ = try await outcome(UUID()) } == .transInvalidTransaction)
      let account = try await sdk.coreTransactionClient.getAccount(request: GetAccountRequest(accountId: first))
      #expect(account.balance.available.amount == 6)
    }
  }

  @Test("an alias is registered and confirmed, and money to it comes by itself with its remittance")
  func autodeposit() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _, account) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let created = try await sdk.interacClient.createRegistration(
        request: CreateRegistrationRequest(
          registration: Registration(accountId: account, aliasEmail: "pay@example.ca"))
      ).registration
      let id = try #require(created.registrationId)
      #expect(created.expiryDate.map { $0 > app.now + 364 * 86_400 } == true)
      let simulation = try await app.simulation()
      _ = try await app.app.database.write { try simulation.confirm(.init(registrationId: id), in: $0) }
      let sent = try await app.send(to: "pay@example.ca") {
        $0.remittance = .init(unstructured: .init(data: "Invoice 7"), structured: Self.remittance)
      }
      let details = try await sdk.coreTransferClient.getTransferDetails(
        request: GetTransferDetailsRequest(transactionId: try #require(sent.transactionId)))
      #expect(details.transferType == .interacAutodeposit && details.customerRole == .recipient)
      #expect(details.status == .completed && details.clearingSystemRefNumber == sent.interacPaymentNumber)
      #expect(details.counterparty?.legalName == "Grace Hopper")
      #expect(details.remittance?.unstructured?.data == "Invoice 7")
      let document = try #require(details.remittance?.structured.first)
      #expect(document.referredDocumentInformation.first?.type?.codeOrProprietary.code == .PUOR)
      #expect(document.invoicer?.postalAddress?.addressType?.code == .BIZZ)
      #expect(document.additionalRemittanceInformation == ["Thank you"])
      try await playRegistrations(sdk, account, id)
    }
  }

  @Test("money that waits is asked for, answered and taken")
  func questions() async throws {
    try await FinapticTestApp.run { app in
      let (sdk, _, account) = try await FinapticApplicant.customer(in: app, email: "ada@example.ca")
      let number = try await app.send(to: "else@example.ca") {
        ($0.securityQuestion, $0.securityAnswer) = ("Colour?", "Été")
      }.interacPaymentNumber
      let waiting = try await sdk.coreTransferClient.getIncomingTransferDetails(
        request: GetIncomingTransferDetailsRequest(interacPaymentNumber: number)
      ).transferDetails
      #expect(waiting.transferStatus == .available && waiting.securityQuestion == "Colour?")
      func answer(_ text: String) async throws -> Finaptic.AuthenticateIncomingTransferResponse {
        try await sdk.interacClient.authenticateIncomingTransfer(
          request: AuthenticateIncomingTransferRequest(interacPaymentNumber: number, securityAnswer: text))
      }
      let wrong = try await answer("Winter")
      #expect(!wrong.success && wrong.retryAllowed)
      #expect(try await answer(" été ").success)
      let taken = try await sdk.interacClient.completeIncomingTransfer(
        request: CompleteIncomingTransferRequest(interacPaymentNumber: number, targetAccountId: account))
      let details = try await sdk.coreTransferClient.getTransferDetails(
        request: GetTransferDetailsRequest(transactionId: taken.transactionId))
      #expect(details.transferType == .interacRegularPayment && details.status == .completed)
      let declined = try await app.send(to: "else@example.ca").interacPaymentNumber
      let end = try await sdk.interacClient.declineIncomingTransfer(
        request: DeclineIncomingTransferRequest(interacPaymentNumber: declined))
      #expect(end.interacPaymentNumber == declined)
    }
  }

  // MARK: The seed's samples, signed in: they print how it went

  private func playTransfers(
    _ sdk: FinapticSDK, _ first: String, _ second: String, _ transaction: Finaptic.Transaction
  ) async throws {
    let moved = await Self.heard {
      AccountSamples.initiateTransfer(
        sdk: sdk, sourceAccount: Self.account(first), destinationAccount: Self.account(second))
    }
    #expect(moved.hasPrefix("Initiate transfer success: "), "\(moved)")
    let details = await Self.heard { AccountSamples.getTransferDetails(sdk: sdk, transaction: transaction) }
    #expect(details.hasPrefix("Get TransferTransactionDetails success: "), "\(details)")
  }

  private func playRegistrations(_ sdk: FinapticSDK, _ account: String, _ id: String) async throws {
    let created = await Self.heard { InteracSamples.createRegistration(sdk: sdk, account: Self.account(account)) }
    #expect(created.hasPrefix("Create autodeposit registration success"), "\(created)")
    let listed = await Self.heard {
      InteracSamples.listAutodepositRegistrations(sdk: sdk, account: Self.account(account))
    }
    #expect(listed.hasPrefix("Autodeposit registration for"), "\(listed)")
    let updated = await Self.heard {
      InteracSamples.updateRegistration(sdk: sdk, accountId: account, registrationId: id)
    }
    #expect(updated.hasPrefix("Update autodeposit registration success"), "\(updated)")
    let deleted = await Self.heard { InteracSamples.deleteRegistration(sdk: sdk, registrationId: id) }
    #expect(deleted.hasPrefix("Delete autodeposit registration success"), "\(deleted)")
  }

  // MARK: What they share

  static func code(_ call: () async throws -> Void) async -> FinapticErrorCode? {
    do { try await call() } catch { return (error as? FinapticError)?.code }
    return nil
  }

  private static func heard(_ sample: () -> Void) async -> String { await Transcript.heard(sample) }

  private static func account(_ id: String) -> Account {
    let none = Amount(amount: 0, currency: "CAD")
    return Account(
      id: id, balance: Balance(actual: none, available: none), name: "", sourceDomain: "", owners: [],
      authorizedUsers: [])
  }
}

extension FinapticTestApp {
  /// Another account of a customer's.
  func account(of customer: String) async throws -> String {
    let (id, ledger, tenant) = (clock.world.randomUUID(), app.finaptic.dependencies.ledger, BankAccount.ledgerTenant(7))
    try await app.database.write { tx in
      _ = try ledger.open(
        .init(
          id: .init(rawValue: id), tenant: tenant, product: AccountProduct.current.code, name: "Second",
          owners: [customer]), in: tx)
      _ = try ledger.activate(.init(rawValue: id), tenant: tenant, in: tx)
    }
    return id
  }

  func simulation() async throws -> MoneySimulation {
    try app.finaptic.dependencies.simulation(of: try await app.finaptic.dependencies.tenants.find(7), by: "test")
  }

  /// Sends the customer 25 dollars by Interac.
  func send(
    to email: String, _ change: (inout SimulationBodies.Transfer) -> Void = { _ in }
  ) async throws -> SimulationBodies.Sent {
    let simulation = try await simulation()
    var body = SimulationBodies.Transfer(amount: .init(amount: "25.00", currency: "CAD"), senderName: "Grace Hopper")
    body.aliasEmail = email
    change(&body)
    let (new, asked) = (simulation.new(), body)
    return try await app.database.write { try simulation.send(asked, new, in: $0) }
  }
}
