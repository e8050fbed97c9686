// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Money of a card that is not where it belongs: the network got or gave it, and the customer's account did not take
/// it.
/// It is on the bank's suspense account for cards until a person decides.
package struct CardSuspense: Sendable, Equatable {
  package typealias ID = Identifier<CardSuspense>

  package enum Direction: String, Sendable, CaseIterable, SQLConvertible {
    /// The bank paid the network for the customer.
    case owed
    /// The network gave the bank what is the customer's.
    case due
  }

  package enum Reason: String, Sendable, CaseIterable, SQLConvertible {
    /// The account lacks money, is frozen or closed.
    case declined
    /// The card pays no more: it is blocked, locked, or its holder is not on the account.
    case cardRefused = "card-refused"
    /// The merchant took more than was held, and more than the tenant allows.
    case overCleared = "over-cleared"
    /// The merchant took what was declined.
    case declinedBefore = "declined-before"
    /// More comes back than is left of the payment, or of one that came back by a dispute.
    case unmatchedRefund = "unmatched-refund"
    /// The merchant took more after all of the payment had come back.
    case afterReturn = "after-return"
    /// A dispute was lost after the customer had got the money.
    case disputeLost = "dispute-lost"
    /// The merchant gave back what the bank had paid and given up.
    case writtenOff = "written-off"
  }

  package let id: ID
  package let tenant: Int
  package let account: BankAccount.ID
  /// Nil for what came back of no payment that is known.
  let payment: CardPayment.ID?
  package let direction: Direction
  package let reason: Reason
  /// What still waits, in minor units of the bank's currency.
  package internal(set) var amount: Int64
  /// What the bank gave up of what it had paid, and did not get back.
  var writtenOff: Int64 = 0
  var state: CardSuspenseState
  package let since: Instant
  var version: Int64

  package var money: Money { Money(amount, InternalAccounts.currency) }

  /// The bank's own account for it.
  static func ledger(_ tenant: Int) -> LedgerAccount.ID {
    .init(rawValue: "\(BankAccount.ledgerTenant(tenant)):card-suspense")
  }
}

package enum CardSuspenseState: String, Sendable, CaseIterable, SQLConvertible { case waiting, settled }

package enum CardSuspenseEvent: String, Sendable, CaseIterable {
  /// A person had it booked on an account.
  case resolved
  /// The merchant gave it back, or a part of it.
  case refundedInPart, refunded
  /// The bank gave it up, or keeps it.
  case writtenOff
  /// The merchant gave back what was given up, or a part of it: that waits as an item of its own.
  case returnedLate
}

/// The life of an item of the suspense account for cards. Diagram: docs/flows/finaptic-card-suspense.mmd.
package let cardSuspenseFlow = TransitionTable<CardSuspenseState, CardSuspenseEvent, Never>([
  .init(.waiting, on: .refundedInPart, to: .waiting),
  .init(.waiting, on: .refunded, to: .settled),
  .init(.waiting, on: .resolved, to: .settled),
  .init(.waiting, on: .writtenOff, to: .settled),
  .init(.settled, on: .returnedLate, to: .settled),
])

/// The moves of rows of `finaptic_card_suspense`, each with the case of who decides.
struct CardSuspenseMachine: StateMachine {
  typealias State = CardSuspenseState
  typealias Event = CardSuspenseEvent
  typealias Effect = Never

  let flow = "finaptic.cardSuspense"
  var table: TransitionTable<State, Event, Effect> { cardSuspenseFlow }
  var state: WritableKeyPath<CardSuspense, CardSuspenseState> { \.state }

  func refusal(of event: CardSuspenseEvent, in state: CardSuspenseState) -> any Error {
    Problem(.conflict, "not-suspended", "This money does not wait any more.")
  }

  func save(_ item: inout CardSuspense, in tx: any SQLTransaction) throws {
    try CardSuspenseStore(tx).save(item)
    item.version += 1
  }

  func auditEntry(for move: Move, of item: CardSuspense) -> AuditEntry? {
    AuditEntry("finaptic.cardSuspense.\(move.event.rawValue)", chain: "finaptic-card-suspense-\(item.id)")
  }

  func awaitedWork(for item: CardSuspense, in tx: any SQLTransaction) -> AwaitedWork? { Self.work(for: item) }

  static func work(for item: CardSuspense) -> AwaitedWork? {
    guard item.state == .waiting else { return nil }
    var work = AwaitedWork(
      "finaptic-card-suspense", tenant: BankAccount.ledgerTenant(item.tenant), subject: item.id.rawValue,
      person: item.id.rawValue)
    work.reasons = [item.direction.rawValue, item.reason.rawValue]
    work.chain = "finaptic-card-suspense-\(item.id)"
    return work
  }
}
