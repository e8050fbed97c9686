// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Money that goes from one account to another: two entries, or none when it is declined. Everything that moves money is
/// one of these, so that the books always balance.
package struct LedgerTransfer: Sendable, Hashable {
  package typealias ID = Identifier<LedgerTransfer>

  package let id: ID
  package let order: TransferOrder
  package let at: LedgerTime
  /// Numbers of its entries; nil when it was declined.
  package let sequences: Sequences?
  /// Why nothing moved; nil when it was booked.
  package let declined: LedgerDecline?

  package struct Sequences: Sendable, Hashable {
    /// On the account that is debited.
    package let debit: Int64
    package let credit: Int64

    package init(debit: Int64, credit: Int64) { (self.debit, self.credit) = (debit, credit) }
  }

  /// The day from which on it counts for interest, days since 1970-01-01: that of its booking, or the one that its
  /// order names, at most `Ledger.valueDaysMax` before. What is booked late counts from the day that was ordered.
  package var valueDay: Int64 {
    let booked = Ledger.day(of: at.instant)
    return min(max(order.valueDay ?? booked, booked - Ledger.valueDaysMax), booked)
  }

  /// What it belongs to: the first transfer or hold of a purchase, its settlement, its refund.
  package var lifecycle: String { order.lifecycle ?? order.hold?.rawValue ?? id.rawValue }
}

/// What a caller wants moved.
package struct TransferOrder: Sendable, Hashable {
  package let tenant: String
  /// The caller's name for it: the same key is the same transfer, however often it is asked for.
  package let key: String
  /// What it is for, as in `transfer`, `deposit`, `refund`: the callers' word, which the ledger only keeps.
  package let kind: String
  /// Which part of the system began it, as in `core-transfer`.
  package let domain: String
  /// Whose balance goes down.
  package let debit: LedgerAccount.ID
  /// Whose balance goes up.
  package let credit: LedgerAccount.ID
  /// More than nothing, in the currency of both accounts.
  package let amount: Money
  /// Id of the first transfer or hold of what this belongs to; nil when it begins something.
  package let lifecycle: String?
  /// The day from which on it counts for interest, days since 1970-01-01 (value date, ISO 20022 `ValDt`); nil for that
  /// of its booking.
  package let valueDay: Int64?
  /// The hold that it settles.
  package internal(set) var hold: LedgerHold.ID?

  package init(
    tenant: String, key: String, kind: String, domain: String, debit: LedgerAccount.ID, credit: LedgerAccount.ID,
    amount: Money, lifecycle: String? = nil, valueDay: Int64? = nil
  ) {
    (self.tenant, self.key, self.kind, self.domain) = (tenant, key, kind, domain)
    (self.debit, self.credit, self.amount, self.lifecycle) = (debit, credit, amount, lifecycle)
    self.valueDay = valueDay
  }
}

/// One line of an account.
package struct LedgerEntry: Sendable, Hashable {
  package let account: LedgerAccount.ID
  /// From 1, without a gap.
  package let sequence: Int64
  /// Negative on the account that is debited.
  package let amount: Int64
  /// The actual balance right after it.
  package let balance: Int64
  package let transfer: LedgerTransfer
}

/// What became of an order. These are no errors: an order that cannot be carried out does not fail the
/// others of its batch.
package enum LedgerAnswer<Done: Sendable & Hashable>: Sendable, Hashable {
  case done(Done)
  /// Understood, kept, and not carried out: nothing moved. The same key is declined for ever.
  case declined(Done, LedgerDecline)
  /// Not an order that the books could keep: nothing of it was kept.
  case refused(LedgerRefusal)
}

/// Why an order was kept and nothing moved.
package enum LedgerDecline: String, Sendable, CaseIterable, SQLConvertible {
  /// One of the accounts may not book yet.
  case accountInactive = "account_inactive"
  /// Nothing may leave the account.
  case accountFrozen = "account_frozen"
  /// One of the accounts is closed.
  case accountClosed = "account_closed"
  /// Less is available than was asked for.
  case insufficientFunds = "insufficient_funds"
}

/// Why an order could not be kept.
package enum LedgerRefusal: String, Sendable, CaseIterable {
  /// The key is empty or longer than `Ledger.keyMax`, or another text is.
  case textTooLong
  case amountNotPositive
  /// From an account to itself.
  case sameAccount
  /// Not there, or another tenant's.
  case unknownAccount
  /// Who asks has nothing to do with one of the accounts, or not any more.
  case notParty
  /// Not the currency of both accounts.
  case currencyDiffers
  /// The key was used for something else.
  case keyReused
  /// A balance would leave the range of its type.
  case outOfRange
  case unknownHold
  /// The hold was settled, released or declined before.
  case holdEnded
  /// More than was held.
  case exceedsHold
}
