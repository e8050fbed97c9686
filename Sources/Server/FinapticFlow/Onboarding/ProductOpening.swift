// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger
import Storage

/// Opens a customer's products: accounts in the ledger, cards by their issuer.
struct ProductOpening: Sendable {
  /// What is opened, and for whom.
  struct Order: Sendable {
    let application: OnboardingApplication.ID
    let tenant: Int
    let customer: String
    /// The only owner.
    let profile: ClientProfile
    /// In this order: a card is of the account before it.
    let products: [ProductBundle.Product]
    /// One for each product, made before the transaction began.
    let ids: [String]
  }

  let core: CoreDependencies
  let ledger: Ledger
  let numbers: AccountNumbers
  let cards: CardIssuing
  let bankEvents: BankEventPublisher

  /// Opens everything or nothing, in the caller's transaction: accounts active, in CAD, at 0.00 (§5.6).
  func open(_ order: Order, in tx: any SQLTransaction) throws {
    try InternalAccounts(ledger).prepare(order.tenant, in: tx)
    let tenant = BankAccount.ledgerTenant(order.tenant)
    let kind: AccountProduct = order.products.contains(.prepaidCard) ? .prepaid : .current
    var account: BankAccount.ID?
    for (product, id) in zip(order.products, order.ids) {
      switch product {
      case .account:
        let opening = LedgerOpening(
          id: .init(rawValue: id), tenant: tenant, product: kind.code, name: kind.name, owners: [order.customer])
        let opened = try ledger.open(opening, in: tx)
        account = try ledger.activate(opened.id, tenant: tenant, in: tx).id
        try numbers.give(to: opened.id, of: order.tenant, in: tx)
        try ledger.stopIfBlocked(order.customer, on: opened.id, tenant: order.tenant, in: tx)
        try TermsNotices(core: core).owe(onOpening: opened.id, of: kind.code, order.tenant, in: tx)
        try bankEvents.tell(
          .accountCreated, on: id, of: order.tenant, about: order.customer, world: core.world,
          { $0.status = BankAccount.Status.active }, in: tx)
      case .prepaidCard, .creditCard:
        guard let account else { throw Problem.unexpected }
        try cards.issue(
          .init(
            card: id, product: product, tenant: order.tenant, account: account, customer: order.customer,
            profile: order.profile), tx)
      }
    }
  }
}

/// Rows of `finaptic_product`: which products an application opened.
package struct OpenedProductStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-22 finaptic 13 product",
    """
    CREATE TABLE finaptic_product (
      id TEXT PRIMARY KEY,
      application_id TEXT NOT NULL REFERENCES finaptic_application (id),
      place BIGINT NOT NULL,
      customer_id TEXT NOT NULL REFERENCES finaptic_client_profile (customer_id),
      kind TEXT NOT NULL,
      source_domain TEXT NOT NULL,
      opened_at BIGINT NOT NULL,
      UNIQUE (application_id, place)
    );
    CREATE INDEX finaptic_product_customer ON finaptic_product (customer_id, opened_at, id);
    """)

  /// - Throws: `SQLError.notUnique` when the application opened its products at the same moment.
  func insert(_ order: ProductOpening.Order, at now: Instant) throws {
    for (place, (product, id)) in zip(order.products, order.ids).enumerated() {
      try tx.execute(
        """
        INSERT INTO finaptic_product (id, application_id, place, customer_id, kind, source_domain, opened_at)
        VALUES (\(id), \(order.application), \(place), \(order.customer), \(product.rawValue),
          \(product.sourceDomain), \(now))
        """)
    }
  }

  /// In the order of the bundle.
  func all(of application: OnboardingApplication.ID) throws -> [(id: String, sourceDomain: String)] {
    try tx.query(
      "SELECT id, source_domain FROM finaptic_product WHERE application_id = \(application) ORDER BY place"
    ).map { (try $0.get("id"), try $0.get("source_domain")) }
  }
}
