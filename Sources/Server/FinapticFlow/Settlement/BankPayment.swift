// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Payments
import Storage

/// A payment from another bank or to one: what became of its money here.
package struct BankPayment: Sendable, Equatable {
  /// A UUID of version 4: of a payment to another bank it is the UETR too, and without its hyphens the transaction id.
  package typealias ID = Identifier<BankPayment>

  /// With what the keys of all its transfers begin, so that no other command takes them back.
  static let keyPrefix = "bank-"

  package enum Direction: String, Sendable, CaseIterable, SQLConvertible { case incoming = "in", outgoing = "out" }

  package let id: ID
  package let tenant: Int
  package let direction: Direction
  package let amount: Money
  /// The message that brought it, and its place there from 0. Of an outgoing one nil and 0.
  package let message: String?
  package let place: Int
  package let references: References
  package let receivedAt: Instant
  package var state: BankPaymentState
  /// The customers' account that has the money, or gave it; nil while none is known.
  package var account: BankAccount.ID?
  /// The booking on the settlement account.
  package var transfer: LedgerTransfer.ID
  /// Why the money is on the suspense account; nil when it never was.
  package var suspense: SuspenseReason?
  /// A code of ISO 20022 why it went back.
  package var returnReason: String?
  /// The message that took it back, and the place there, as `message place`.
  package var reversedBy: String?
  /// What is needed to answer the other bank; nil once nothing is owed to it.
  package var content: Content?
  /// Whether a file for the other bank is still to be written.
  package var owesFile: Bool
  /// When the message for the other bank began to leave: from then on it may have it.
  package internal(set) var toldAt: Instant?
  package internal(set) var version: Int64 = 0

  /// By what a payment is found again. Keyed digests: references are the customers' of other banks.
  package struct References: Sendable, Equatable {
    package var uetr: String?
    package var transaction: String?
    package var endToEnd: String?
    /// The debtor's bank, by BIC (without the branch code XXX of its head office) or clearing number; empty when it is
    /// not named.
    package var agent: String
    /// Of end-to-end id, accounts and amount together: decision 111. Of an outgoing one: of the whole order.
    package var identity: String?
  }

  /// Sealed.
  package struct Content: Sendable, Equatable, Codable {
    package var messageID = ""
    package var messageName = ""
    package var endToEndID: String?
    package var transactionID: String?
    package var uetr: String?
    /// Of an outgoing one: the legal name of the account's first owner, as it was when the payment was ordered.
    package var debtor: String?
    package var debtorAccount: String?
    package var debtorBIC: String?
    package var debtorMember: String?
    package var creditor: String?
    package var creditorAccount: String?
    package var creditorBIC: String?
    package var remittance: [String] = []
    /// Where it is ordered as a pain.001: the tenant's account there, and the bank that keeps it. As it was when the
    /// payment was ordered, so that no payment is told in two forms.
    package var orderAccount: String?
    package var orderBIC: String?
    /// Which characters it is written in, as `MessageCharacters`; nil of what was ordered before they were kept.
    package var characters: String?
    /// The payment of ours whose money this is, which no account took back.
    package var own: String?
  }

  /// As its transaction id and as the id of its message: up to 35 characters.
  package var reference: String { id.rawValue.replacing("-", with: "") }

  /// The id in a UETR or in `reference`; nil for what is neither.
  static func id(in text: String?) -> ID? {
    guard var digits = text, digits.utf8.count == 36 || digits.utf8.count == 32 else { return nil }
    digits.removeAll { $0 == "-" }
    // Other banks write any text here: only where each character is one byte are the places below within it.
    guard digits.utf8.count == 32, digits.count == 32 else { return nil }
    for place in [20, 16, 12, 8] { digits.insert("-", at: digits.index(digits.startIndex, offsetBy: place)) }
    return digits.canonicalUUID.map { ID(rawValue: $0) }
  }
}

/// Why money that came in is on the suspense account.
package enum SuspenseReason: String, Error, Sendable, CaseIterable, SQLConvertible {
  /// No account is named, or none of the tenant's.
  case unknownAccount = "unknown-account"
  case closedAccount = "closed-account"
  /// The account does not book yet.
  case inactiveAccount = "inactive-account"
  /// The account is in another currency.
  case otherCurrency = "other-currency"
  /// An entry that does not say which payments it is made of, or takes back an earlier entry.
  case unclearEntry = "unclear-entry"
  /// A return of a payment that is not known, came back before, or was less; money that came back for an account that
  /// takes none any more.
  case unknownReturn = "unknown-return"
  /// It may have come before: the same payer, reference and amount, or a reference that was used with another amount.
  case possibleRepeat = "possible-repeat"

  /// What the sender is told when the money goes back.
  package var returnReason: ReturnReason {
    switch self {
    case .unknownAccount: .incorrectAccountNumber
    case .closedAccount: .closedAccount
    case .inactiveAccount: .blockedAccount
    case .otherCurrency: .notAllowedCurrency
    case .unclearEntry, .unknownReturn, .possibleRepeat: .notSpecifiedByAgent
    }
  }
}

package enum BankPaymentState: String, Sendable, CaseIterable, SQLConvertible {
  /// On the account of a customer.
  case credited
  /// On the suspense account: a person has to decide.
  case suspended
  /// Sent back to the bank that it came from, from the suspense account or, because it asked, from the customer's.
  case returned
  /// Taken from a customer for another bank.
  case ordered
  /// Undone. Of a payment to another bank, which rejected, returned or recalled it: the money is on the customer's
  /// account again, or on the suspense account when that one takes none. Of one that came in: it was told of twice.
  case reversed
}

package enum BankPaymentEvent: String, Sendable, CaseIterable {
  /// A person found out whose it is.
  case assigned
  /// A person sends it back.
  case sentBack
  /// A person found that it is a payment that was booked before.
  case dismissed
  /// The other bank did not take it (pacs.002).
  case rejected
  /// The other bank returned it (pacs.004).
  case cameBack
  /// A person gives it back because another bank asked for it (camt.056).
  case recalled
}

/// The life of a payment between banks: one row a legal move.
let bankPaymentFlow: TransitionTable<BankPaymentState, BankPaymentEvent, Never> = .init([
  .init(.suspended, on: .assigned, to: .credited),
  .init(.suspended, on: .sentBack, to: .returned),
  .init(.suspended, on: .dismissed, to: .reversed),
  .init(.ordered, on: .rejected, to: .reversed),
  .init(.ordered, on: .cameBack, to: .reversed),
  .init(.credited, on: .recalled, to: .returned),
  .init(.suspended, on: .recalled, to: .returned),
  .init(.ordered, on: .recalled, to: .reversed),
])

/// How a payment between banks moves: its row, its line in the audit log, and the work of who decides.
struct BankPaymentMachine: StateMachine {
  typealias State = BankPaymentState
  typealias Event = BankPaymentEvent
  typealias Effect = Never

  let vault: Vault

  let flow = "finaptic.bankPayment"
  var table: TransitionTable<State, Event, Effect> { bankPaymentFlow }
  var state: WritableKeyPath<BankPayment, BankPaymentState> { \.state }

  func save(_ payment: inout BankPayment, in tx: any SQLTransaction) throws {
    try BankPaymentStore(tx, vault: vault).advance(payment)
  }

  func auditEntry(for move: Move, of payment: BankPayment) -> AuditEntry? {
    AuditEntry(
      "finaptic.payment.\(move.event.rawValue)", chain: "finaptic-payment-\(payment.id)",
      facts: ["state": move.to.rawValue])
  }

  func awaitedWork(for payment: BankPayment, in tx: any SQLTransaction) -> AwaitedWork? { Self.work(for: payment) }

  /// What a person has to do about money of which the owner is not known.
  static func work(for payment: BankPayment) -> AwaitedWork? {
    guard payment.state == .suspended else { return nil }
    var work = AwaitedWork(
      "finaptic-suspense", tenant: BankAccount.ledgerTenant(payment.tenant), subject: payment.id.rawValue,
      person: payment.id.rawValue)
    work.reasons = [payment.suspense?.rawValue].compactMap(\.self)
    return work
  }
}
