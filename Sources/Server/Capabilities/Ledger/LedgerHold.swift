import Kit
import Storage

/// Money that is spoken for: still booked, no longer available. It ends by a transfer of as much or less, or by itself.
package struct LedgerHold: Sendable, Hashable {
  package typealias ID = Identifier<LedgerHold>

  package enum State: String, Sendable, CaseIterable, SQLConvertible {
    case open
    /// A transfer took it, or a part of it.
    case settled
    case released
    /// It was never held.
    case declined
  }

  package let id: ID
  package let order: HoldOrder
  package let at: LedgerTime
  package internal(set) var state: State
  package internal(set) var endedAt: LedgerTime?
  package let declined: LedgerDecline?
}

/// What a caller wants held.
package struct HoldOrder: Sendable, Hashable {
  package let tenant: String
  /// The caller's name for it: the same key is the same hold.
  package let key: String
  package let kind: String
  package let domain: String
  package let account: LedgerAccount.ID
  /// Where the money will go.
  package let counterparty: LedgerAccount.ID
  package let amount: Money
  /// When it ends by itself; nil for never.
  package let expiresAt: Instant?

  package init(
    tenant: String, key: String, kind: String, domain: String, account: LedgerAccount.ID,
    counterparty: LedgerAccount.ID, amount: Money, expiresAt: Instant? = nil
  ) {
    self.tenant = tenant
    self.key = key
    self.kind = kind
    self.domain = domain
    self.account = account
    self.counterparty = counterparty
    self.amount = amount
    self.expiresAt = expiresAt
  }
}

/// What a caller wants settled, wholly or in part; the rest of the hold is released.
package struct SettlementOrder: Sendable, Hashable {
  package let tenant: String
  /// The caller's name for the transfer.
  package let key: String
  package let kind: String
  package let hold: LedgerHold.ID
  /// Nil for the whole.
  package let minorUnits: Int64?

  package init(tenant: String, key: String, kind: String, hold: LedgerHold.ID, minorUnits: Int64? = nil) {
    self.tenant = tenant
    self.key = key
    self.kind = kind
    self.hold = hold
    self.minorUnits = minorUnits
  }
}
