// SPDX-License-Identifier: Apache-2.0

import Evidence
import Foundation
import Kit
import Storage

/// Rows of `wultra_review`.
package struct ReviewStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  private static let columns: SQLColumns =
    "id, tenant_id, verification_id, subject, codes, opened_at"

  package static let migration = Migration(
    "2026-11-22 wultra 6 review",
    """
    CREATE TABLE wultra_review (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL,
      verification_id TEXT NOT NULL REFERENCES wultra_verification (id),
      subject TEXT NOT NULL CHECK (subject IN ('documents', 'presence')),
      codes TEXT NOT NULL,
      verdict TEXT,
      decided_by TEXT,
      opened_at BIGINT NOT NULL,
      closed_at BIGINT
    );
    CREATE UNIQUE INDEX wultra_review_open ON wultra_review (verification_id) WHERE closed_at IS NULL;
    CREATE INDEX wultra_review_queue ON wultra_review (tenant_id, opened_at, id) WHERE closed_at IS NULL;
    """)

  /// The reason of the decision, in the words of the reviewer.
  package static let reasonMigration = Migration(
    "2026-12-02 wultra review reason", "ALTER TABLE wultra_review ADD COLUMN reason BLOB;")

  /// What was measured, as a list of rules in JSON.
  package static let checksMigration = Migration(
    "2026-12-07 wultra review checks", "ALTER TABLE wultra_review ADD COLUMN checks BLOB;")

  static let sealedColumns = ["reason", "checks"].map {
    SealedColumn("wultra_review", $0, of: "process_id", through: .init("wultra_verification", by: "verification_id"))
  }

  static func reasonContext(_ id: ReviewCase.ID) -> String { "wultra_review.reason:\(id)" }
  static func checksContext(_ id: ReviewCase.ID) -> String { "wultra_review.checks:\(id)" }

  /// Nothing that was said or measured of a person outlives what is known of them.
  func forgetWords(of process: OnboardingProcess.ID) throws {
    try tx.execute(
      """
      UPDATE wultra_review SET reason = NULL, checks = NULL
      WHERE (reason IS NOT NULL OR checks IS NOT NULL)
        AND verification_id IN (SELECT id FROM wultra_verification WHERE process_id = \(process))
      """)
  }

  /// What was measured of pictures goes with them.
  func forgetChecks(of verification: IdentityVerification.ID) throws {
    try tx.execute("UPDATE wultra_review SET checks = NULL WHERE verification_id = \(verification)")
  }

  /// - Parameter checks: sealed.
  func insert(_ review: ReviewCase, checks: Data? = nil) throws {
    try tx.execute(
      """
      INSERT INTO wultra_review (id, tenant_id, verification_id, subject, codes, checks, opened_at)
      VALUES (\(review.id), \(review.tenant), \(review.verification), \(review.subject),
        \(review.codes.joined(separator: " ")), \(checks), \(review.openedAt))
      """)
  }

  func isOpen(_ verification: IdentityVerification.ID) throws -> Bool {
    try tx.first("SELECT id FROM wultra_review WHERE verification_id = \(verification) AND closed_at IS NULL") != nil
  }

  /// One that waits.
  func find(_ id: ReviewCase.ID, tenant: String) throws -> ReviewCase? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM wultra_review
      WHERE id = \(id) AND tenant_id = \(tenant) AND closed_at IS NULL
      """
    ).map(Self.review)
  }

  /// One that waits, or that was decided or dropped, and since when it is so.
  func known(_ id: ReviewCase.ID, tenant: String) throws -> (review: ReviewCase, closedAt: Instant?)? {
    try tx.first(
      "SELECT \(Self.columns), closed_at FROM wultra_review WHERE id = \(id) AND tenant_id = \(tenant)"
    ).map { (try Self.review($0), try $0.get("closed_at")) }
  }

  /// Of the verification of a review that waits; nil when it waits no longer.
  package static func version(ofWaiting id: ReviewCase.ID, in tx: any SQLTransaction) throws -> Int64? {
    try tx.first(
      """
      SELECT v.version FROM wultra_review r JOIN wultra_verification v ON v.id = r.verification_id
      WHERE r.id = \(id) AND r.closed_at IS NULL
      """)?.get("version")
  }

  /// The longest waiting first.
  func open(tenant: String, limit: Int) throws -> [ReviewCase] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM wultra_review
      WHERE tenant_id = \(tenant) AND closed_at IS NULL ORDER BY opened_at, id LIMIT \(limit)
      """
    ).map(Self.review)
  }

  /// - Parameter reason: sealed.
  /// - Returns: false when another transaction was faster.
  func close(
    _ id: ReviewCase.ID, verdict: ReviewCase.Verdict, reason: Data?, by actor: String, at now: Instant
  ) throws -> Bool {
    try tx.execute(
      """
      UPDATE wultra_review SET verdict = \(verdict), reason = \(reason), decided_by = \(actor), closed_at = \(now)
      WHERE id = \(id) AND closed_at IS NULL
      """) == 1
  }

  /// Who decided a closed case, and how; nil when it was not decided.
  func decision(of id: ReviewCase.ID, tenant: String) throws -> (verdict: ReviewCase.Verdict, by: String)? {
    let row = try tx.first(
      """
      SELECT verdict, decided_by FROM wultra_review
      WHERE id = \(id) AND tenant_id = \(tenant) AND verdict IS NOT NULL AND decided_by IS NOT NULL
      """)
    return try row.map { (try $0.get("verdict"), try $0.get("decided_by")) }
  }

  /// How a case of a verification went: without who decided it.
  struct Record: Sendable {
    let review: ReviewCase
    /// Nil while it waits, and when no decision was needed any more.
    let verdict: ReviewCase.Verdict?
    /// Sealed; nil where none was given.
    let reason: Data?
    /// Sealed; nil where nothing was measured.
    let checks: Data?
    let closedAt: Instant?

    /// - Returns: nil where none was given, and where it was erased.
    func reason(by vault: Vault, in tx: any SQLTransaction) throws -> String? {
      try reason.flatMap { try vault.kept($0, context: ReviewStore.reasonContext(review.id), in: tx) }
        .map { try JSONDecoder().decode(String.self, from: $0) }
    }

    /// - Returns: empty where nothing was measured, and where it was erased.
    func checks(by vault: Vault, in tx: any SQLTransaction) throws -> [VerificationOutcome.Rule] {
      try checks.flatMap { try vault.kept($0, context: ReviewStore.checksContext(review.id), in: tx) }
        .map { try JSONDecoder().decode(VerificationOutcome.StoredRules.self, from: $0).rules } ?? []
    }
  }

  /// Every case of a verification, in the order in which they came.
  func records(of verification: IdentityVerification.ID) throws -> [Record] {
    try tx.query(
      """
      SELECT id, tenant_id, verification_id, subject, codes, verdict, reason, checks, opened_at, closed_at
      FROM wultra_review WHERE verification_id = \(verification) ORDER BY opened_at, id LIMIT 1000
      """
    ).map {
      Record(
        review: try Self.review($0), verdict: try $0.get("verdict"), reason: try $0.get("reason"),
        checks: try $0.get("checks"), closedAt: try $0.get("closed_at"))
    }
  }

  /// Drops what needs no decision any more, because the verification ended.
  /// - Returns: what is dropped, which is one at most.
  func drop(_ verification: IdentityVerification.ID, at now: Instant) throws -> [ReviewCase] {
    try tx.query(
      """
      UPDATE wultra_review SET closed_at = \(now) WHERE verification_id = \(verification) AND closed_at IS NULL
      RETURNING \(Self.columns)
      """
    ).map(Self.review)
  }

  /// Reviews that wait, of every tenant, in the order of their ids.
  func open(after id: ReviewCase.ID?, limit: Int) throws -> [ReviewCase] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM wultra_review
      WHERE closed_at IS NULL AND id > \(id?.rawValue ?? "") ORDER BY id LIMIT \(limit)
      """
    ).map(Self.review)
  }

  private static func review(_ row: SQLRow) throws -> ReviewCase {
    let codes: String = try row.get("codes")
    return ReviewCase(
      id: try row.get("id"), tenant: try row.get("tenant_id"), verification: try row.get("verification_id"),
      subject: try row.get("subject"), codes: codes.split(separator: " ").map(String.init),
      openedAt: try row.get("opened_at"))
  }
}
