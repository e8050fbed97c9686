// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Products, and accounts with their parties: how they are made, changed and listed.
extension LedgerStore {
  // MARK: Products

  private static let productColumns: SQLColumns =
    "tenant, code, kind, currency, available_min, yearly_interest_millionths, monthly_fee"

  /// Keeps a product as it is from a day on.
  func put(_ product: LedgerProduct, on day: Int64) throws {
    try tx.execute(
      """
      INSERT INTO ledger_product
        (tenant, code, kind, currency, available_min, yearly_interest_millionths, monthly_fee)
      VALUES (\(product.tenant), \(product.code), \(product.kind), \(product.currency), \(product.availableMin),
        \(product.yearlyInterestMillionths), \(product.monthlyFee))
      ON CONFLICT (tenant, code) DO UPDATE SET available_min = excluded.available_min,
        yearly_interest_millionths = excluded.yearly_interest_millionths, monthly_fee = excluded.monthly_fee
      """)
    let known = try terms(of: product, on: day)
    // Accounts that wait for the product's terms have others until these are put from this day on.
    guard
      try known?.yearlyInterestMillionths != product.yearlyInterestMillionths || known?.monthlyFee != product.monthlyFee
        || areTermsLate(of: product, on: day)
    else { return }
    // The first terms have no beginning: clocks of nodes differ.
    try tx.execute(
      """
      INSERT INTO ledger_terms (tenant, product, from_day, yearly_interest_millionths, monthly_fee)
      VALUES (\(product.tenant), \(product.code), \(known == nil ? 0 : day), \(product.yearlyInterestMillionths),
        \(product.monthlyFee))
      ON CONFLICT (tenant, product, from_day) DO UPDATE SET
        yearly_interest_millionths = excluded.yearly_interest_millionths, monthly_fee = excluded.monthly_fee
      """)
    // Accounts that wait for other terms of this day do not wait for these.
    try tx.execute(
      """
      DELETE FROM ledger_late_terms WHERE from_day = \(day) AND account_id IN (
        SELECT id FROM ledger_account WHERE tenant = \(product.tenant) AND product = \(product.code))
      """)
  }

  package func product(_ code: String, tenant: String) throws -> LedgerProduct? {
    try tx.first(
      "SELECT \(Self.productColumns) FROM ledger_product WHERE tenant = \(tenant) AND code = \(code)"
    ).map(Self.product)
  }

  /// All of a tenant, by their codes.
  package func products(tenant: String) throws -> [LedgerProduct] {
    try tx.query("SELECT \(Self.productColumns) FROM ledger_product WHERE tenant = \(tenant) ORDER BY code")
      .map(Self.product)
  }

  private static func product(_ row: SQLRow) throws -> LedgerProduct {
    LedgerProduct(
      tenant: try row.get("tenant"), code: try row.get("code"), kind: try row.get("kind"),
      currency: try row.get("currency"), availableMin: try row.get("available_min"),
      yearlyInterestMillionths: try row.get("yearly_interest_millionths"), monthlyFee: try row.get("monthly_fee"))
  }

  // MARK: Accounts

  /// - Returns: false when there is an account of that id.
  func insert(_ opening: LedgerOpening, of product: LedgerProduct, at now: Instant) throws -> Bool {
    let state: LedgerAccount.State = product.kind == .house ? .active : .inactive
    return try tx.execute(
      """
      INSERT INTO ledger_account
        (id, tenant, product, name, kind, currency, state, available_min, actual, held, sequence, last_at, opened_at)
      VALUES (\(opening.id), \(product.tenant), \(product.code), \(opening.name), \(product.kind),
        \(product.currency), \(state), \(product.availableMin), 0, 0, 0, \(LedgerTime(now)), \(now))
      ON CONFLICT (id) DO NOTHING
      """) == 1
  }

  /// Of a tenant, by product and id, after a given one.
  package func accounts(tenant: String, product: String, after: LedgerAccount.ID?, limit: Int) throws
    -> [LedgerAccount]
  {
    try tx.query(
      """
      SELECT \(Self.accountColumns) FROM ledger_account
      WHERE tenant = \(tenant) AND product = \(product) AND id > \(after?.rawValue ?? "") ORDER BY id LIMIT \(limit)
      """
    ).map(Self.account)
  }

  /// - Returns: false when it is not there or was active before.
  func activate(_ id: LedgerAccount.ID) throws -> Bool {
    try tx.execute("UPDATE ledger_account SET state = 'active' WHERE id = \(id) AND state = 'inactive'") == 1
  }

  /// A time of an account that nothing else on it has, later than all before, for what happens there beside the books;
  /// with what the account is at it.
  /// - Returns: nil when there is no such account.
  package func stamp(
    _ id: LedgerAccount.ID, at now: LedgerTime
  ) throws -> (at: LedgerTime, actual: Int64, held: Int64)? {
    try tx.first(
      """
      UPDATE ledger_account SET last_at = CASE WHEN last_at < \(now) THEN \(now) ELSE last_at + 1 END
      WHERE id = \(id) RETURNING last_at, actual, held
      """
    ).map { (try $0.get("last_at"), try $0.get("actual"), try $0.get("held")) }
  }

  /// Locks the row by a write that changes nothing: transactions that depend on the account wait for this one, or run
  /// again after it.
  /// - Returns: false when it is not there.
  @discardableResult
  package func touch(_ id: LedgerAccount.ID) throws -> Bool {
    try tx.execute("UPDATE ledger_account SET last_at = last_at WHERE id = \(id)") == 1
  }

  // MARK: Parties

  /// A party that is stopped elsewhere is stopped here too.
  /// - Returns: false when the party has a role on the account already.
  func insert(_ party: String, as role: LedgerRole, on id: LedgerAccount.ID, at now: Instant) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO ledger_party (account_id, party, role, since, stopped_at) VALUES (\(id), \(party), \(role), \(now),
        (SELECT MIN(other.stopped_at) FROM ledger_party AS other WHERE other.party = \(party)))
      ON CONFLICT (account_id, party) DO NOTHING
      """) == 1
  }

  /// - Returns: false when the party has no such role on the account.
  func delete(_ party: String, as role: LedgerRole, on id: LedgerAccount.ID) throws -> Bool {
    try tx.execute(
      "DELETE FROM ledger_party WHERE account_id = \(id) AND party = \(party) AND role = \(role)") == 1
  }

  /// Of several accounts, in the order of their ids.
  package func parties(on ids: [LedgerAccount.ID]) throws -> [LedgerAccount.ID: [(party: String, role: LedgerRole)]] {
    guard !ids.isEmpty else { return [:] }
    let rows = try tx.query(
      """
      SELECT account_id, party, role FROM ledger_party WHERE account_id IN \(list: ids) ORDER BY account_id, party
      """)
    return try rows.reduce(into: [:]) { all, row in
      all[try row.get("account_id"), default: []].append((try row.get("party"), try row.get("role")))
    }
  }

  /// Of these accounts, those that are customers' of a tenant.
  package func customers(among ids: Set<LedgerAccount.ID>, of tenant: String) throws -> Set<LedgerAccount.ID> {
    let rows = try tx.query(
      """
      SELECT id FROM ledger_account
      WHERE tenant = \(tenant) AND kind = \(LedgerProduct.Kind.customer) AND id IN \(list: Array(ids))
      """)
    return Set(try rows.map { try $0.get("id") })
  }

  /// Accounts that a party owns or may use, by id, after a given one.
  package func accounts(of party: String, after: LedgerAccount.ID?, limit: Int) throws -> [PartyAccount] {
    try tx.query(
      """
      SELECT a.id, a.tenant, a.product, a.kind, a.name, a.currency, a.state, a.available_min, a.actual, a.held,
        a.sequence, a.opened_at, a.stopped, p.role
      FROM ledger_party AS p JOIN ledger_account AS a ON a.id = p.account_id
      WHERE p.party = \(party) AND p.account_id > \(after?.rawValue ?? "") ORDER BY p.account_id LIMIT \(limit)
      """
    ).map { PartyAccount(account: try Self.account($0), role: try $0.get("role")) }
  }
}
