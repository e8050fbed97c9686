import FinapticWire
import Foundation
import Kit
import Storage

/// Lets the card processor's part of an app show a card, once (finaptic §8.4): a token for whoever carries the card,
/// and its exchange for the number. The number is on its way for one answer and in no log.
///
/// A token counts once, for five minutes, with the app that it was made for, while its session lives.
struct CardSignOn: Sendable {
  let parts: FinapticDependencies

  /// - Parameter token: made before the transaction, which may run more than once.
  /// - Throws: `Problem` permission denied, naming the scope; not found; failed precondition; rate limited.
  func make(
    _ asked: FinapticAPI.CardRequest, token: String, by caller: FinapticCustomer, key: FinapticClientKey,
    in tx: any SQLTransaction
  ) throws -> FinapticAPI.CardTokenResponse {
    let store = CardStore(tx, vault: parts.vault)
    if try store.requiresStepUp(caller.tenant.id) { try caller.signedIn.require(.viewCardNumber) }
    guard let card = try CardService(parts: parts).find(asked.cardId, for: caller, in: tx),
      card.holder == caller.customer
    else { throw CardService.unknown }
    guard let reference = card.reference else {
      throw Problem.finaptic(.failedPrecondition, "The card is still being made.")
    }
    try parts.limits.spend(parts.policy.cardTokensPerCustomer, by: caller.customer, in: tx)
    try CardTokenStore(tx).insert(
      .init(
        digest: digest(token), card: card.id, user: caller.signedIn.user, key: key.id,
        session: caller.signedIn.identity.family.rawValue, expiresAt: parts.world.now() + parts.policy.cardTokenLifetime
      ))
    try parts.note("card.tokenMade", "card-\(card.id)", by: caller.actor, in: tx)
    return .init(token: token, cardRefNumber: reference)
  }

  /// - Throws: `Problem.notFound`, by which guesses are counted, for whatever is no token that counts here and now: no
  ///   difference is told.
  func show(
    _ asked: FinapticAPI.ShowCardRequest, key: FinapticClientKey, in tx: any SQLTransaction
  ) throws -> FinapticAPI.ShowCardResponse {
    guard let text = asked.token, (16...128).contains(text.utf8.count),
      let token = try CardTokenStore(tx).find(digest(text)), token.key == key.id,
      token.expiresAt > parts.world.now(), try isLive(token, in: tx),
      let card = try CardStore(tx, vault: parts.vault).find(token.card), card.reference == asked.cardRefNumber,
      let secrets = try CardStore(tx, vault: parts.vault).secrets(of: card.id),
      try CardTokenStore(tx).use(token.digest, at: parts.world.now())
    else { throw Problem.notFound }
    try parts.note("card.shown", "card-\(card.id)", by: "user:\(token.user)", in: tx)
    return .init(
      number: secrets.number, expiry: secrets.expiry.text, securityCode: code(of: secrets),
      nameOnCard: card.content.nameOnCard)
  }

  private func isLive(_ token: CardTokenStore.Token, in tx: any SQLTransaction) throws -> Bool {
    let now = parts.world.now()
    return try parts.sessions.records(of: token.user.rawValue, in: tx).contains {
      $0.id == token.session && $0.revokedAt == nil && $0.expiresAt > now
    }
  }

  /// Computed of number and expiry by a key, as issuers do: it is stored nowhere.
  private func code(of secrets: CardSecrets) -> String {
    let digest = parts.vault.digest("\(secrets.number) \(secrets.expiry.text)", for: "finaptic card code")
    let digits = String((Int(digest.prefix(12), radix: 16) ?? 0) % 1000)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func digest(_ token: String) -> String { parts.vault.digest(token, for: "finaptic card token") }
}
