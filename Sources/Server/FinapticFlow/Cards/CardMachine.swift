// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How a card moves: its row, its line in the audit log, and the event that tells the tenant's server.
struct CardMachine: StateMachine {
  typealias Move = TransitionTable<CardState, CardEvent, CardEffect>.Row

  let cards: CardService

  let flow = "finaptic.card"
  var table: TransitionTable<CardState, CardEvent, CardEffect> { cardFlow }
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

  /// Nothing: the table has no effects.
  func owedEffect(_ effect: CardEffect, for move: Move, of card: PaymentCard) -> OwedEffect? {}

  func complete(_ move: Move, of card: inout PaymentCard, by actor: String, in tx: any SQLTransaction) throws {
    guard move.event != .erased else { return try CardStore(tx, vault: cards.core.vault).deleteSecrets(of: card.id) }
    try cards.tell(.cardUpdated, card, in: tx)
  }
}
