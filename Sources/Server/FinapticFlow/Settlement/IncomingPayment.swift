// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Payments

/// A payment as a message tells of it, whichever kind of message that is.
struct IncomingPayment: Sendable {
  var content: BankPayment.Content
  let amount: Money
  /// Who sent the message.
  let instructing: String
  /// The routing number of the bank of the creditor, where the message has one.
  var creditorMember: String?
  /// Why it cannot be a customer's, whatever account is named.
  var suspense: SuspenseReason?

  /// A transfer of a pacs.008.
  init(_ transfer: CreditTransfer, of message: CreditTransferMessage) {
    amount = transfer.amount
    instructing = message.instructing?.name ?? ""
    content = BankPayment.Content(messageID: message.id, messageName: "pacs.008.001.08")
    (content.endToEndID, content.transactionID, content.uetr) = (
      transfer.endToEndID, transfer.transactionID, transfer.uetr
    )
    (content.debtor, content.debtorAccount) = (transfer.debtor, transfer.debtorAccount?.text)
    (content.debtorBIC, content.debtorMember) = (transfer.debtorAgent.bic?.text, transfer.debtorAgent.clearingMember)
    (content.creditor, content.creditorAccount) = (transfer.creditor, transfer.creditorAccount?.text)
    creditorMember = transfer.creditorAgent.clearingMember
    content.remittance = transfer.remittance
  }

  /// What of an entry of a camt.054 came in: one payment for each of its details, or one for the whole where they do
  /// not say what they are worth.
  static func all(of entry: AccountStatement.Entry) -> [IncomingPayment] {
    guard entry.amount.minorUnits > 0 else { return [] }
    let amounts = entry.details.map(\.amount)
    let isWhole = entry.details.count == 1 && amounts == [nil]
    let sum = amounts.reduce(Int128(0)) { $0 + Int128($1?.minorUnits ?? 0) }
    let isTold =
      amounts.allSatisfy { $0.map { $0.minorUnits > 0 && $0.currency == entry.amount.currency } ?? false }
      && sum == Int128(entry.amount.minorUnits) && !amounts.isEmpty
    guard !entry.isReversal, isWhole || isTold else {
      var payment = IncomingPayment(unplaced: entry.amount)
      payment.content.transactionID = entry.servicerReference ?? entry.reference
      payment.suspense = .unclearEntry
      return [payment]
    }
    return entry.details.map { IncomingPayment($0, $0.amount ?? entry.amount) }
  }

  private init(_ detail: AccountStatement.Detail, _ amount: Money) {
    self.amount = amount
    instructing = detail.instructing?.name ?? ""
    // The message that ordered it may be named, and which kind it was is not.
    content = BankPayment.Content()
    (content.endToEndID, content.transactionID, content.uetr) = (
      detail.endToEndID, detail.transactionID, detail.uetr
    )
    (content.debtor, content.debtorAccount) = (detail.debtor, detail.debtorAccount?.text)
    (content.debtorBIC, content.debtorMember) = (
      detail.debtorAgent?.bic?.text, detail.debtorAgent?.clearingMember
    )
    (content.creditor, content.creditorAccount) = (detail.creditor, detail.creditorAccount?.text)
    creditorMember = detail.creditorAgent?.clearingMember
    content.remittance = detail.remittance
  }

  /// Money of a pacs.004 that belongs to no payment of ours.
  init(_ returned: PaymentReturn, of message: PaymentReturnMessage) {
    amount = returned.amount
    instructing = message.instructing?.name ?? ""
    content = BankPayment.Content(messageID: message.id, messageName: "pacs.004.001.09")
    content.transactionID = returned.id
    suspense = .unknownReturn
  }

  /// What a request to give a payment back says of it.
  init(_ asked: PaymentRecall.Content) {
    (amount, instructing, content) = (asked.money ?? Money(0, ""), "", BankPayment.Content())
    (content.debtorBIC, content.debtorMember) = (asked.bic, asked.member)
    (content.endToEndID, content.transactionID, content.uetr) = (asked.endToEndID, asked.transactionID, asked.uetr)
    // An end-to-end id alone names a payment of some amount.
    if asked.money == nil { content.endToEndID = nil }
  }

  /// A bank's head office has a BIC of 8 characters, or the same one with the branch code XXX (ISO 9362).
  private static func headOffice(_ name: String) -> String {
    BIC(name) != nil && name.count == 11 && name.hasSuffix("XXX") ? String(name.dropLast(3)) : name
  }

  /// Money that was to go back and has no account any more.
  init(unplaced amount: Money) {
    (self.amount, instructing, content, suspense) = (amount, "", BankPayment.Content(), .unknownReturn)
  }

  /// Keyed digests of its references.
  func references(_ vault: Vault) -> BankPayment.References {
    func digest(_ text: String?) -> String? { text.map { vault.digest($0, for: "bank payment reference") } }
    let agent = Self.headOffice(content.debtorBIC ?? content.debtorMember ?? instructing)
    let endToEnd = content.endToEndID.flatMap { $0 == CreditTransfer.notProvided ? nil : $0 }
    // An end-to-end id alone is no proof: debtors use them again (decision 111). A separator that XML does not have
    // keeps the parts apart.
    let identity = endToEnd.flatMap { id in
      content.debtorAccount.map { account in
        [agent, account, id, "\(amount.minorUnits)", amount.currency, content.creditorAccount ?? ""]
          .joined(separator: "\u{1F}")
      }
    }
    return .init(
      uetr: digest(content.uetr), transaction: digest(content.transactionID), endToEnd: digest(endToEnd), agent: agent,
      identity: digest(identity))
  }
}

extension Agent {
  /// By what a bank is told apart; nil when it is not named.
  var name: String? { bic?.text ?? clearingMember }
}
