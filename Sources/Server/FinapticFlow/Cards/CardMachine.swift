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

  func save(_ card: inout PaymentCard, in tx: any SQLTransaction) throws {
    try CardStore(tx, vault: cards.core.vault).save(card, at: cards.core.world.now())
    card.version += 1
  }

  func auditEntry(for move: Move, of card: PaymentCard) -> AuditEntry? {
    AuditEntry("finaptic.card.\(move.event.rawValue)", chain: "finaptic-card-\(card.id)")
  }

  /// Nothing: the table has no effects.
  func owedEffect(_ effect: CardEffect, for move: Move, of card: PaymentCard) -> OwedEffect? {}

  func complete(_ move: Move, of card: inout PaymentCard, by actor: String, in tx: any SQLTransaction) throws {
    try cards.tell(.cardUpdated, card, in: tx)
  }
}
