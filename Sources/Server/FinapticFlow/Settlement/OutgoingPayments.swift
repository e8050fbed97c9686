import DocumentCore
import Foundation
import Kit
import Ledger
import Payments
import ReferenceData
import Storage

/// Payments from customers' accounts to other banks, and the files that tell those of them and of what is sent back.
package struct OutgoingPayments: Sendable {
  /// Files of one transaction's look.
  private static let pageMax = 100

  let core: CoreDependencies
  let ledger: Ledger

  /// Who is to get how much.
  package struct Order: Sendable {
    package var account: BankAccount.ID
    package var amount: Money
    package var creditor: String
    /// An IBAN, or the other bank's own form up to 34 characters.
    package var creditorAccount: String
    package var creditorBIC: String
    /// The debtor's reference, up to 35 characters.
    package var endToEndID: String?
    package var remittance: String?

    package init(
      account: BankAccount.ID, amount: Money, creditor: String, creditorAccount: String, creditorBIC: String,
      endToEndID: String? = nil, remittance: String? = nil
    ) {
      (self.account, self.amount, self.creditor) = (account, amount, creditor)
      (self.creditorAccount, self.creditorBIC) = (creditorAccount, creditorBIC)
      (self.endToEndID, self.remittance) = (endToEndID, remittance)
    }
  }

  package enum Outcome: Sendable, Equatable {
    case ordered(BankPayment)
    /// Nothing is booked yet: the same order under the same key is, once the second person has agreed.
    case waiting(AskedApproval)
  }

  /// Takes the money from the account and owes the message to the other bank, in one transaction.
  /// - Parameters:
  ///   - key: the same key is the same payment of the tenant, for ever, whoever orders it.
  ///   - approval: the id of a second person's approval of it; nil asks for one where the tenant demands it.
  /// - Throws: `Problem` not found; validation; those of `Settlement.pass`; unprocessable `no-settlement-account`;
  ///   conflict `declined` when the account does not give the money, and `idempotency-conflict` for a key of another
  ///   payment.
  package func order(
    _ order: Order, key: String, of tenant: Int, approval: String? = nil, by actor: String
  ) async throws -> Outcome {
    try Self.check(order)
    let id = self.id(of: key, tenant: tenant)
    return try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      let store = BankPaymentStore(tx, vault: core.vault)
      guard let found = try TenantStore(tx).find(tenant),
        try AccountStore(tx).find(order.account, tenant: tenant) != nil
      else { throw Problem.notFound }
      let settlement = try Settlement.account(order.amount.currency, of: tenant, in: tx)
      try LedgerStore(tx).lock([order.account, settlement.ledger])
      if let known = try store.find(id, tenant: tenant) {
        guard known.references.identity == digest(of: order) else {
          throw Problem(.conflict, "idempotency-conflict", "This key was used with another payment.")
        }
        return .ordered(known)
      }
      guard let account = try AccountStore(tx).find(order.account, tenant: tenant) else { throw Problem.notFound }
      let gate = FourEyesGate(core: core)
      let act = try approval == nil ? "bank-out \(id)" : gate.key(ofCommand: approval, tenant: found, in: tx)
      let asked = FourEyesGate.Asked(
        action: .send, subject: account.id.rawValue, version: account.account.sequence, request: words(of: order),
        standing: "account \(account.status)", person: try account.keyHolder(in: tx), chain: "account-\(account.id)")
      if let waiting = try Settlement.pass(
        asked, moving: order.amount, key: act, of: found, by: actor, core, in: tx)
      {
        return .waiting(waiting)
      }
      let particulars = BankTransaction.Particulars(counterparty: order.creditor, clearingReference: id.rawValue)
      let transfer = TransferOrder(
        .withdrawal, tenant: tenant, key: "bank-out \(id)", debit: account.id, credit: settlement.ledger,
        amount: order.amount)
      switch try ledger.transfer(transfer, note: try particulars.note, in: tx) {
      case .done(let booked):
        let payment = self.payment(order, id, settlement, booked.id)
        try store.insert(payment)
        try core.note(
          "payment.ordered", "payment-\(id)", by: actor, ["transfer": booked.id.rawValue], in: tx)
        return .ordered(payment)
      case .declined: throw Problem(.conflict, "declined", "The account does not give the money.")
      case .refused(let refusal): throw Problem(posting: refusal)
      }
    }
  }

  private func payment(
    _ order: Order, _ id: BankPayment.ID, _ settlement: SettlementAccount, _ transfer: LedgerTransfer.ID
  ) -> BankPayment {
    func digest(_ text: String) -> String { core.vault.digest(text, for: "bank payment reference") }
    var content = BankPayment.Content()
    (content.creditor, content.creditorAccount) = (order.creditor, order.creditorAccount)
    (content.creditorBIC, content.endToEndID) = (order.creditorBIC, order.endToEndID)
    (content.debtorAccount, content.remittance) = (
      order.account.rawValue.replacing("-", with: ""), [order.remittance].compactMap(\.self)
    )
    if let bank = settlement.ordersTo { (content.orderAccount, content.orderBIC) = (settlement.number, bank) }
    let reference = id.rawValue.replacing("-", with: "")
    return BankPayment(
      id: id, tenant: settlement.tenant, direction: .outgoing, amount: order.amount, message: nil, place: 0,
      references: .init(
        uetr: digest(id.rawValue), transaction: digest(reference), endToEnd: order.endToEndID.map(digest), agent: "",
        identity: self.digest(of: order)),
      receivedAt: core.world.now(), state: .ordered, account: order.account, transfer: transfer, suspense: nil,
      returnReason: nil, reversedBy: nil, content: content, owesFile: true)
  }

  /// Of everything that it says.
  private func digest(of order: Order) -> String {
    // A separator that no part has keeps the parts apart, and what is not given is not what is empty.
    let parts = [
      order.account.rawValue, "\(order.amount.minorUnits)", order.amount.currency, order.creditor,
      order.creditorAccount, order.creditorBIC, order.endToEndID.map { "=\($0)" } ?? "",
      order.remittance.map { "=\($0)" } ?? "",
    ]
    return core.vault.digest(parts.joined(separator: "\u{1F}"), for: "bank payment order")
  }

  /// What the second person sees. Free text is last; the digest ties it together, however it is written.
  private func words(of order: Order) -> String {
    let words = [
      "amount \(order.amount.decimal) \(order.amount.currency)", "order \(digest(of: order).prefix(16))",
      "to BIC \(order.creditorBIC)", "account \(order.creditorAccount)", "creditor \(order.creditor)",
      order.endToEndID.map { "reference \($0)" }, order.remittance.map { "for \($0)" },
    ]
    return words.compactMap(\.self).joined(separator: "; ")
  }

  /// A UUID of version 4 in form, made of the key: the same key is the same one on every node.
  private func id(of key: String, tenant: Int) -> BankPayment.ID {
    let digest = core.vault.digest("\(tenant)\u{1F}\(key)", for: "bank payment id")
    var digits = Array(digest.prefix(32))
    (digits[12], digits[16]) = ("4", "8")
    guard let id = BankPayment.id(in: String(digits)) else {
      preconditionFailure("A digest is 64 hexadecimal digits.")
    }
    return id
  }

  private static func check(_ order: Order) throws {
    var faults: [Problem.Field] = []
    func text(_ value: String, _ field: String, max: Int) {
      if !(1...max).contains(value.unicodeScalars.count) || !MessageCharacters.any.admits(value)
        || value.contains(where: \.isNewline)
      {
        faults.append(.init(field, "format", "1 to \(max) characters."))
      }
    }
    if order.amount.minorUnits <= 0 { faults.append(.init("/amount", "range", "More than 0.")) }
    text(order.creditor, "/creditor", max: 140)
    text(order.creditorAccount, "/creditor_account", max: 34)
    if let id = order.endToEndID { text(id, "/end_to_end_id", max: 35) }
    if let line = order.remittance { text(line, "/remittance", max: 140) }
    if BIC(order.creditorBIC) == nil { faults.append(.init("/creditor_bic", "format", "A BIC of ISO 9362.")) }
    guard faults.isEmpty else { throw Problem.validation(faults) }
  }

  // MARK: Files

  /// Writes a file for each payment of which another bank is still to be told: a pacs.008 for what was ordered, or a
  /// pain.001 where the bank that keeps the settlement account takes that, and a pacs.004 for what is sent back. A file
  /// is whole or absent. When the program ends between a file and its row, the file is written again under the same
  /// name, with the same ids.
  /// - Parameter folder: where the files go; it has to be there.
  /// - Returns: how many.
  package func write(of tenant: Int, into folder: String, by actor: String) async throws -> Int {
    var count = 0
    while true {
      let page = try await core.database.read { [core] tx in
        try BankPaymentStore(tx, vault: core.vault).owingFiles(tenant: tenant, limit: Self.pageMax)
      }
      guard !page.isEmpty else { return count }
      let (accounts, bank) = try await core.database.read { tx in
        (try SettlementStore(tx).all(of: tenant), try TenantStore(tx).find(tenant)?.name)
      }
      for payment in page {
        guard let bic = accounts.first(where: { $0.currency == payment.amount.currency })?.bic else {
          throw Problem.unexpected
        }
        let message = try self.message(of: payment, bic: bic, bank: bank)
        let path = "\(folder)/\(message.definition)-\(payment.reference).xml"
        try DurableFile.write(try message.xml(), to: path)
        try await core.database.write(retrying: .outdated) { [core] tx in
          try BankPaymentStore(tx, vault: core.vault).wroteFile(of: payment.id)
          try core.note("payment.written", "payment-\(payment.id)", by: actor, in: tx)
        }
        count += 1
      }
    }
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
}

extension OutgoingPayments {
  /// The tenant's bank as the customer of another one, that orders from its own account there for its own customer.
  fileprivate static func order(
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

extension AccountNumber {
  /// An IBAN where it is one, and the bank's own form otherwise.
  init(text: String) { self = IBAN(text).map(AccountNumber.iban) ?? .other(text) }
}
