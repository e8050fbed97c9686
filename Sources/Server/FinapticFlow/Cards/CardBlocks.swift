import Kit
import Storage

/// Takes a card out of use by the bank, whatever its holder or an owner of the account does with its lock: it pays
/// nothing, shows no number and cannot be unlocked until the bank lets it.
struct CardBlocks: Sendable {
  let core: CoreDependencies
  let cards: CardService

  /// Whether it may be done now.
  /// - Parameter key: of the maker and the call.
  /// - Throws: `Problem` not found; those of `FourEyesGate.pass`.
  func pass(
    _ asked: BankAccountBodies.CardBlock, _ id: String, of tenant: FinapticTenant, key: String, by maker: String,
    in tx: any SQLTransaction
  ) throws -> FourEyesGate.Passage {
    if asked.is_blocked { _ = try StopReason(given: asked.reason) }
    guard let card = try cards.find(id, tenant: tenant.id, in: tx) else { throw Problem.notFound }
    let policy = try FourEyesPolicyStore(tx).policy(of: tenant)
    let blockedAt = try CardStore(tx, vault: core.vault).blockedAt(card.id)
    let isDemanded = asked.is_blocked != (blockedAt != nil) && policy.demands(asked.is_blocked ? .block : .unblock)
    return try FourEyesGate(core: core).pass(
      FourEyesGate.Asked(
        action: asked.is_blocked ? .blockCard : .unblockCard, subject: card.id.rawValue, version: Int64(card.version),
        request: asked.reason.map { "reason \($0)" } ?? "no reason given",
        // The very block: no spare word for an earlier one lifts it.
        standing: blockedAt.map { "card blocked at \($0.rfc3339) (\($0.milliseconds))" } ?? "card not blocked",
        person: KeySubject.customer(card.holder, in: tx)?.id, chain: "card-\(card.id)"),
      if: isDemanded, key: key, of: tenant, by: maker, in: tx)
  }

  /// - Throws: `Problem` not found; validation for a block without a known reason.
  func set(
    _ asked: BankAccountBodies.CardBlock, _ id: String, of tenant: FinapticTenant, by actor: String,
    with permit: FourEyesGate.Permit, in tx: any SQLTransaction
  ) throws -> BankAccountBodies.CardBlockView {
    let reason = asked.is_blocked ? try StopReason(given: asked.reason) : nil
    guard let card = try cards.find(id, tenant: tenant.id, in: tx) else { throw Problem.notFound }
    let store = CardStore(tx, vault: core.vault)
    if try store.setBlocked(asked.is_blocked ? core.world.now() : nil, because: reason, of: card.id) {
      try core.note(
        asked.is_blocked ? "card.blocked" : "card.unblocked", "card-\(card.id)", by: actor,
        reason.map { ["reason": $0.rawValue] } ?? [:], in: tx)
    }
    return .init(card_id: card.id.rawValue, is_blocked: asked.is_blocked)
  }
}
