import Kit
import Storage

/// The port to whoever keeps accounts and cards: opens a customer's products.
package struct ProductOpening: Sendable {
  /// What is opened, and for whom.
  package struct Order: Sendable {
    package let application: OnboardingApplication.ID
    package let tenant: Int
    package let customer: String
    /// The only owner.
    package let profile: ClientProfile
    /// In this order: a card is of the account before it.
    package let products: [ProductBundle.Product]
    /// One for each product, made before the transaction began.
    package let ids: [String]
  }

  /// Opens everything or nothing, in the caller's transaction: accounts active, in CAD, at 0.00.
  package let open: @Sendable (Order, any SQLTransaction) throws -> Void

  package init(open: @escaping @Sendable (Order, any SQLTransaction) throws -> Void) { self.open = open }

  /// Nothing beyond the list of what was opened, which is kept anyhow.
  package static let stored = ProductOpening { _, _ in }
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
