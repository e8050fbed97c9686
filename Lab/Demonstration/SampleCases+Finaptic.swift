// SPDX-License-Identifier: Apache-2.0
import Conversations
import FinapticFlow
import Foundation
import GatehouseApp
import Kit
import Ledger
import Payments

/// What waits at the sample bank of Finaptic, which the sandbox has before samples are played.
extension SampleCases {
  private static let bank = SandboxSeed.finapticTenant
  private static let otherBank = Agent(bic: BIC("DEUTDEFF"))
  private static let currency = "CAD"

  /// A customer who waits for an answer.
  func playQuestion(_ subject: String, _ text: String) async throws {
    let (conversations, customer) = (app.finaptic.dependencies.conversations, app.world.uuid())
    try await app.database.write { tx in
      let opened = try conversations.begin(
        subject, by: customer, called: "Ada Anyder", tenant: "finaptic-\(Self.bank)", in: tx)
      _ = try conversations.write(text, clientID: nil, over: opened.contact, of: opened.conversation, in: tx)
    }
  }

  /// Money that came for an account that the bank does not know, and that the other bank asks back: two cases.
  func playRecall() async throws {
    let own = try await settlement()
    guard let created = MessageTime(app.world.now().rfc3339) else { throw DemoStory.Broken() }
    let name = "S\(app.world.uuid().replacing("-", with: "").prefix(16))"
    let amount = Money(125_00, Self.currency)
    let transfer = CreditTransfer(
      endToEndID: "E\(name)", transactionID: "T\(name)", amount: amount, settlementDay: created.day,
      charges: .shared, debtor: "Ann Other", debtorAccount: .other("11-22"), debtorAgent: Self.otherBank,
      creditorAgent: own, creditor: "Ada Anyder", creditorAccount: .other("404-404"))
    let message = CreditTransferMessage(
      id: "M\(name)", created: created, method: .clearing, instructing: Self.otherBank, transfers: [transfer])
    let request = CancellationMessage(
      id: "C\(name)", created: created, assigner: .agent(Self.otherBank), assignee: .agent(own),
      requests: [
        .init(
          original: OriginalPayment(transactionID: "T\(name)"), amount: amount,
          reasons: [PaymentReason(code: "DUPL")])
      ])
    let messages = app.finaptic.dependencies.incomingMessages
    _ = try await messages.take(message.xml(), of: Self.bank, by: Self.actor)
    guard try await messages.take(request.xml(), of: Self.bank, by: Self.actor).asked == 1 else {
      throw DemoStory.Broken()
    }
  }

  /// The bank as other banks know it. Where it settles already, that stays as it is.
  private func settlement() async throws -> Agent {
    let settlement = app.finaptic.dependencies.settlement
    if let known = try await settlement.accounts(of: Self.bank).first(where: { $0.currency == Self.currency }) {
      return Agent(bic: BIC(known.bic))
    }
    let bic = "WESTGB2L"
    try await settlement.set(
      "SAMPLE-SETTLEMENT", currency: Self.currency, bic: bic, of: Self.bank, by: Self.actor)
    return Agent(bic: BIC(bic))
  }
}
