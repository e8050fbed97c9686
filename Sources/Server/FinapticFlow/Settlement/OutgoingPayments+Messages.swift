// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Payments
import Storage

/// What other banks are to get: a pacs.008 or pain.001 for what was ordered, a pacs.004 for what is sent back, a
/// camt.029 for what was asked back (decision 137).
///
/// 1. It is listed, which changes nothing.
/// 2. It is handed over: from then on the other bank may have it. Until it is told, the same message is given again.
/// 3. It is told: the other bank has it.
///
/// What cannot be written is dead-lettered by itself, and nothing of it leaves.
extension OutgoingPayments {
  /// Messages of one page.
  package static let pageMax = 100

  package struct Message: Sendable {
    /// Of the message itself, up to 35 characters.
    package let id: String
    /// Such as `pacs.008.001.08`.
    package let definition: String
    package let xml: Data
  }

  package enum HandOver: Sendable {
    case message(Message)
    /// It could not be written, for a reason in one word.
    case deadLettered(String)
  }

  /// Writes a file for each message that is owed. A file is whole or absent. When the program ends between a file and
  /// its row, the file is written again under the same name. What cannot be written is dead-lettered, and the rest goes
  /// on.
  /// - Parameter folder: where the files go; it has to be there.
  /// - Returns: how many.
  package func write(of tenant: Int, into folder: String, by actor: String) async throws -> Int {
    var (count, after) = (0, String?.none)
    while true {
      let page = try await owed(of: tenant, after: after)
      guard let last = page.last else { return count }
      for owed in page {
        let handOver: HandOver
        // Another program was faster, or the money went back.
        do {
          handOver = try await self.handOver(owed.id, of: tenant, by: actor)
        } catch let problem as Problem where problem == .notFound { continue }
        guard case .message(let message) = handOver else { continue }
        try DurableFile.write(message.xml, to: "\(folder)/\(message.definition)-\(message.id).xml")
        try await told(message.id, of: tenant, by: actor)
        count += 1
      }
      after = last.id
    }
  }

  /// The messages that are owed, at most `pageMax`. Changes nothing.
  /// - Parameter after: the id of the last one of the page before.
  /// - Throws: `Problem` not found for the tenant, and for an id that never was one.
  package func owed(of tenant: Int, after: String? = nil) async throws -> [OutgoingMessage] {
    try await core.database.read { tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      let store = OutgoingMessageStore(tx)
      let last = try after.map { id in
        guard let found = try store.find(id, tenant: tenant) else { throw Problem.notFound }
        return found
      }
      return try store.page(tenant: tenant, after: last, limit: Self.pageMax)
    }
  }

  /// Gives a message out: from now on the other bank may have it, and its payment is not given back any more. Asked
  /// again, it is the same message.
  /// - Throws: `Problem` not found for what is not owed: its money went back, or the other bank has it.
  package func handOver(_ id: String, of tenant: Int, by actor: String) async throws -> HandOver {
    do {
      return .message(
        try await core.database.write(retrying: .outdated) { [self] tx in
          let (store, owed) = (OutgoingMessageStore(tx), try owed(id, of: tenant, in: tx))
          switch owed.subject {
          case .payment(let payment):
            guard try store.leaves(payment, at: core.world.now()) else { throw Problem.notFound }
            if owed.leavesSince == nil { try core.note("payment.leaving", "payment-\(payment)", by: actor, in: tx) }
          case .recall(let recall, _): try store.hands(recall, at: core.world.now())
          }
          return try message(owed, in: tx)
        })
    } catch {
      guard Ledger.isOfARow(error), error as? Problem != .notFound, error as? Problem != .unavailable else {
        throw error
      }
      let fault = Self.word(error)
      try await core.database.write(retrying: .outdated) { [self] tx in
        try OutgoingMessageStore(tx).mark(owed(id, of: tenant, in: tx), fault: fault)
      }
      return .deadLettered(fault)
    }
  }

  /// The other bank has a message. Said again, it changes nothing.
  /// - Throws: `Problem` not found for what was never given.
  package func told(_ id: String, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let store = OutgoingMessageStore(tx)
      guard let owed = try store.find(id, tenant: tenant) else { throw Problem.notFound }
      switch owed.subject {
      case .payment: guard owed.leavesSince != nil else { throw Problem.notFound }
      // Of an answer that is not owed any more, when it was handed over may not be kept.
      case .recall: guard owed.leavesSince != nil || !owed.isOwed else { throw Problem.notFound }
      }
      guard owed.isOwed else { return }
      try store.told(owed)
      switch owed.subject {
      case .payment(let id): try core.note("payment.written", "payment-\(id)", by: actor, in: tx)
      case .recall(let id, _): try core.note("recall.told", "recall-\(id)", by: actor, in: tx)
      }
    }
  }

  // MARK: What could not be written

  /// Messages that could not be written, the oldest first.
  package func deadLettered(of tenant: Int) async throws -> [OutgoingMessage] {
    try await core.database.read { try OutgoingMessageStore($0).deadLettered(tenant: tenant, limit: Self.pageMax) }
  }

  /// Looks at everything that is dead-lettered: what can be written now is owed as before.
  /// - Throws: `PartialFailure` with what stays dead-lettered, by its payment or request.
  package func retryDeadLettered() async throws {
    var failures: [PartialFailure.Part] = []
    for tenant in try await core.database.read({ try TenantStore($0).list() }) {
      var after: OutgoingMessage?
      repeat {
        let page = try await core.database.read { [after] in
          try OutgoingMessageStore($0).deadLettered(tenant: tenant.id, after: after, limit: Self.pageMax)
        }
        for owed in page {
          do {
            try await core.database.write(retrying: .outdated) { [self] tx in
              _ = try message(owed, in: tx)
              try OutgoingMessageStore(tx).mark(owed, fault: nil)
            }
          } catch {
            guard Ledger.isOfARow(error) else { throw error }
            failures.append(
              .init(["tenant": "\(tenant.id)", "id": owed.row, "duty": "message"], reason: Self.word(error)))
          }
        }
        after = page.last
      } while after != nil
    }
    guard failures.isEmpty else { throw PartialFailure(failures) }
  }

  /// One word, never a value.
  private static func word(_ error: any Error) -> String {
    (error as? Problem)?.code ?? PartialFailure.Part([:], error: error).error
  }

  private func owed(_ id: String, of tenant: Int, in tx: any SQLTransaction) throws -> OutgoingMessage {
    guard let owed = try OutgoingMessageStore(tx).find(id, tenant: tenant), owed.isOwed else { throw Problem.notFound }
    return owed
  }

  // MARK: What they say

  private func message(_ owed: OutgoingMessage, in tx: any SQLTransaction) throws -> Message {
    let payments = BankPaymentStore(tx, vault: core.vault)
    switch owed.subject {
    case .payment(let id):
      guard let payment = try payments.find(id, tenant: owed.tenant),
        let bank = try TenantStore(tx).find(owed.tenant)
      else { throw Problem.unexpected }
      var settlement = try Settlement.account(payment.amount.currency, of: owed.tenant, in: tx)
      if let sealed = payment.content?.characters.flatMap(MessageCharacters.init(rawValue:)) {
        settlement.characters = sealed
      }
      // What the other bank may have already is not held back by what was set since.
      let isFirst = payment.direction == .outgoing && owed.leavesSince == nil
      let characters = isFirst ? settlement.characters : .any
      let payer = try payer(of: payment, [settlement.characters, characters], in: tx)
      return try Message(message(of: payment, payer: payer, settlement, bank: bank.name), characters)
    case .recall(let id, _):
      guard let recall = try PaymentRecallStore(tx, vault: core.vault).find(id, tenant: owed.tenant) else {
        throw Problem.unexpected
      }
      let currency = try recall.payment.flatMap { try payments.find($0, tenant: owed.tenant) }?.amount.currency
      let accounts = try SettlementStore(tx).all(of: owed.tenant)
      let account = accounts.first { $0.currency == (currency ?? recall.content?.currency) } ?? accounts.first
      guard let account else {
        throw Problem(.unprocessable, "no-settlement-account", "The tenant does not settle with other banks.")
      }
      // What goes back has references of the other bank, in whichever characters that one has.
      return try Message(answer(to: recall, bic: account.bic), .any)
    }
  }

  /// Who ordered it. What was ordered before a release that keeps the name has the one that is known now, if any.
  /// - Parameter characters: in which the name may be written, the first that can.
  private func payer(
    of payment: BankPayment, _ characters: [MessageCharacters], in tx: any SQLTransaction
  ) throws -> String? {
    guard payment.direction == .outgoing else { return nil }
    if let known = payment.content?.debtor { return known }
    let account = try payment.account.flatMap { try AccountStore(tx).find($0, tenant: payment.tenant) }
    guard let name = try account?.payer(core.vault, in: tx) else { return nil }
    // Of another script it is dead-lettered, and not sent without its payer.
    guard let spelled = characters.lazy.compactMap({ $0.payer(name) }).first else {
      throw MessageFault(element: "Nm", "has a character that the message may not have")
    }
    return spelled
  }

  /// - Parameters:
  ///   - payer: the customer who ordered it.
  ///   - bank: the tenant's name.
  private func message(
    of payment: BankPayment, payer: String?, _ settlement: SettlementAccount, bank: String?
  ) throws -> PaymentMessage {
    guard let created = MessageTime(core.world.now().rfc3339), let content = payment.content else {
      throw Problem.unexpected
    }
    let own = Agent(bic: BIC(settlement.bic))
    switch payment.direction {
    case .outgoing:
      if let agent = content.orderBIC.flatMap(BIC.init), let account = content.orderAccount {
        return .paymentOrders(
          Self.order(
            payment, content, at: created, for: payer, by: bank.map { settlement.characters.spelling(of: $0) ?? $0 },
            from: account, at: Agent(bic: agent)))
      }
      let transfer = CreditTransfer(
        endToEndID: content.endToEndID ?? CreditTransfer.notProvided, transactionID: payment.reference,
        uetr: payment.id.rawValue, amount: payment.amount, settlementDay: created.day, charges: .shared,
        debtor: payer, debtorAccount: content.debtorAccount.map(AccountNumber.init(text:)), debtorAgent: own,
        creditorAgent: Agent(bic: content.creditorBIC.flatMap(BIC.init)), creditor: content.creditor,
        creditorAccount: content.creditorAccount.map(AccountNumber.init(text:)), remittance: content.remittance)
      return .creditTransfers(
        CreditTransferMessage(
          id: payment.reference, created: created, method: .instructedAgent, instructing: own, transfers: [transfer]))
    case .incoming:
      let isNamed = !content.messageName.isEmpty
      let original = OriginalPayment(
        messageID: isNamed ? content.messageID : nil, messageName: isNamed ? content.messageName : nil,
        endToEndID: content.endToEndID, transactionID: content.transactionID, uetr: content.uetr)
      let reasons = [PaymentReason(code: payment.returnReason ?? ReturnReason.notSpecifiedByAgent.rawValue)]
      return .returns(
        PaymentReturnMessage(
          id: payment.reference, created: created, method: .instructedAgent, instructing: own,
          returns: [
            PaymentReturn(
              id: payment.reference, original: original, originalAmount: payment.amount, amount: payment.amount,
              settlementDay: created.day, reasons: reasons)
          ]))
    }
  }

  /// What the bank that asked is told of its request.
  private func answer(to recall: PaymentRecall, bic: String) throws -> PaymentMessage {
    guard let created = MessageTime(core.world.now().rfc3339), let content = recall.content else {
      throw Problem.unexpected
    }
    let outcome: CancellationAnswerMessage.Outcome
    switch recall.state {
    case .accepted: outcome = .accepted
    case .declined: outcome = .rejected
    case .pending: outcome = .pending
    case .open: throw Problem.unexpected
    }
    let isNamed = content.messageID != nil && content.messageName != nil
    let original = OriginalPayment(
      messageID: isNamed ? content.messageID : nil, messageName: isNamed ? content.messageName : nil,
      instructionID: content.instructionID, endToEndID: content.endToEndID, transactionID: content.transactionID,
      uetr: content.uetr)
    let asker: CancellationMessage.Party =
      content.bic == nil && content.member == nil
      ? .party(content.name) : .agent(Agent(bic: content.bic.flatMap(BIC.init), clearingMember: content.member))
    return .cancellationAnswer(
      CancellationAnswerMessage(
        id: recall.reference, created: created, assigner: .agent(Agent(bic: BIC(bic))), assignee: asker,
        confirmation: outcome.confirmation,
        answers: [
          .init(
            id: recall.reference, original: original, outcome: outcome,
            reasons: recall.rejection.map { [PaymentReason(code: $0.rawValue)] } ?? [], amount: content.money)
        ]))
  }

  /// The tenant's bank as the customer of another one, that orders from its own account there for its own customer.
  private static func order(
    _ payment: BankPayment, _ content: BankPayment.Content, at created: MessageTime, for payer: String?,
    by name: String?, from account: String, at bank: Agent
  ) -> PaymentOrderMessage {
    let order = PaymentOrder(
      endToEndID: content.endToEndID ?? CreditTransfer.notProvided, instructionID: payment.reference,
      uetr: payment.id.rawValue, amount: payment.amount, charges: .shared,
      ultimateDebtor: content.debtorAccount, ultimateDebtorName: payer,
      creditorAgent: Agent(bic: content.creditorBIC.flatMap(BIC.init)),
      creditor: content.creditor, creditorAccount: content.creditorAccount.map(AccountNumber.init(text:)),
      remittance: content.remittance)
    let batch = PaymentOrderMessage.Batch(
      id: payment.reference, executionDay: created.day, debtor: name, debtorAccount: AccountNumber(text: account),
      debtorAgent: bank, orders: [order])
    return PaymentOrderMessage(id: payment.reference, created: created, initiator: name, batches: [batch])
  }
}

extension OutgoingPayments.Message {
  fileprivate init(_ message: PaymentMessage, _ characters: MessageCharacters) throws {
    (id, definition, xml) = (message.id, message.definition, try message.xml(characters))
  }
}
