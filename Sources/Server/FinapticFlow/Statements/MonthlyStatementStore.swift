// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_statement` and `finaptic_statement_month`.
package struct MonthlyStatementStore {
  /// Statements of an account that are listed: twenty years of them.
  static let listMax = 240

  let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// A row is written once and deleted by an erasure alone. A statement is corrected at most once: what follows
  /// corrects the correction. `finaptic_statement_month` holds up to which month a tenant's statements are made.
  package static let migration = Migration(
    "2026-12-02 finaptic statement",
    """
    CREATE TABLE finaptic_statement (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      account_id TEXT NOT NULL,
      month BIGINT NOT NULL,
      revision BIGINT NOT NULL CHECK (revision > 0),
      corrects_id TEXT UNIQUE REFERENCES finaptic_statement (id),
      language TEXT NOT NULL,
      created_at BIGINT NOT NULL,
      pdf_key TEXT NOT NULL UNIQUE,
      pdf_digest TEXT NOT NULL CHECK (LENGTH(pdf_digest) = 64),
      pdf_size BIGINT NOT NULL,
      message_key TEXT NOT NULL UNIQUE,
      message_digest TEXT NOT NULL CHECK (LENGTH(message_digest) = 64),
      message_size BIGINT NOT NULL,
      UNIQUE (account_id, month, revision),
      CHECK ((revision = 1) = (corrects_id IS NULL))
    );
    CREATE TABLE finaptic_statement_month (
      tenant_id BIGINT PRIMARY KEY REFERENCES finaptic_tenant (id),
      month BIGINT NOT NULL
    );
    """)

  private static let columns: SQLColumns = """
    id, tenant_id, account_id, month, revision, corrects_id, language, created_at, pdf_key, pdf_digest, pdf_size,
    message_key, message_digest, message_size
    """

  /// - Returns: false when another node made the statement of this month, or this correction, meanwhile.
  func insert(_ new: MonthlyStatement) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO finaptic_statement
        (id, tenant_id, account_id, month, revision, corrects_id, language, created_at, pdf_key, pdf_digest, pdf_size,
         message_key, message_digest, message_size)
      VALUES (\(new.id), \(new.tenant), \(new.account), \(new.month.number), \(new.revision), \(new.corrects),
        \(new.language), \(new.createdAt), \(new.pdf.blob), \(new.pdf.digest), \(new.pdf.size),
        \(new.message.blob), \(new.message.digest), \(new.message.size))
      ON CONFLICT DO NOTHING
      """) == 1
  }

  func find(_ id: MonthlyStatement.ID, tenant: Int) throws -> MonthlyStatement? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_statement WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map(Self.statement)
  }

  /// The statements of an account, the latest month first, and within a month the latest revision.
  package func all(of account: BankAccount.ID) throws -> [MonthlyStatement] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_statement WHERE account_id = \(account)
      ORDER BY month DESC, revision DESC LIMIT \(Self.listMax)
      """
    ).map(Self.statement)
  }

  /// Which of some accounts have a statement of a month.
  func known(among ids: [BankAccount.ID], month: Int64) throws -> Set<BankAccount.ID> {
    guard !ids.isEmpty else { return [] }
    return Set(
      try tx.query("SELECT account_id FROM finaptic_statement WHERE account_id IN \(list: ids) AND month = \(month)")
        .map { try $0.get("account_id") })
  }

  /// Objects of an account's statements.
  func objects(of account: BankAccount.ID) throws -> Int {
    let row = try tx.first("SELECT COUNT(*) AS statements FROM finaptic_statement WHERE account_id = \(account)")
    return 2 * (try row?.get("statements") ?? 0)
  }

  /// For an erasure. The sweep of objects deletes what no row names any more.
  func deleteAll(of account: BankAccount.ID) throws {
    try tx.execute("DELETE FROM finaptic_statement WHERE account_id = \(account)")
  }

  // MARK: Months

  func lastMonth(of tenant: Int) throws -> Int64? {
    try tx.first("SELECT month FROM finaptic_statement_month WHERE tenant_id = \(tenant)")?.get("month")
  }

  /// What another node did meanwhile stays.
  func made(_ month: Int64, of tenant: Int) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_statement_month (tenant_id, month) VALUES (\(tenant), \(month))
      ON CONFLICT (tenant_id) DO UPDATE SET month = excluded.month
      WHERE excluded.month > finaptic_statement_month.month
      """)
  }

  private static func statement(_ row: SQLRow) throws -> MonthlyStatement {
    MonthlyStatement(
      id: try row.get("id"), tenant: try row.get("tenant_id"), account: try row.get("account_id"),
      month: DayEnd.Month(number: try row.get("month")), revision: try row.get("revision"),
      corrects: try row.get("corrects_id"), language: try row.get("language"), createdAt: try row.get("created_at"),
      pdf: .init(blob: try row.get("pdf_key"), digest: try row.get("pdf_digest"), size: try row.get("pdf_size")),
      message: .init(
        blob: try row.get("message_key"), digest: try row.get("message_digest"), size: try row.get("message_size")))
  }
}
