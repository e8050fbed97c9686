import Kit
import Storage

/// Lets go of what cards, their payments and invitations say of somebody who is erased. Their rows stay, for the books
/// and for the other side of an invitation; what is left of a card pays no more.
struct CardErasure: Sendable {
  static let forget: FinapticErasure.Forgetting = { subject, parts, tx in
    guard let customer = subject.customer else { return }
    let now = parts.world.now()
    let (cards, payments) = (CardStore(tx, vault: parts.vault), CardPaymentStore(tx, vault: parts.vault))
    try CardTokenStore(tx).deleteAll(of: subject.user)
    for card in try cards.all(of: customer) {
      try payments.forgetMerchants(of: card.id)
      try cards.empty(card.id, at: now)
    }
    try InvitationStore(tx, vault: parts.vault).forgetWords(of: customer, at: now)
  }
}
