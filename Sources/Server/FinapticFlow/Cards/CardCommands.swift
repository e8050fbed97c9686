// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// The calls about cards (finaptic §3.5, §8.4). What changes one is a transaction of READ COMMITTED: what it is decided
/// by is locked first, and read then.
struct CardCommands: Sendable {
  /// The most cards that one customer may have of one account.
  static let perHolderMax = 10

  let core: CoreDependencies
  let cards: CardService
  let opening: CardOpening

  // MARK: Looking

  func get(_ asked: FinapticAPI.CardRequest, for caller: FinapticCustomer, in tx: any SQLTransaction) throws
    -> FinapticAPI.Card
  {
    guard let card = try cards.find(asked.cardId, for: caller, in: tx) else { throw CardService.unknown }
    return card.view
  }

  /// Everything that the caller may look at, the oldest first: what is issued meanwhile comes last.
  func list(_ asked: FinapticAPI.PageRequest, for caller: FinapticCustomer, in tx: any SQLTransaction) throws
    -> FinapticAPI.CardsResponse
  {
    var check = InputCheck()
    let asked = (size: check.pageSize(asked.pageSize), token: asked.pageToken)
    try check.end()
    guard let size = asked.size else { throw Problem.unexpected }
    let tokens = PageTokens(core.vault, "listCards", "\(caller.tenant.id)", caller.customer)
    let after = try tokens.position(asked.token).map(Self.position)
    let found = try CardStore(tx, vault: core.vault).visible(
      to: caller.customer, tenant: caller.tenant.id, after: after, limit: size + 1)
    let page = found.prefix(size)
    let next =
      try found.count > size ? page.last.map { try tokens.token("\($0.createdAt.milliseconds) \($0.id)") } : nil
    return .init(cards: page.map(\.view), nextPageToken: next)
  }

  private static func position(_ text: String) throws -> (at: Instant, id: String) {
    let words = text.split(separator: " ")
    guard words.count == 2, let milliseconds = Int64(words[0]) else { throw Problem.unexpected }
    return (Instant(milliseconds: milliseconds), String(words[1]))
  }

  // MARK: Locking

  /// Locking what is locked, and unlocking what pays, changes nothing and answers the same.
  /// - Throws: `Problem` CARDS_INVALID_CARD_ID; failed precondition.
  func setLocked(
    _ isLocked: Bool, _ asked: FinapticAPI.CardRequest, by caller: FinapticCustomer, in tx: any SQLTransaction
  ) throws -> FinapticAPI.CardResponse {
    guard var card = try cards.find(asked.cardId, for: caller, in: tx) else {
      throw Problem.finaptic(.cardsInvalidCardId, "There is no such card.")
    }
    if !isLocked {
      // Who is taken off the account meanwhile has all of their cards locked: before this, or after it.
      try LedgerStore(tx).lock([card.account])
      guard try AccountStore(tx).role(of: card.holder, on: card.account) != nil else {
        throw Problem.finaptic(.failedPrecondition, "The card's holder is not on its account any more.")
      }
      guard try !CardStore(tx, vault: core.vault).isBlocked(card.id) else {
        throw Problem.finaptic(.failedPrecondition, "The bank has blocked the card.")
      }
    }
    if !isLocked, card.state == .locked, card.lastFour == nil {
      throw Problem.finaptic(.failedPrecondition, "The card was taken out of use.")
    }
    if card.state != (isLocked ? .locked : .active) {
      try cards.move(&card, on: isLocked ? .locked : .unlocked, by: caller.actor, in: tx)
    }
    return .init(card: card.view)
  }

  /// Locks whatever of an account one customer carries.
  func lockAll(of holder: String, on account: BankAccount.ID, by actor: String, in tx: any SQLTransaction) throws {
    for var card in try CardStore(tx, vault: core.vault).all(of: holder, on: account) where card.state == .active {
      try cards.move(&card, on: .locked, by: actor, in: tx)
    }
  }

  // MARK: Cards of authorized users

  /// - Parameter id: made before, so that a transaction that runs again makes one card.
  /// - Throws: `Problem` invalid argument; CARDS_INVALID_ACCOUNT unless the caller owns it;
  ///   CARDS_INVALID_AUTHORIZED_USER; failed precondition when there are too many, or no issuer is connected.
  func create(
    _ asked: FinapticAPI.CreateAuthorizedUserCardRequest, id: PaymentCard.ID, by caller: FinapticCustomer,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.CardResponse {
    var check = InputCheck()
    let kind = check.text(asked.card?.cardType, "card.cardType", isRequired: true, "CARD_TYPE_PREPAID.") {
      $0 == PaymentCard.Kind.prepaid.rawValue
    }
    let account = check.id(asked.card?.accountId, "card.accountId")
    let description = check.text(asked.card?.description, "card.description", max: 100)
    let holder = check.id(asked.authorizedUserId, "authorizedUserId")
    try check.end()
    guard kind != nil, let account, let holder else { throw Problem.unexpected }
    let ownership = AccountOwnership(tx, caller)
    // The owner is checked before the lock, so that a customer cannot delay bookings on another's account.
    guard let seen = try ownership.find(account) else { throw Self.foreignAccount }
    // Until this transaction ends, no user is removed from the account and no other card is made for it.
    try LedgerStore(tx).lock([seen.id])
    guard let owned = try ownership.find(account) else { throw Self.foreignAccount }
    guard owned.authorizedUsers.contains(holder) else {
      throw Problem.finaptic(.cardsInvalidAuthUser, "The customer is not an authorized user of the account.")
    }
    guard try CardStore(tx, vault: core.vault).all(of: holder, on: owned.id).count < Self.perHolderMax else {
      throw Problem.finaptic(.failedPrecondition, "At most \(Self.perHolderMax) cards of an account for one customer.")
    }
    let profile = try ClientProfileStore(tx, vault: core.vault).find(holder) ?? ClientProfile()
    let order = CardOpening.Order(
      id: id, tenant: caller.tenant, account: owned.id, holder: holder, kind: .prepaid, description: description,
      profile: profile)
    return .init(card: try opening.open(order, by: caller.actor, in: tx).view)
  }

  private static let foreignAccount = Problem.finaptic(
    .cardsInvalidAccount, "There is no such account of the caller's.")
}
