// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Deletes what cards, their payments and invitations say of an erased customer. The rows stay, for the ledger and for
/// the other side of an invitation; what is left of a card does not pay.
struct CardErasure: Sendable {
  static func forget(
    _ subject: FinapticErasure.Subject, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard let customer = subject.customer else { return }
    let now = core.world.now()
    let (cards, payments) = (CardStore(tx, vault: core.vault), CardPaymentStore(tx, vault: core.vault))
    let machine = CardMachine(cards: CardService(core: core, bankEvents: .none))
    try CardTokenStore(tx).deleteAll(of: subject.user)
    for var card in try cards.all(of: customer) {
      try payments.forgetMerchants(of: card.id)
      try core.mover.move(&card, on: .erased, of: machine, by: "system", in: tx)
    }
    try InvitationStore(tx, vault: core.vault).forgetWords(of: customer, at: now)
  }
}
