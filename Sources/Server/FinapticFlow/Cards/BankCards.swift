// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Ledger
import Storage

/// Makes cards for a bank's own systems (finaptic §3.9, CreateCard), in the transaction of the call.
struct BankCards: Sendable {
  private static let descriptionMax = 100

  let core: CoreDependencies
  let accounts: BankAccountService
  let opening: CardOpening

  struct Order: Decodable, Sendable {
    let customer_id: String
    let account_id: String
    /// A raw value of `PaymentCard.Kind`.
    let card_type: String
    /// What its holder knows it by.
    let description: String?
  }

  struct View: Encodable, Sendable {
    let card_id: String
    let account_id: String
    let customer_id: String
    let card_type: String
    /// As apps see it; unspecified until the issuer made it.
    let state: String

    init(_ card: PaymentCard) {
      (card_id, account_id, customer_id) = (card.id.rawValue, card.account.rawValue, card.holder)
      (card_type, state) = (card.kind.rawValue, card.state.rawValue)
    }
  }

  /// For an owner or authorized user of an account that books.
  /// - Parameter id: made before, so that a transaction that runs again makes one card.
  /// - Throws: `Problem` validation; conflict `account-not-active`, `too-many-cards`, `no-card-issuer`.
  func create(
    _ asked: Order, id: PaymentCard.ID, of tenant: FinapticTenant, by actor: String, in tx: any SQLTransaction
  ) throws -> View {
    guard let kind = PaymentCard.Kind(rawValue: asked.card_type) else {
      let words = PaymentCard.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw Problem.validation([.init("/card_type", "unknown", "One of \(words).")])
    }
    let description = asked.description?.trimmingCharacters(in: .whitespacesAndNewlines)
    guard (description?.count ?? 0) <= Self.descriptionMax, description?.contains("\0") != true else {
      throw Problem.validation([.init("/description", "length", "At most \(Self.descriptionMax) characters.")])
    }
    // As everywhere: the account's row before the user's.
    let account = try accounts.account(asked.account_id, of: tenant, in: tx)
    let holder = try accounts.customer(asked.customer_id, of: tenant, in: tx)
    guard account.customers.contains(holder) else {
      throw Problem.validation([
        .init("/customer_id", "unknown", "An owner of the account, or who is authorized to use it.")
      ])
    }
    guard account.books else {
      throw Problem(.conflict, "account-not-active", "Nothing can leave the account that the card would pay from.")
    }
    guard try opening.isIssuing(for: tenant, in: tx) else {
      throw Problem(.conflict, "no-card-issuer", "No card issuer is connected for this tenant.")
    }
    let vault = core.vault
    guard try CardStore(tx, vault: vault).all(of: holder, on: account.id).count < CardCommands.perHolderMax else {
      throw Problem(
        .conflict, "too-many-cards", "At most \(CardCommands.perHolderMax) cards of an account for one customer.")
    }
    let card = try opening.open(
      .init(
        id: id, tenant: tenant, account: account.id, holder: holder, kind: kind,
        description: description.flatMap { $0.isEmpty ? nil : $0 },
        profile: ClientProfileStore(tx, vault: vault).find(holder) ?? ClientProfile()), by: actor, in: tx)
    return View(card)
  }
}
