// SPDX-License-Identifier: Apache-2.0

import DocumentCore
import Foundation
import Kit
import Storage

/// Rows of `screening`. Subject and hits are one sealed value: who resembles whom is confidential.
struct ScreeningStore {
  static let columns: SQLColumns = """
    id, subject_id, reference_no, origin, status, lists, threshold, findings, failure,
    screened_at, next_review_on, created_at, version
    """

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, _ vault: Vault) {
    self.tx = tx
    self.vault = vault
  }

  static let migration = Migration(
    "2026-11-21 screening",
    """
    CREATE TABLE screening (
      id TEXT PRIMARY KEY,
      subject_id TEXT NOT NULL,
      reference_no TEXT NOT NULL UNIQUE,
      status TEXT NOT NULL CHECK (status IN ('clean', 'potential_match', 'true_match', 'pending', 'error')),
      lists TEXT NOT NULL,
      threshold DOUBLE PRECISION,
      findings BLOB NOT NULL,
      failure TEXT,
      screened_at BIGINT,
      next_review_on TEXT,
      created_at BIGINT NOT NULL,
      version BIGINT NOT NULL DEFAULT 1
    );
    CREATE INDEX screening_subject ON screening (subject_id, created_at);
    CREATE INDEX screening_review ON screening (next_review_on) WHERE next_review_on IS NOT NULL;
    """)

  /// When a newer screening of the same subject took a result's place; from then on its retention runs.
  static let replacementMigration = Migration(
    "2026-11-22 screening replacement",
    """
    ALTER TABLE screening ADD COLUMN replaced_at BIGINT;
    CREATE INDEX screening_replaced ON screening (replaced_at, id) WHERE replaced_at IS NOT NULL;
    """)

  /// Who asked, and whether it is the last one of its subject: a search that a change of a list begins goes by that.
  static let originMigration = Migration(
    "2026-11-27 screening origin",
    """
    ALTER TABLE screening ADD COLUMN origin TEXT NOT NULL DEFAULT 'step';
    ALTER TABLE screening ADD COLUMN is_last BIGINT NOT NULL DEFAULT 1;
    UPDATE screening SET is_last = 0 WHERE replaced_at IS NOT NULL;
    CREATE INDEX screening_last ON screening (created_at, id) WHERE is_last = 1;
    """)

  private struct Findings: Codable {
    let subject: Screening.Subject
    let hits: [Screening.Hit]
    /// Nil in rows from before it was kept.
    let matcher: Screening.Matcher?
  }

  /// - Returns: false when the reference is taken; nothing is stored then.
  func insert(_ record: Screening.Record) throws -> Bool {
    try tx.execute(
      """
      INSERT INTO screening (id, subject_id, reference_no, origin, status, lists, threshold, findings, failure,
        screened_at, next_review_on, created_at, version, is_last)
      VALUES (\(record.id), \(record.subjectID), \(record.referenceNo), \(record.origin), \(record.status),
        \(Self.text(record.lists)), \(record.threshold as Double?), \(sealed(record)), \(record.failure as String?),
        \(record.screenedAt as Instant?), \(record.nextReviewOn?.isoText as String?), \(record.createdAt),
        \(record.version), 1)
      ON CONFLICT (reference_no) DO NOTHING
      """) == 1
  }

  /// Compare-and-set on the version the decision was made on.
  /// - Returns: the record as stored; nil when another request changed it meanwhile.
  func replace(_ record: Screening.Record) throws -> Screening.Record? {
    let changed = try tx.execute(
      """
      UPDATE screening SET status = \(record.status), lists = \(Self.text(record.lists)),
        findings = \(sealed(record)), screened_at = \(record.screenedAt as Instant?),
        next_review_on = \(record.nextReviewOn?.isoText as String?), version = version + 1
      WHERE id = \(record.id) AND version = \(record.version)
      """)
    guard changed == 1 else { return nil }
    var stored = record
    stored.version += 1
    return stored
  }

  /// A newer screening takes the place of the older ones, and over their reviews. What a step of the customer found
  /// stays until another step finds something else, for the customer may look at it.
  func replaceOthers(of record: Screening.Record, at now: Instant) throws {
    let (subjectID, id) = (record.subjectID, record.id)
    if record.origin == .step {
      try tx.execute(
        """
        UPDATE screening SET replaced_at = \(now)
        WHERE subject_id = \(subjectID) AND id <> \(id) AND replaced_at IS NULL
        """)
    } else {
      try tx.execute(
        """
        UPDATE screening SET replaced_at = \(now)
        WHERE subject_id = \(subjectID) AND id <> \(id) AND replaced_at IS NULL AND origin <> 'step'
        """)
    }
    try tx.execute(
      "UPDATE screening SET is_last = 0 WHERE subject_id = \(subjectID) AND id <> \(id) AND is_last = 1")
    try tx.execute(
      """
      UPDATE screening SET next_review_on = NULL
      WHERE subject_id = \(subjectID) AND id <> \(id) AND next_review_on IS NOT NULL
      """)
  }

  func find(_ id: Screening.Record.ID) throws -> Screening.Record? {
    try tx.first("SELECT \(Self.columns) FROM screening WHERE id = \(id)").map(record)
  }

  func find(referenceNo: String) throws -> Screening.Record? {
    try tx.first("SELECT \(Self.columns) FROM screening WHERE reference_no = \(referenceNo)").map(record)
  }

  func latest(for subjectID: String) throws -> Screening.Record? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM screening WHERE subject_id = \(subjectID)
      ORDER BY is_last DESC, created_at DESC, id DESC LIMIT 1
      """
    ).map(record)
  }

  /// The last one that a step of the subject asked for.
  func latestStep(for subjectID: String) throws -> Screening.Record? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM screening WHERE subject_id = \(subjectID) AND origin = 'step'
      ORDER BY created_at DESC, id DESC LIMIT 1
      """
    ).map(record)
  }

  /// Records with hits that no newer one replaced.
  func withHits(for subjectID: String) throws -> [Screening.Record] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM screening
      WHERE subject_id = \(subjectID) AND replaced_at IS NULL AND status IN ('potential_match', 'true_match')
      ORDER BY created_at, id LIMIT 100
      """
    ).map(record)
  }

  /// Whether a result is the last one of its subject.
  func isLast(_ id: Screening.Record.ID) throws -> Bool {
    try tx.first("SELECT id FROM screening WHERE id = \(id) AND is_last = 1") != nil
  }

  /// Oldest first.
  func all(for subjectID: String) throws -> [Screening.Record] {
    try tx.query(
      "SELECT \(Self.columns) FROM screening WHERE subject_id = \(subjectID) ORDER BY created_at, id LIMIT 1000"
    ).map(record)
  }

  func deleteAll(for subjectID: String) throws {
    try tx.execute("DELETE FROM screening WHERE subject_id = \(subjectID)")
  }

  /// Deletes up to `limit` results that a newer one replaced before then.
  func sweepReplaced(before horizon: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM screening WHERE id IN (
        SELECT id FROM screening WHERE replaced_at <= \(horizon) ORDER BY replaced_at, id LIMIT \(limit))
      """)
  }

  func due(on date: CalendarDate, limit: Int) throws -> [Screening.Record] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM screening WHERE next_review_on <= \(date.isoText)
      ORDER BY next_review_on, id LIMIT \(limit)
      """
    ).map(record)
  }

  /// A last screening of a subject; the record is nil when its person's key is destroyed.
  struct Last: Sendable {
    let id: String
    let at: Instant
    let record: Screening.Record?
  }

  /// The last screening of every subject, in the order in which they were made.
  func last(after place: (at: Instant, id: String), limit: Int) throws -> [Last] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM screening
      WHERE is_last = 1 AND (created_at > \(place.at) OR created_at = \(place.at) AND id > \(place.id))
      ORDER BY created_at, id LIMIT \(limit)
      """
    ).map { Last(id: try $0.get("id"), at: try $0.get("created_at"), record: try unlessErased($0)) }
  }

  /// A review that is due; the record is nil when its person's key is destroyed.
  struct DueReview: Sendable {
    let id: String
    let on: String
    let record: Screening.Record?
  }

  /// Oldest first.
  func dueReviews(on date: CalendarDate, after last: (on: String, id: String)?, limit: Int) throws -> [DueReview] {
    let (on, id) = (last?.on ?? "", last?.id ?? "")
    return try tx.query(
      """
      SELECT \(Self.columns) FROM screening
      WHERE next_review_on <= \(date.isoText) AND (next_review_on > \(on) OR next_review_on = \(on) AND id > \(id))
      ORDER BY next_review_on, id LIMIT \(limit)
      """
    ).map { DueReview(id: try $0.get("id"), on: try $0.get("next_review_on"), record: try unlessErased($0)) }
  }

  /// The subject is not reviewed any more.
  func endReview(_ id: Screening.Record.ID) throws {
    try tx.execute("UPDATE screening SET next_review_on = NULL WHERE id = \(id)")
  }

  private func unlessErased(_ row: SQLRow) throws -> Screening.Record? {
    do { return try record(row) } catch VaultError.erased { return nil }
  }

  private func record(_ row: SQLRow) throws -> Screening.Record {
    let id: Screening.Record.ID = try row.get("id")
    let findings = try vault.open(
      row.get("findings", as: Data.self), as: Findings.self, context: Self.context(id), in: tx)
    let review: String? = try row.get("next_review_on")
    return Screening.Record(
      id: id, subjectID: try row.get("subject_id"), referenceNo: try row.get("reference_no"),
      origin: try row.get("origin"), status: try row.get("status"), subject: findings.subject,
      lists: try JSONDecoder().decode([WatchList.Version].self, from: Data(row.get("lists", as: String.self).utf8)),
      threshold: try row.get("threshold"), matcher: findings.matcher, hits: findings.hits,
      failure: try row.get("failure"), screenedAt: try row.get("screened_at"),
      nextReviewOn: review.flatMap { CalendarDate($0) }, createdAt: try row.get("created_at"),
      version: try row.get("version"))
  }

  private func sealed(_ record: Screening.Record) throws -> Data {
    try vault.seal(
      Findings(subject: record.subject, hits: record.hits, matcher: record.matcher), as: Self.context(record.id),
      of: KeySubject(record.subjectID), in: tx)
  }

  private static func text(_ lists: [WatchList.Version]) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(lists), as: UTF8.self)
  }

  private static func context(_ id: Screening.Record.ID) -> String { "screening.findings:\(id)" }
}
