// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// A customer disputes a payment by card, and the network decides between the bank and the merchant (chargeback).
package struct CardDispute: Sendable, Equatable {
  package typealias ID = Identifier<CardDispute>

  package let id: ID
  package let tenant: Int
  /// What the issuer calls it.
  package let reference: String
  let payment: CardPayment.ID
  package let account: BankAccount.ID
  /// What is disputed, in minor units of the bank's currency.
  package let amount: Int64
  /// The network's code of why.
  package let reason: String
  package internal(set) var state: CardDisputeState
  package let openedAt: Instant
  var version: Int64

  package var money: Money { Money(amount, InternalAccounts.currency) }
  package var mayCredit: Bool { cardDisputeFlow.allows(.credited, from: state) }
  var chain: String { "finaptic-card-dispute-\(id)" }
}

package enum CardDisputeState: String, Sendable, CaseIterable, SQLConvertible {
  case opened
  /// The customer has the money for the time being.
  case credited
  /// The merchant does not agree; the network decides.
  case represented
  case creditedRepresented
  case won, lost

  /// Whether the customer has the bank's money.
  var isCredited: Bool { self == .credited || self == .creditedRepresented }

  /// In the words of the API.
  var word: String { self == .creditedRepresented ? "CREDITED_REPRESENTED" : rawValue.uppercased() }
}

package enum CardDisputeEvent: String, Sendable, CaseIterable { case credited, represented, won, lost }

/// The life of a dispute: whatever happens between, money goes to the customer at most once, and comes back at most
/// once.
/// Diagram: docs/flows/finaptic-card-dispute.mmd.
package let cardDisputeFlow: TransitionTable<CardDisputeState, CardDisputeEvent, Never> = .init([
  .init(.opened, on: .credited, to: .credited),
  .init(.opened, on: .represented, to: .represented),
  .init(.opened, on: .won, to: .won),
  .init(.opened, on: .lost, to: .lost),
  .init(.credited, on: .represented, to: .creditedRepresented),
  .init(.credited, on: .won, to: .won),
  .init(.credited, on: .lost, to: .lost),
  .init(.represented, on: .credited, to: .creditedRepresented),
  .init(.represented, on: .won, to: .won),
  .init(.represented, on: .lost, to: .lost),
  .init(.creditedRepresented, on: .won, to: .won),
  .init(.creditedRepresented, on: .lost, to: .lost),
])

/// The moves of rows of `finaptic_card_dispute`, each with the case of who works on it.
struct CardDisputeMachine: StateMachine {
  typealias State = CardDisputeState
  typealias Event = CardDisputeEvent
  typealias Effect = Never

  let flow = "finaptic.cardDispute"
  var table: TransitionTable<State, Event, Effect> { cardDisputeFlow }
  var state: WritableKeyPath<CardDispute, CardDisputeState> { \.state }

  func refusal(of event: CardDisputeEvent, in state: CardDisputeState) -> any Error {
    Problem(.conflict, "dispute-out-of-order", "The dispute is \(state.word), which does not allow this step.")
  }

  func save(_ dispute: inout CardDispute, in tx: any SQLTransaction) throws {
    try CardDisputeStore(tx).save(dispute)
    dispute.version += 1
  }

  func auditEntry(for move: Move, of dispute: CardDispute) -> AuditEntry? {
    AuditEntry("finaptic.cardDispute.\(move.event.rawValue)", chain: dispute.chain)
  }

  func awaitedWork(for dispute: CardDispute, in tx: any SQLTransaction) -> AwaitedWork? { Self.work(for: dispute) }

  static func work(for dispute: CardDispute) -> AwaitedWork? {
    guard dispute.state != .won, dispute.state != .lost else { return nil }
    var work = AwaitedWork(
      "finaptic-card-dispute", tenant: BankAccount.ledgerTenant(dispute.tenant), subject: dispute.id.rawValue,
      person: dispute.id.rawValue)
    work.reasons = [dispute.state.rawValue]
    work.chain = dispute.chain
    return work
  }
}
