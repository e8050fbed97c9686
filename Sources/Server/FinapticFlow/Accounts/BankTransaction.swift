// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
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

  /// What money is moved for.
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
    /// Cash that went out.
    case withdrawal
    /// What the bank puts right: of amounts, interest or fees.
    case correction
    /// The opposite of an earlier one.
    case reversal

    /// Which part of the bank begins it, in the words of the wire.
    package var domain: String {
      switch self {
      case .transfer, .autodeposit, .interacPayment: "core-transfer"
      case .purchase, .refund, .chargeback: "core-card"
      case .deposit, .interest, .fee, .withdrawal, .correction, .reversal: "core-banking"
      }
    }

    /// What its credit leg is called.
    var credit: Category {
      switch self {
      case .refund: .refund
      case .chargeback: .chargeback
      case .transfer, .deposit, .autodeposit, .interacPayment, .purchase, .interest, .fee, .withdrawal, .correction,
        .reversal:
        .credit
      }
    }
  }

  package let id: ID
  package let account: BankAccount.ID
  package let tenant: Int
  /// Id of what this belongs to: the first step of a purchase, its settlement, its refund.
  package let lifecycle: String
  /// The raw value of a `Kind`, or another word that the ledger was given.
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
  /// Nil when the caller passed none, and after an erasure.
  package let particulars: Particulars?

  package var isCredit: Bool { amount.minorUnits > 0 }
}

extension BankTransaction {
  /// What the books do not know of it. Sealed.
  package struct Particulars: Sendable, Codable, Hashable {
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

    /// As the ledger passes them to the recorder of its bookings.
    package var note: Data { get throws { try JSONEncoder().encode(self) } }
  }
}

extension TransferOrder {
  /// An order of a tenant's bank. What it means to customers follows from its kind.
  /// - Parameters:
  ///   - key: the caller's name for it: the same key is the same order, and has the same answer.
  ///   - lifecycle: id of what it belongs to; nil when it begins something.
  package init(
    _ kind: BankTransaction.Kind, tenant: Int, key: String, debit: LedgerAccount.ID, credit: LedgerAccount.ID,
    amount: Money, lifecycle: String? = nil, valueDay: Int64? = nil
  ) {
    self.init(
      tenant: BankAccount.ledgerTenant(tenant), key: key, kind: kind.rawValue, domain: kind.domain, debit: debit,
      credit: credit, amount: amount, lifecycle: lifecycle, valueDay: valueDay)
  }
}
