import FinapticWire
import Kit
import Ledger
import Storage

/// Something that happened on a customer's account, as its people see it (finaptic §8.5, §8.6): an entry of the ledger,
/// or money that was asked for and is held or was declined. It is written in the commit that books it and keeps its
/// place: on one account no two have the same time, and a later one has a later time.
package struct BankTransaction: Sendable, Hashable {
  /// Id of the ledger's transfer, which its two legs share, or of the hold.
  package typealias ID = Identifier<BankTransaction>

  /// In the words of the wire.
  package enum Category: String, Sendable, CaseIterable, SQLConvertible {
    /// Held back; always pending.
    case authorized = "AUTHORIZED"
    case debit = "DEBIT"
    case refund = "REFUND"
    case declined = "DECLINED"
    case chargeback = "CHARGEBACK"
    case credit = "CREDIT"
    case productNotDefined = "PRODUCT_NOT_DEFINED"
  }

  /// In the words of the wire.
  package enum State: String, Sendable, CaseIterable, SQLConvertible {
    case posted = "POSTED"
    case pending = "PENDING"
    case unknown = "UNKNOWN"
    /// Was held, and given back.
    case cancelled = "CANCELLED"
  }

  package let id: ID
  package let account: BankAccount.ID
  package let tenant: Int
  /// Id of what this belongs to: the first step of a purchase, its settlement, its refund.
  package let lifecycle: String
  /// What it is for, in the word of whoever ordered it: a `BankOrder.Kind`.
  package let kind: String
  package let category: Category
  package let state: State
  /// Negative when money leaves the account. Of a declined one, what was asked for.
  package let amount: Money
  /// Balances right after it.
  package let actual: Int64
  package let available: Int64
  /// The other account, a customer's or the bank's own.
  package let counterpart: LedgerAccount.ID
  /// `core-card`, `core-transfer`, `core-banking`.
  package let domain: String
  /// Number of the ledger's entry; nil when nothing was booked.
  package let entry: Int64?
  package let at: LedgerTime
  /// The transfer that settled this hold.
  package let settledBy: ID?
  /// Nil when nobody said anything, and after an erasure.
  package let particulars: Particulars?

  package var isCredit: Bool { amount.minorUnits > 0 }
}

extension BankTransaction {
  /// What the books do not know of it. Sealed.
  package struct Particulars: LedgerNote, Codable, Hashable {
    package struct Merchant: Sendable, Codable, Hashable {
      package var name: String
      /// As in `MONTREAL QC`; empty when unknown.
      package var place: String
      /// Four digits (ISO 18245).
      package var categoryCode: String

      package init(name: String, place: String = "", categoryCode: String = "") {
        (self.name, self.place, self.categoryCode) = (name, place, categoryCode)
      }
    }

    package var merchant: Merchant?
    /// The card that paid.
    package var card: String?
    /// Legal name of the other party, where it is no customer of ours.
    package var counterparty: String?
    /// What the network calls it.
    package var clearingReference: String?
    package var remittance: FinapticAPI.Remittance?

    package init(
      merchant: Merchant? = nil, card: String? = nil, counterparty: String? = nil, clearingReference: String? = nil,
      remittance: FinapticAPI.Remittance? = nil
    ) {
      (self.merchant, self.card, self.counterparty) = (merchant, card, counterparty)
      (self.clearingReference, self.remittance) = (clearingReference, remittance)
    }
  }
}
