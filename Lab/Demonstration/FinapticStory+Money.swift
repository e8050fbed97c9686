// SPDX-License-Identifier: Apache-2.0

import Finaptic
import FinapticFlow
import Foundation
import GatehouseApp
import GatehouseWire
import Kit
import Ledger

extension FinapticStory {
  /// The account that the story's applicant got: money comes onto it by autodeposit, and by an answered question.
  func receiveMoney(in app: App) async throws {
    let (sdk, world) = (play.sdk, try await DemoTenant.simulation(in: app))
    let found = try await sdk.coreTransactionClient.listAccounts(request: ListAccountsRequest(pageSize: 5)).accounts
    guard let account = found.first?.id else { throw Broken() }
    var registration: String?
    try await step("createRegistration", shows: "payee@utopia.example") {
      let made = try await sdk.interacClient.createRegistration(
        request: CreateRegistrationRequest(
          registration: Registration(accountId: account, aliasEmail: "payee@utopia.example"))
      ).registration
      registration = made.registrationId
      return (made.aliasEmail ?? "nothing", made.expiryDate.map { "until \($0)" } ?? "")
    }
    guard let registration else { throw Broken() }
    try await step("the alias is confirmed, and money comes", shows: "interacAutodeposit, completed, Invoice 7") {
      _ = try await app.database.write { try world.confirm(.init(registrationId: registration), in: $0) }
      var transfer = SimulationBodies.Transfer(
        amount: .init(amount: "25.00", currency: "CAD"), senderName: "Raphael Hythloday")
      transfer.aliasEmail = "payee@utopia.example"
      transfer.remittance = .init(unstructured: .init(data: "Invoice 7"))
      let (new, asked) = (world.new(), transfer)
      let sent = try await app.database.write { try world.send(asked, new, in: $0) }
      let details = try await sdk.coreTransferClient.getTransferDetails(
        request: GetTransferDetailsRequest(transactionId: sent.transactionId ?? ""))
      return (
        "\(details.transferType), \(details.status), \(details.remittance?.unstructured?.data ?? "")",
        details.counterparty?.legalName ?? ""
      )
    }
    try await step("a question is answered, and the money taken", shows: "right, 65.00") {
      var transfer = SimulationBodies.Transfer(
        amount: .init(amount: "40.00", currency: "CAD"), senderName: "Raphael Hythloday")
      transfer.aliasEmail = "other@utopia.example"
      (transfer.securityQuestion, transfer.securityAnswer) = ("Which island?", "Utopia")
      let (new, asked) = (world.new(), transfer)
      let number = try await app.database.write { try world.send(asked, new, in: $0) }.interacPaymentNumber
      let answer = try await sdk.interacClient.authenticateIncomingTransfer(
        request: AuthenticateIncomingTransferRequest(interacPaymentNumber: number, securityAnswer: "utopia"))
      _ = try await sdk.interacClient.completeIncomingTransfer(
        request: CompleteIncomingTransferRequest(interacPaymentNumber: number, targetAccountId: account))
      let balance = try await sdk.coreTransactionClient.getAccount(request: GetAccountRequest(accountId: account))
        .balance
      return ("\(answer.success ? "right" : "wrong"), \(Self.cents(balance.actual.amount))", number)
    }
  }

  private static func cents(_ amount: Decimal) -> String {
    Money(decimal: "\(amount)", currency: "CAD")?.decimal ?? "\(amount)"
  }
}

extension DemoTenant {
  /// The world around it.
  static func simulation(in app: App) async throws -> MoneySimulation {
    try app.finaptic.dependencies.simulation(of: try await app.finaptic.dependencies.tenants.find(1), by: "demo")
  }
}
