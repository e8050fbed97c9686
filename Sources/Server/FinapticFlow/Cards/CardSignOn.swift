// SPDX-License-Identifier: Apache-2.0

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
  /// Tells the code of cards with real customers.
  let issuer: CardIssuer?
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
    _ asked: FinapticAPI.ShowCardRequest, key: FinapticClientKey
  ) async throws -> FinapticAPI.ShowCardResponse {
    // The token is used up before the issuer is asked, so that no number of calls has one token ask for a code twice.
    let used = try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      let store = CardTokenStore(tx)
      guard let text = asked.token, (16...128).contains(text.utf8.count), let token = try store.find(digest(text)),
        token.key == key.id, let shown = try look(token, asked, in: tx),
        try store.use(token.digest, at: core.world.now())
      else { throw Problem.notFound }
      return shown
    }
    let code = try await code(of: used)
    // A customer who was stopped while the issuer was asked is not shown the card any more.
    return try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      guard let shown = try look(used.token, asked, in: tx) else { throw Problem.notFound }
      try core.note("card.shown", "card-\(shown.card.id)", by: "user:\(shown.token.user)", in: tx)
      return .init(
        number: shown.secrets.number, expiry: shown.secrets.expiry.text, securityCode: code,
        nameOnCard: shown.card.content.nameOnCard)
    }
  }

  /// A card that may be shown.
  private struct Shown: Sendable {
    let token: CardTokenStore.Token
    let card: PaymentCard
    let secrets: CardSecrets
    let isSandbox: Bool
  }

  /// - Returns: nil when the card is not to be shown by the token now.
  private func look(
    _ token: CardTokenStore.Token, _ asked: FinapticAPI.ShowCardRequest, in tx: any SQLTransaction
  ) throws -> Shown? {
    // What may be over is asked last: the account may have been waited for.
    guard let card = try CardStore(tx, vault: core.vault).find(token.card), card.reference == asked.cardRefNumber,
      try isCarried(card, in: tx), token.expiresAt > core.world.now(), try isLive(token, in: tx),
      let secrets = try CardStore(tx, vault: core.vault).secrets(of: card.id),
      let tenant = try TenantStore(tx).find(card.tenant)
    else { return nil }
    return Shown(token: token, card: card, secrets: secrets, isSandbox: tenant.isSandbox)
  }

  /// Of a card with a real customer, its issuer's: ours is never invented outside of a sandbox.
  /// - Throws: `Problem` unavailable when the issuer does not tell it: the app asks for another token.
  private func code(of seen: Shown) async throws -> String {
    guard !seen.isSandbox else { return code(of: seen.secrets) }
    guard let issuer, let reference = seen.card.reference else { throw CardOpening.noIssuer }
    do { return try await issuer.securityCode(reference, seen.card.tenant) } catch let problem as Problem {
      throw problem
    } catch { throw Problem.unavailable }
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

  /// Computed of number and expiry by a key, as issuers do: it is stored nowhere. For sandboxes.
  private func code(of secrets: CardSecrets) -> String {
    let digest = core.vault.digest("\(secrets.number) \(secrets.expiry.text)", for: "finaptic card code")
    let digits = String((Int(digest.prefix(12), radix: 16) ?? 0) % 1000)
    return String(repeating: "0", count: 3 - digits.count) + digits
  }

  private func digest(_ token: String) -> String { core.vault.digest(token, for: "finaptic card token") }
}
