import Kit
import Storage

/// Deletes what cards, their payments and invitations say of an erased customer. The rows stay, for the ledger and for
/// the other side of an invitation; what is left of a card does not pay.
struct CardErasure: Sendable {
  static let forget: FinapticErasure.Forgetting = { subject, parts, tx in
    guard let customer = subject.customer else { return }
    let now = parts.world.now()
    let (cards, payments) = (CardStore(tx, vault: parts.vault), CardPaymentStore(tx, vault: parts.vault))
    try CardTokenStore(tx).deleteAll(of: subject.user)
    for var card in try cards.all(of: customer) {
      try payments.forgetMerchants(of: card.id)
      try parts.cards.move(&card, on: .erased, by: "system", in: tx)
    }
    try InvitationStore(tx, vault: parts.vault).forgetWords(of: customer, at: now)
  }
}
