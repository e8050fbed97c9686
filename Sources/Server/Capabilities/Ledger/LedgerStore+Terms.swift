// SPDX-License-Identifier: Apache-2.0
import Kit
import Storage

/// What products pay and cost, day by day, and accounts for which changed terms begin later than for the others.
extension LedgerStore {
  /// Without a day to begin on, the terms do not count for the account until one is set.
  package static let lateTermsMigration = Migration(
    "2026-12-06 ledger late terms",
    """
    CREATE TABLE ledger_late_terms (
      account_id TEXT NOT NULL REFERENCES ledger_account (id),
      from_day BIGINT NOT NULL,
      begins_day BIGINT CHECK (begins_day >= from_day),
      PRIMARY KEY (account_id, from_day)
    );
    CREATE INDEX ledger_late_terms_open ON ledger_late_terms (from_day) WHERE begins_day IS NULL;
    """)

  typealias Terms = (yearlyInterestMillionths: Int64, monthlyFee: Int64)

  /// What a product paid and cost on a day (days since 1970-01-01, UTC).
  /// - Parameter account: for which changed terms may begin later; nil asks for the product alone.
  func terms(
    of product: LedgerProduct, on day: Int64, for account: LedgerAccount.ID? = nil
  ) throws -> Terms? {
    try tx.first(
      """
      SELECT yearly_interest_millionths, monthly_fee FROM ledger_terms AS t
      WHERE tenant = \(product.tenant) AND product = \(product.code) AND from_day <= \(day)
        AND NOT EXISTS (SELECT 1 FROM ledger_late_terms AS l
          WHERE l.account_id = \(account?.rawValue ?? "") AND l.from_day = t.from_day
            AND (l.begins_day IS NULL OR l.begins_day > \(day)))
      ORDER BY from_day DESC LIMIT 1
      """
    ).map { (try $0.get("yearly_interest_millionths"), try $0.get("monthly_fee")) }
  }

  /// Which of some accounts have terms of their own on a day.
  func late(on day: Int64, among ids: [LedgerAccount.ID]) throws -> Set<LedgerAccount.ID> {
    guard !ids.isEmpty else { return [] }
    return Set(
      try tx.query(
        """
        SELECT DISTINCT account_id FROM ledger_late_terms WHERE account_id IN \(list: ids) AND from_day <= \(day)
          AND (begins_day IS NULL OR begins_day > \(day))
        """
      ).map { try $0.get("account_id") })
  }

  /// Whether an account of a product has terms of its own on a day.
  func areTermsLate(of product: LedgerProduct, on day: Int64) throws -> Bool {
    try tx.first(
      """
      SELECT 1 AS n FROM ledger_late_terms AS l JOIN ledger_account AS a ON a.id = l.account_id
      WHERE a.tenant = \(product.tenant) AND a.product = \(product.code) AND l.from_day <= \(day)
        AND (l.begins_day IS NULL OR l.begins_day > \(day)) LIMIT 1
      """) != nil
  }

  /// Lets terms that an account waits for begin.
  /// - Parameters:
  ///   - from: the day from which on they count for other accounts.
  ///   - day: no day before today, so that no day that was ended changes.
  package func begin(termsFrom from: Int64, of account: LedgerAccount.ID, on day: Int64) throws {
    try tx.execute(
      """
      UPDATE ledger_late_terms SET begins_day = \(day)
      WHERE account_id = \(account) AND from_day = \(from) AND begins_day IS NULL
      """)
  }
}
