import Kit
import Storage

/// Lets go of what cards, their payments and invitations say of somebody who is erased. Their rows stay, for the books
/// and for the other side of an invitation; what is left of a card pays no more.
struct CardErasure: Sendable {
  static func forget(
    _ subject: FinapticErasure.Subject, _ core: CoreDependencies, in tx: any SQLTransaction
  ) throws {
    guard let customer = subject.customer else { return }
    let now = core.world.now()
    let (cards, payments) = (CardStore(tx, vault: core.vault), CardPaymentStore(tx, vault: core.vault))
    try CardTokenStore(tx).deleteAll(of: subject.user)
    for card in try cards.all(of: customer) {
      try payments.forgetMerchants(of: card.id)
      try cards.empty(card.id, at: now)
    }
    try InvitationStore(tx, vault: core.vault).forgetWords(of: customer, at: now)
  }
}
