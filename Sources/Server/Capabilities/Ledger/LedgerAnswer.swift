import Storage

/// What became of an order. None of it is an error: an order that cannot be carried out fails nobody else's.
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

/// One order of a batch.
enum LedgerOrder: Sendable {
  /// - `by`: who has to be a party of both accounts when it is booked; nil for what is not asked for by one.
  case transfer(LedgerTransfer.ID, TransferOrder, (any LedgerNote)?, by: String?)
  case hold(LedgerHold.ID, HoldOrder, (any LedgerNote)?)
  case settle(LedgerTransfer.ID, SettlementOrder, (any LedgerNote)?)
  case release(LedgerHold.ID, tenant: String)
}

/// What became of one order of a batch.
enum LedgerOutcome: Sendable {
  case transfer(LedgerAnswer<LedgerTransfer>)
  case hold(LedgerAnswer<LedgerHold>)
}
