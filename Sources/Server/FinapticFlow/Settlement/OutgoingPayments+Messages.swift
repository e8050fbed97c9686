import DocumentCore
import Foundation
import Kit
import Payments
import Storage

/// What other banks are to get: a pacs.008 or pain.001 for what was ordered, a pacs.004 for what is sent back, a
/// camt.029 for what was asked back. A message stays owed until it is handed over: to the folder by its file, by HTTP
/// by its acknowledgement. Until then it is given again, under the same id.
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

  /// Writes a file for each message that is owed. A file is whole or absent. When the program ends between a file and
  /// its row, the file is written again under the same name.
  /// - Parameter folder: where the files go; it has to be there.
  /// - Returns: how many.
  package func write(of tenant: Int, into folder: String, by actor: String) async throws -> Int {
    var (count, after) = (0, String?.none)
    while true {
      let page = try await owed(of: tenant, after: after)
      guard let last = page.last else { return count }
      for message in page {
        try DurableFile.write(message.xml, to: "\(folder)/\(message.definition)-\(message.id).xml")
        try await told(message.id, of: tenant, by: actor)
        count += 1
      }
      after = last.id
    }
  }

  /// The messages that are owed, at most `pageMax`. From then on the other banks may have them.
  /// - Parameter after: the id of the last one of the page before.
  /// - Throws: `Problem` not found for the tenant, and for an id that never was one.
  package func owed(of tenant: Int, after: String? = nil) async throws -> [Message] {
    try await core.database.write(retrying: .outdated) { [self] tx in
      guard let bank = try TenantStore(tx).find(tenant)?.name else { throw Problem.notFound }
      let accounts = try SettlementStore(tx).all(of: tenant)
      let (payments, recalls) = (BankPaymentStore(tx, vault: core.vault), PaymentRecallStore(tx, vault: core.vault))
      let last = try after.map { try subject(of: $0, tenant: tenant, in: tx) }
      var messages: [Message] = []
      if last?.recall == nil {
        let page = try payments.owingFiles(tenant: tenant, after: last?.payment, limit: Self.pageMax)
        for payment in page where try payments.leaves(payment.id, at: core.world.now()) {
          guard let bic = accounts.first(where: { $0.currency == payment.amount.currency })?.bic else {
            throw Problem.unexpected
          }
          messages.append(try Message(message(of: payment, bic: bic, bank: bank)))
        }
      }
      let room = Self.pageMax - messages.count
      guard room > 0 else { return messages }
      for recall in try recalls.owingMessages(tenant: tenant, after: last?.recall, limit: room) {
        let currency = try recall.payment.flatMap { try payments.find($0, tenant: tenant) }?.amount.currency
        let account = accounts.first { $0.currency == (currency ?? recall.content?.currency) } ?? accounts.first
        guard let account else { throw Problem.unexpected }
        messages.append(try Message(answer(to: recall, bic: account.bic)))
      }
      return messages
    }
  }

  /// The other bank has a message. Said again, it changes nothing.
  /// - Throws: `Problem` not found for what was never given.
  package func told(_ id: String, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      let subject = try subject(of: id, tenant: tenant, in: tx)
      if let recall = subject.recall {
        guard recall.owesMessage else { return }
        let isPending = id.hasSuffix(PaymentRecall.pendingMark)
        try PaymentRecallStore(tx, vault: core.vault).told(recall.id, isPending: isPending, tenant: tenant)
        try core.note("recall.told", "recall-\(recall.id)", by: actor, in: tx)
      } else if let payment = subject.payment, payment.toldAt != nil {
        guard payment.owesFile else { return }
        try BankPaymentStore(tx, vault: core.vault).told(payment.id, tenant: tenant)
        try core.note("payment.written", "payment-\(payment.id)", by: actor, in: tx)
      } else {
        throw Problem.notFound
      }
    }
  }

  /// What a message is about.
  private func subject(
    of id: String, tenant: Int, in tx: any SQLTransaction
  ) throws -> (payment: BankPayment?, recall: PaymentRecall?) {
    let plain = id.hasSuffix(PaymentRecall.pendingMark) ? String(id.dropLast()) : id
    guard let found = BankPayment.id(in: plain) else { throw Problem.notFound }
    if plain == id, let payment = try BankPaymentStore(tx, vault: core.vault).find(found, tenant: tenant) {
      return (payment, nil)
    }
    let recall = try PaymentRecallStore(tx, vault: core.vault).find(.init(rawValue: found.rawValue), tenant: tenant)
    guard let recall else { throw Problem.notFound }
    return (nil, recall)
  }

  /// - Parameter bank: the tenant's name.
  private func message(of payment: BankPayment, bic: String, bank: String?) throws -> PaymentMessage {
    guard let created = MessageTime(core.world.now().rfc3339), let content = payment.content else {
      throw Problem.unexpected
    }
    let own = Agent(bic: BIC(bic))
    switch payment.direction {
    case .outgoing:
      if let agent = content.orderBIC.flatMap(BIC.init), let account = content.orderAccount {
        return .paymentOrders(
          Self.order(payment, content, at: created, by: bank, from: account, at: Agent(bic: agent)))
      }
      let transfer = CreditTransfer(
        endToEndID: content.endToEndID ?? CreditTransfer.notProvided, transactionID: payment.reference,
        uetr: payment.id.rawValue, amount: payment.amount, settlementDay: created.day, charges: .shared,
        debtorAccount: content.debtorAccount.map(AccountNumber.init(text:)), debtorAgent: own,
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
    _ payment: BankPayment, _ content: BankPayment.Content, at created: MessageTime, by name: String?,
    from account: String, at bank: Agent
  ) -> PaymentOrderMessage {
    let order = PaymentOrder(
      endToEndID: content.endToEndID ?? CreditTransfer.notProvided, instructionID: payment.reference,
      uetr: payment.id.rawValue, amount: payment.amount, charges: .shared,
      ultimateDebtor: content.debtorAccount, creditorAgent: Agent(bic: content.creditorBIC.flatMap(BIC.init)),
      creditor: content.creditor, creditorAccount: content.creditorAccount.map(AccountNumber.init(text:)),
      remittance: content.remittance)
    let batch = PaymentOrderMessage.Batch(
      id: payment.reference, executionDay: created.day, debtor: name, debtorAccount: AccountNumber(text: account),
      debtorAgent: bank, orders: [order])
    return PaymentOrderMessage(id: payment.reference, created: created, initiator: name, batches: [batch])
  }
}

extension OutgoingPayments.Message {
  fileprivate init(_ message: PaymentMessage) throws {
    (id, definition, xml) = (message.id, message.definition, try message.xml())
  }
}
