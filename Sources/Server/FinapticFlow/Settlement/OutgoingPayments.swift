// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Ledger
import Payments
import ReferenceData
import Storage

/// Payments from customers' accounts to other banks, and the messages that tell those of them, of what is sent back and
/// of what becomes of their requests.
package struct OutgoingPayments: Sendable {
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
    case waiting(RequestedApproval)
  }

  /// Takes the money from the account and owes the message to the other bank, in one transaction.
  /// - Parameters:
  ///   - key: the same key is the same payment of the tenant, for ever, no matter who orders it.
  ///   - approval: the id of a second person's approval of it; nil asks for one where the tenant demands it.
  /// - Throws: `Problem` not found; validation, of `/characters` where no order can be written; those of
  ///   `Settlement.pass`; unprocessable `no-settlement-account`, and `payer-unknown` when nothing is kept of whose
  ///   account it is; conflict `declined` when the account does not give the money, and `idempotency-conflict` for a key
  ///   of another payment.
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
      // Not every older row was set with these characters.
      guard settlement.canOrder(as: found.name) else { throw SettlementAccount.cannotOrder }
      let payer = try payer(of: account, order, settlement.characters, in: tx)
      let gate = FourEyesGate(core: core)
      let act = try approval == nil ? "bank-out \(id)" : gate.key(ofCommand: approval, tenant: found, in: tx)
      let asked = FourEyesGate.ProposedAct(
        action: .send, subject: account.id.rawValue, version: account.account.sequence, request: words(of: order),
        condition: "account \(account.status)", person: try account.keyHolder(in: tx), chain: "account-\(account.id)")
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
        let number = try AccountNumberStore(tx).number(of: account.id)?.text
        let payment = self.payment(order, by: payer, at: number, id, settlement, booked.id)
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
    _ order: Order, by payer: String, at number: String?, _ id: BankPayment.ID, _ settlement: SettlementAccount,
    _ transfer: LedgerTransfer.ID
  ) -> BankPayment {
    func digest(_ text: String) -> String { core.vault.digest(text, for: "bank payment reference") }
    var content = BankPayment.Content()
    (content.creditor, content.creditorAccount) = (order.creditor, order.creditorAccount)
    (content.creditorBIC, content.endToEndID) = (order.creditorBIC, order.endToEndID)
    // Without a number of the institution's, the account's id.
    (content.debtor, content.debtorAccount) = (payer, number ?? order.account.rawValue.replacing("-", with: ""))
    content.remittance = [order.remittance].compactMap(\.self)
    content.characters = settlement.characters.rawValue
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

  /// Who pays, in the characters of what leaves: the payer's name and account go with every payment (EU 2023/1113,
  /// article 4; FATF, recommendation 16).
  /// - Throws: `Problem` validation for each part of the order that has other characters; unprocessable
  ///   `payer-unknown`.
  private func payer(
    of account: BankAccount, _ order: Order, _ characters: MessageCharacters, in tx: any SQLTransaction
  ) throws -> String {
    guard let name = try account.payer(core.vault, in: tx) else {
      throw Problem(
        .unprocessable, "payer-unknown", "Nothing is kept of whose account it is, and a payment names its payer.")
    }
    let spelled = characters.payer(name)
    var faults = spelled == nil ? [Self.fault("/account", "the name of its first owner, Dbtr/Nm")] : []
    for (text, field, element) in [
      (order.creditor, "/creditor", "Cdtr/Nm"), (order.creditorAccount, "/creditor_account", "CdtrAcct/Id"),
      (order.remittance ?? "", "/remittance", "RmtInf/Ustrd"),
    ] where !characters.admits(text) { faults.append(Self.fault(field, element)) }
    if let id = order.endToEndID, !characters.admitsIdentifier(id) {
      faults.append(Self.fault("/end_to_end_id", "EndToEndId"))
    }
    guard let spelled, faults.isEmpty else { throw Problem.validation(faults) }
    return spelled
  }

  private static func fault(_ field: String, _ element: String) -> Problem.Field {
    .init(field, "characters", "Basic Latin only (\(element)), or settle with other characters.")
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
}

extension BankAccount {
  /// The legal name of its first owner of whom one is kept.
  func payer(_ vault: Vault, in tx: any SQLTransaction) throws -> String? {
    for owner in owners {
      let name = try ClientProfileStore(tx, vault: vault).find(owner)?.legalName ?? ""
      if !name.isEmpty { return name }
    }
    return nil
  }
}

extension MessageCharacters {
  /// A payer's name as far as a message has room for it (Max140Text); nil where it cannot be written.
  func payer(_ name: String) -> String? { spelling(of: name).map { $0.prefix(scalars: 140) } }
}

extension AccountNumber {
  /// An IBAN where it is one, and the bank's own form otherwise.
  init(text: String) { self = IBAN(text).map(AccountNumber.iban) ?? .other(text) }
}
