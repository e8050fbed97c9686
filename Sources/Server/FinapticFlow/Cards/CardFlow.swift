// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Whether a card pays (finaptic §8.4).
package enum CardState: String, Sendable, CaseIterable, SQLConvertible {
  /// The issuer has not made it yet; the wire has no state for that.
  case ordered = "CARD_STATE_UNSPECIFIED"
  case active = "CARD_STATE_ACTIVE"
  case locked = "CARD_STATE_LOCKED"
}

package enum CardEvent: String, Sendable, CaseIterable {
  /// The issuer made it.
  case issued
  case locked
  case unlocked
  /// The customer who carries it was erased: what is left of it does not pay.
  case erased
}

/// The life of a card (finaptic §8.4). Diagram: docs/flows/finaptic-card.mmd.
package let cardFlow: TransitionTable<CardState, CardEvent, Never> = .init([
  .init(.ordered, on: .issued, to: .active),
  .init(.active, on: .locked, to: .locked),
  .init(.locked, on: .unlocked, to: .active),
  .init(.ordered, on: .erased, to: .locked),
  .init(.active, on: .erased, to: .locked),
  .init(.locked, on: .erased, to: .locked),
])

/// How a card moves: its row, its line in the audit log, and the event that tells the tenant's server.
struct CardMachine: StateMachine {
  typealias State = CardState
  typealias Event = CardEvent
  typealias Effect = Never

  let cards: CardService

  let flow = "finaptic.card"
  var table: TransitionTable<State, Event, Effect> { cardFlow }
  var state: WritableKeyPath<PaymentCard, CardState> { \.state }

  func refusal(of event: CardEvent, in state: CardState) -> any Error {
    Problem.finaptic(.failedPrecondition, "The card is still being made.")
  }

  /// Takes name, address and number off an erased card.
  func prepare(_ card: inout PaymentCard, for move: Move) {
    guard move.event == .erased else { return }
    card.content = .emptied
    card.lastFour = nil
  }

  func save(_ card: inout PaymentCard, in tx: any SQLTransaction) throws {
    try CardStore(tx, vault: cards.core.vault).save(card, at: cards.core.world.now())
    card.version += 1
  }

  /// The erasure of a customer has an entry of its own.
  func auditEntry(for move: Move, of card: PaymentCard) -> AuditEntry? {
    guard move.event != .erased else { return nil }
    return AuditEntry("finaptic.card.\(move.event.rawValue)", chain: "finaptic-card-\(card.id)")
  }

  func complete(_ move: Move, of card: inout PaymentCard, by actor: String, in tx: any SQLTransaction) throws {
    guard move.event != .erased else { return try CardStore(tx, vault: cards.core.vault).deleteSecrets(of: card.id) }
    try cards.tell(.cardUpdated, card, in: tx)
  }
}
