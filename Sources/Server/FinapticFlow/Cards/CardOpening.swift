// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Foundation
import Kit
import Ledger
import Storage

/// Makes cards: in a sandbox at once, elsewhere by the issuer that the installation has.
struct CardOpening: Sendable {
  static let topic = "finaptic.issueCard"

  let core: CoreDependencies
  let cards: CardService
  /// Nil where no issuer is connected.
  let issuer: CardIssuer?

  /// What is made, and for whom.
  struct Order: Sendable {
    let id: PaymentCard.ID
    let tenant: FinapticTenant
    let account: BankAccount.ID
    let holder: String
    let kind: PaymentCard.Kind
    let description: String?
    /// Of the holder: name and billing address (finaptic §5.6).
    let profile: ClientProfile
  }

  /// What opens products asks for cards.
  var issuing: CardIssuing {
    CardIssuing { order, tx in
      guard let tenant = try TenantStore(tx).find(order.tenant) else { throw Problem.unexpected }
      _ = try open(
        .init(
          id: .init(rawValue: order.card), tenant: tenant, account: order.account, holder: order.customer,
          kind: order.product == .creditCard ? .credit : .prepaid, description: nil, profile: order.profile),
        by: "customer:\(order.customer)", in: tx)
    }
  }

  /// Whether cards of a tenant can be made.
  func isIssuing(for tenant: FinapticTenant, in tx: any SQLTransaction) throws -> Bool {
    try tenant.isSandbox || issuer?.serves(tenant.id, tx) == true
  }

  /// - Throws: `Problem` failed precondition when the tenant has real customers and no issuer is connected.
  func open(_ order: Order, by actor: String, in tx: any SQLTransaction) throws -> PaymentCard {
    let store = CardStore(tx, vault: core.vault)
    let address = order.profile.addresses.first { $0.type == "HOME" } ?? order.profile.addresses.first
    var card = PaymentCard(
      id: order.id, tenant: order.tenant.id, account: order.account, holder: order.holder, kind: order.kind,
      state: .ordered,
      content: .init(
        description: order.description, nameOnCard: order.profile.legalName, billingAddress: address),
      createdAt: core.world.now())
    guard order.tenant.isSandbox else {
      guard try isIssuing(for: order.tenant, in: tx) else { throw Self.noIssuer }
      try store.insert(card, nil)
      try core.outbox.enqueue(Self.topic, subject: card.id.rawValue, in: tx)
      try core.note("card.ordered", "card-\(card.id)", by: actor, in: tx)
      try cards.tell(.cardCreated, card, in: tx)
      return card
    }
    let (reference, secrets) = try SandboxIssuer(world: core.world).issue()
    (card.state, card.reference) = (.active, reference)
    card.lastFour = CardNumber(secrets.number)?.lastFour
    try store.insert(card, secrets)
    try core.note(
      "card.issued", "card-\(card.id)", by: actor, ["account": order.account.rawValue, "holder": order.holder], in: tx)
    try cards.tell(.cardCreated, card, in: tx)
    return card
  }

  /// Has the issuer make a card that was ordered.
  @Sendable
  func perform(_ item: OutboxItem) async throws {
    let id = PaymentCard.ID(rawValue: item.subject)
    guard
      let card = try await core.database.read({ [core] in try CardStore($0, vault: core.vault).find(id) }),
      card.state == .ordered
    else { return }
    guard let issuer else { throw Self.noIssuer }
    let issued = try await issuer.issue(
      .init(
        card: id.rawValue, tenant: card.tenant, type: card.kind.rawValue, nameOnCard: card.content.nameOnCard,
        billingAddress: card.content.billingAddress))
    guard let number = CardNumber(issued.number), (1...12).contains(issued.expiryMonth) else { throw Unreadable() }
    let account = card.account
    let secrets = CardSecrets(
      number: number.digits, expiry: .init(year: issued.expiryYear, month: issued.expiryMonth))
    try await core.database.write(retrying: .outdated, .readCommitted) { [core, cards] tx in
      let store = CardStore(tx, vault: core.vault)
      // Who is taken off the account meanwhile finds the card there to lock, or is seen here to be off it.
      try LedgerStore(tx).lock([account])
      guard var card = try store.find(id), card.state == .ordered else { return }
      try store.setSecrets(secrets, of: id)
      (card.reference, card.lastFour) = (issued.reference, number.lastFour)
      try cards.move(&card, on: .issued, by: "issuer", in: tx)
      guard try AccountStore(tx).role(of: card.holder, on: account) == nil else { return }
      try cards.move(&card, on: .locked, by: "issuer", in: tx)
    }
  }

  /// The issuer answered what is no card.
  struct Unreadable: FinalFailure {}

  static let noIssuer = Problem.finaptic(.failedPrecondition, "No card issuer is connected for this tenant.")
}
