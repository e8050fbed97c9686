import FinapticWire
import Foundation
import Identity
import Kit
import Ledger
import Storage

/// Lets the card processor's part of an app show a card, once (finaptic §8.4): a token for the holder of the card,
/// and its exchange for the number. The number is on its way for one answer and in no log.
///
/// A token counts once, for five minutes, with the app that it was made for, while its session lives.
struct CardSignOn: Sendable {
  let core: CoreDependencies
  let cards: CardService
  let sessions: Sessions
  let policy: FinapticPolicy

  /// - Parameter token: made before the transaction, which may run more than once.
  /// - Throws: `Problem` permission denied, naming the scope; not found; failed precondition; rate limited.
  func make(
    _ asked: FinapticAPI.CardRequest, token: String, by caller: FinapticCustomer, key: FinapticClientKey,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.CardTokenResponse {
    let store = CardStore(tx, vault: core.vault)
    if try store.requiresStepUp(caller.tenant.id) { try caller.signedIn.require(.viewCardNumber) }
    guard let card = try cards.find(asked.cardId, for: caller, in: tx),
      card.holder == caller.customer
    else { throw CardService.unknown }
    guard try isCarried(card, in: tx) else { throw CardService.unknown }
    guard let reference = card.reference else {
      throw Problem.finaptic(.failedPrecondition, "The card is still being made.")
    }
    try core.limits.spend(policy.cardTokensPerCustomer, by: caller.customer, in: tx)
    try CardTokenStore(tx).insert(
      .init(
        digest: digest(token), card: card.id, user: caller.signedIn.user, key: key.id,
        session: caller.signedIn.identity.family.rawValue, expiresAt: core.world.now() + policy.cardTokenLifetime
      ))
    try core.note("card.tokenMade", "card-\(card.id)", by: caller.actor, in: tx)
    return .init(token: token, cardRefNumber: reference)
  }

  /// - Throws: `Problem.notFound`, by which guesses are counted, for whatever is no token that counts here and now: no
  ///   difference is told.
  func show(
    _ asked: FinapticAPI.ShowCardRequest, key: FinapticClientKey, in tx: any SQLTransaction
  ) throws -> FinapticAPI.ShowCardResponse {
    guard let text = asked.token, (16...128).contains(text.utf8.count),
      let token = try CardTokenStore(tx).find(digest(text)), token.key == key.id,
      token.expiresAt > core.world.now(), try isLive(token, in: tx),
      let card = try CardStore(tx, vault: core.vault).find(token.card), card.reference == asked.cardRefNumber,
      try isCarried(card, in: tx),
      let secrets = try CardStore(tx, vault: core.vault).secrets(of: card.id),
      try CardTokenStore(tx).use(token.digest, at: core.world.now())
    else { throw Problem.notFound }
    try core.note("card.shown", "card-\(card.id)", by: "user:\(token.user)", in: tx)
    return .init(
      number: secrets.number, expiry: secrets.expiry.text, securityCode: code(of: secrets),
      nameOnCard: card.content.nameOnCard)
  }

  /// Whether the holder may still use the card's account and the bank has not blocked the card. The account is locked:
  /// who is taken off it meanwhile was shown the card before, or is not shown it any more.
  private func isCarried(_ card: PaymentCard, in tx: any SQLTransaction) throws -> Bool {
    let store = LedgerStore(tx)
    try store.lock([card.account])
    return try store.mayUse(card.holder, card.account) && !CardStore(tx, vault: core.vault).isBlocked(card.id)
  }

  private func isLive(_ token: CardTokenStore.Token, in tx: any SQLTransaction) throws -> Bool {
    let now = core.world.wall()
    return try sessions.records(of: token.user.rawValue, in: tx).contains {
      $0.id == token.session && $0.revokedAt == nil && $0.expiresAt > now
    }
  }

  /// Computed of number and expiry by a key, as issuers do: it is stored nowhere.
  private func code(of secrets: CardSecrets) -> String {
    let digest = core.vault.digest("\(secrets.number) \(secrets.expiry.text)", for: "finaptic card code")
    let digits = String((Int(digest.prefix(12), radix: 16) ?? 0) % 1000)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func digest(_ token: String) -> String { core.vault.digest(token, for: "finaptic card token") }
}
