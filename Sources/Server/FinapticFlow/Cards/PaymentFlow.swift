// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Where a payment by card stands (finaptic §8.6, §11.4).
package enum PaymentState: String, Sendable, CaseIterable, SQLConvertible {
  /// Money is held for it.
  case authorized
  /// The merchant has the money; some of it may have come back.
  case settled
  /// Never held: the card or its account said no.
  case declined
  /// The merchant gave the authorization back.
  case cancelled
  /// The merchant did not ask in time.
  case expired
  /// All of it came back.
  case refunded
  /// The network took it back from the merchant.
  case chargedBack
}

package enum PaymentEvent: String, Sendable, CaseIterable {
  case confirmed, cancelled, expired
  /// More is held for it, or less.
  case increased, reduced
  /// The merchant took money that was not held.
  case forced
  case refundedInPart, refundedWhole
  case chargedBack
  /// The network decided for the merchant.
  case chargebackLost
}

/// The life of a payment by card. Diagram: docs/flows/finaptic-card-payment.mmd.
package let paymentFlow: TransitionTable<PaymentState, PaymentEvent, Never> = .init([
  .init(.authorized, on: .confirmed, to: .settled),
  .init(.authorized, on: .cancelled, to: .cancelled),
  .init(.authorized, on: .expired, to: .expired),
  .init(.authorized, on: .increased, to: .authorized),
  .init(.authorized, on: .reduced, to: .authorized),
  .init(.settled, on: .forced, to: .settled),
  .init(.declined, on: .forced, to: .settled),
  .init(.cancelled, on: .forced, to: .settled),
  .init(.expired, on: .forced, to: .settled),
  .init(.settled, on: .refundedInPart, to: .settled),
  .init(.settled, on: .refundedWhole, to: .refunded),
  .init(.settled, on: .chargedBack, to: .chargedBack),
  .init(.chargedBack, on: .chargebackLost, to: .settled),
])

/// How a payment by card moves: its row, and its line in the audit log of the card.
struct PaymentMachine: StateMachine {
  typealias State = PaymentState
  typealias Event = PaymentEvent
  typealias Effect = Never

  let core: CoreDependencies

  let flow = "finaptic.cardPayment"
  var table: TransitionTable<State, Event, Effect> { paymentFlow }
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
}
