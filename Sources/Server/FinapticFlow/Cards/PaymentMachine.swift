// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// How a payment by card moves: its row, and its line in the audit log of the card.
struct PaymentMachine: StateMachine {
  typealias Move = TransitionTable<PaymentState, PaymentEvent, PaymentEffect>.Row

  let core: CoreDependencies

  let flow = "finaptic.cardPayment"
  var table: TransitionTable<PaymentState, PaymentEvent, PaymentEffect> { paymentFlow }
  var state: WritableKeyPath<CardPayment, PaymentState> { \.state }

  func refusal(of event: PaymentEvent, in state: PaymentState) -> any Error { CardPayments.outOfOrder(state) }

  func save(_ payment: inout CardPayment, in tx: any SQLTransaction) throws {
    try CardPaymentStore(tx, vault: core.vault).save(payment, at: core.world.now())
    payment.version += 1
  }

  func auditEntry(for move: Move, of payment: CardPayment) -> AuditEntry? {
    AuditEntry(
      "finaptic.cardPayment.\(move.event.rawValue)", chain: "finaptic-card-\(payment.card)",
      facts: ["payment": payment.id.rawValue])
  }

  /// Nothing: the table has no effects.
  func owedEffect(_ effect: PaymentEffect, for move: Move, of payment: CardPayment) -> OwedEffect? {}
}
