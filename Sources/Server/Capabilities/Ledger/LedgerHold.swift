// SPDX-License-Identifier: Apache-2.0

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
    (self.tenant, self.key, self.kind, self.domain) = (tenant, key, kind, domain)
    (self.account, self.counterparty, self.amount, self.expiresAt) = (account, counterparty, amount, expiresAt)
  }

  /// Holds the money of a transfer that is to follow.
  package init(_ order: TransferOrder, until end: Instant? = nil) {
    self.init(
      tenant: order.tenant, key: order.key, kind: order.kind, domain: order.domain, account: order.debit,
      counterparty: order.credit, amount: order.amount, expiresAt: end)
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
    (self.tenant, self.key, self.kind, self.hold, self.minorUnits) = (tenant, key, kind, hold, minorUnits)
  }
}
