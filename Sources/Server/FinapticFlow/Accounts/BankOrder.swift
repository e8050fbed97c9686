import Kit
import Ledger

/// What a part of the bank wants done with money. What it means to customers follows from its kind.
package struct BankOrder: Sendable, Hashable {
  package enum Kind: String, Sendable, CaseIterable {
    /// Between accounts of customers.
    case transfer
    /// Cash that came in.
    case deposit
    /// From the Interac network, by a registration.
    case autodeposit
    /// From the Interac network, taken by its recipient.
    case interacPayment
    /// By card.
    case purchase
    case refund
    case chargeback
    case interest
    case fee

    /// Which part of the bank begins it, in the words of the wire.
    package var domain: String {
      switch self {
      case .transfer, .autodeposit, .interacPayment: "core-transfer"
      case .purchase, .refund, .chargeback: "core-card"
      case .deposit, .interest, .fee: "core-banking"
      }
    }

    /// What its credit leg is called.
    var credit: BankTransaction.Category {
      switch self {
      case .refund: .refund
      case .chargeback: .chargeback
      case .transfer, .deposit, .autodeposit, .interacPayment, .purchase, .interest, .fee: .credit
      }
    }
  }

  package let tenant: Int
  /// The caller's name for it: the same key is the same order, and has the same answer.
  package let key: String
  package let kind: Kind
  /// Whose balance goes down.
  package let debit: LedgerAccount.ID
  /// Whose balance goes up.
  package let credit: LedgerAccount.ID
  package let amount: Money
  /// Id of what it belongs to; nil when it begins something.
  package let lifecycle: String?

  package init(
    _ kind: Kind, tenant: Int, key: String, debit: LedgerAccount.ID, credit: LedgerAccount.ID, amount: Money,
    lifecycle: String? = nil
  ) {
    (self.kind, self.tenant, self.key, self.debit, self.credit) = (kind, tenant, key, debit, credit)
    (self.amount, self.lifecycle) = (amount, lifecycle)
  }

  var transfer: TransferOrder {
    TransferOrder(
      tenant: BankAccount.ledgerTenant(tenant), key: key, kind: kind.rawValue, domain: kind.domain, debit: debit,
      credit: credit, amount: amount, lifecycle: lifecycle)
  }

  func hold(until end: Instant?) -> HoldOrder {
    HoldOrder(
      tenant: BankAccount.ledgerTenant(tenant), key: key, kind: kind.rawValue, domain: kind.domain, account: debit,
      counterparty: credit, amount: amount, expiresAt: end)
  }
}
