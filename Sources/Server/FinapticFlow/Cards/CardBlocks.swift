import Kit
import Storage

/// Takes a card out of use by the bank, whatever its holder or an owner of the account does with its lock: it pays
/// nothing, shows no number and cannot be unlocked until the bank lets it.
struct CardBlocks: Sendable {
  let core: CoreDependencies
  let cards: CardService

  /// - Throws: `Problem` not found; validation for a block without a known reason.
  func set(
    _ asked: BankAccountBodies.CardBlock, _ id: String, of tenant: FinapticTenant, by actor: String,
    in tx: any SQLTransaction
  ) throws -> BankAccountBodies.CardBlockView {
    let reason = asked.is_blocked ? try StopReason(given: asked.reason) : nil
    guard let card = try cards.find(id, tenant: tenant.id, in: tx) else { throw Problem.notFound }
    let store = CardStore(tx, vault: core.vault)
    if try store.setBlocked(asked.is_blocked ? core.world.now() : nil, of: card.id) {
      try core.note(
        asked.is_blocked ? "card.blocked" : "card.unblocked", "card-\(card.id)", by: actor,
        reason.map { ["reason": $0.rawValue] } ?? [:], in: tx)
    }
    return .init(card_id: card.id.rawValue, is_blocked: asked.is_blocked)
  }
}
