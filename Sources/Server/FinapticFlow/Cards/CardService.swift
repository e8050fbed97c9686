// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Finds cards and moves them.
struct CardService: Sendable {
  let core: CoreDependencies
  let bankEvents: BankEventPublisher

  /// A card that its holder or an owner of its account looks at (finaptic §3.5).
  /// - Returns: nil when it is not there or not the caller's to see: no difference is told.
  func find(_ name: String?, for caller: FinapticCustomer, in tx: any SQLTransaction) throws -> PaymentCard? {
    guard let card = try find(name, tenant: caller.tenant.id, in: tx) else { return nil }
    if card.holder == caller.customer { return card }
    return try AccountOwnership(tx, caller).find(card.account.rawValue) == nil ? nil : card
  }

  /// A card of a tenant, without a check of the caller.
  /// - Throws: `Problem` invalid argument for what is no id.
  func find(_ name: String?, tenant: Int, in tx: any SQLTransaction) throws -> PaymentCard? {
    var check = InputCheck()
    let id = check.id(name, "cardId")
    try check.end()
    guard let id, let card = try CardStore(tx, vault: core.vault).find(.init(rawValue: id)), card.tenant == tenant
    else { return nil }
    return card
  }

  /// - Throws: `Problem` failed precondition for a move that the state does not know; `SQLError.outdated`.
  func move(_ card: inout PaymentCard, on event: CardEvent, by actor: String, in tx: any SQLTransaction) throws {
    try core.mover.move(&card, on: event, of: CardMachine(cards: self), by: actor, in: tx)
  }

  func tell(_ kind: BankEvent.Kind, _ card: PaymentCard, in tx: any SQLTransaction) throws {
    try bankEvents.tell(
      kind, on: card.account.rawValue, of: card.tenant, about: card.holder, world: core.world,
      { ($0.cardId, $0.status) = (card.id.rawValue, card.state.rawValue) }, in: tx)
  }

  static let unknown = Problem.finaptic(.notFound, "There is no such card.")
}
