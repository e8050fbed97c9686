import Kit

/// One thing that the books did, with what its accounts were right after it. Events of one account come in the order of
/// their times.
package struct LedgerEvent: Sendable {
  package enum Action: Sendable, Hashable {
    /// Money moved, or was declined.
    case transfer(LedgerTransfer)
    /// Money is held back, or was declined.
    case hold(LedgerHold)
    /// A hold was given back, by its caller or by time.
    case release(LedgerHold)
  }

  /// An account right after the event.
  package struct Standing: Sendable, Hashable {
    package let id: LedgerAccount.ID
    package let kind: LedgerProduct.Kind
    package let actual: Int64
    package let held: Int64

    package var available: Int64 { actual - held }
  }

  package let action: Action
  /// Whose balance goes down, or would.
  package let debit: Standing
  package let credit: Standing
  /// What the caller said beside the order: the ledger keeps nothing of it.
  package let note: (any LedgerNote)?
}

/// What a caller says beside an order, for whoever hears of what was booked.
package protocol LedgerNote: Sendable {}
