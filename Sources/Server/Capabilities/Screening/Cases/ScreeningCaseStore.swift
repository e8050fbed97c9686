// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `screening_case`. Which entry a customer resembles is confidential: the entry is found by a keyed digest,
/// and what is said of it is sealed under the customer's key.
struct ScreeningCaseStore {
  static let columns: SQLColumns = """
    id, subject_id, state, particulars, screening_id, entry_digest, subject_digest, proposal, proposed_by, decided_by,
    decided_at, opened_at, waits_since, version
    """

  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, _ vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  static let migration = Migration(
    "2026-11-27 screening case",
    """
    CREATE TABLE screening_case (
      id TEXT PRIMARY KEY,
      subject_id TEXT NOT NULL,
      entry_key TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('open', 'awaiting_approval', 'false_positive', 'true_match')),
      particulars BLOB NOT NULL,
      screening_id TEXT NOT NULL,
      entry_digest TEXT,
      subject_digest TEXT NOT NULL,
      proposal TEXT CHECK (proposal IN ('false_positive', 'true_match')),
      proposed_by TEXT,
      decided_by TEXT,
      decided_at BIGINT,
      opened_at BIGINT NOT NULL,
      waits_since BIGINT,
      version BIGINT NOT NULL DEFAULT 1,
      UNIQUE (subject_id, entry_key),
      CHECK ((state IN ('open', 'awaiting_approval')) = (waits_since IS NOT NULL)),
      CHECK ((state = 'awaiting_approval') = (proposal IS NOT NULL))
    );
    CREATE INDEX screening_case_waiting ON screening_case (waits_since, id) WHERE waits_since IS NOT NULL;
    """)

  /// The sealed part.
  private struct Particulars: Codable {
    let hit: Screening.Hit
    let notes: [Screening.CaseNote]
    /// Nil too in rows from before cases stood in the work queue.
    let queue: String?
  }

  func insert(_ item: Screening.Case) throws {
    try tx.execute(
      """
      INSERT INTO screening_case (id, subject_id, entry_key, state, particulars, screening_id, entry_digest,
        subject_digest, opened_at, waits_since, version)
      VALUES (\(item.id), \(item.subjectID), \(key(item.hit)), \(item.state), \(sealed(item)),
        \(item.screeningID), \(item.entryDigest as String?), \(item.subjectDigest), \(item.openedAt),
        \(item.waitsSince as Instant?), \(item.version))
      """)
  }

  /// Compare-and-set on the version that was read.
  /// - Throws: `SQLError.outdated` when another transaction was faster.
  func update(_ item: Screening.Case) throws -> Screening.Case {
    let changed = try tx.execute(
      """
      UPDATE screening_case SET state = \(item.state), particulars = \(sealed(item)),
        screening_id = \(item.screeningID), entry_digest = \(item.entryDigest as String?),
        subject_digest = \(item.subjectDigest), proposal = \((item.proposal?.rawValue) as String?),
        proposed_by = \(item.proposedBy as String?), decided_by = \(item.decidedBy as String?),
        decided_at = \(item.decidedAt as Instant?), waits_since = \(item.waitsSince as Instant?), version = version + 1
      WHERE id = \(item.id) AND version = \(item.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
    var stored = item
    stored.version += 1
    return stored
  }

  func find(_ id: Screening.Case.ID) throws -> Screening.Case? {
    try tx.first("SELECT \(Self.columns) FROM screening_case WHERE id = \(id)").map(item)
  }

  /// The case of the entry that a hit names.
  func find(_ subjectID: String, _ hit: Screening.Hit) throws -> Screening.Case? {
    try tx.first(
      """
      SELECT \(Self.columns) FROM screening_case
      WHERE subject_id = \(subjectID) AND entry_key = \(key(hit))
      """
    ).map(item)
  }

  /// Oldest first.
  func all(of subjectID: String, limit: Int) throws -> [Screening.Case] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM screening_case WHERE subject_id = \(subjectID)
      ORDER BY opened_at, id LIMIT \(limit)
      """
    ).map(item)
  }

  /// A case that waits; the item is nil when the key of its person is destroyed.
  struct Waiting: Sendable {
    let id: Screening.Case.ID
    let subjectID: String
    let since: Instant
    let item: Screening.Case?
  }

  /// Cases that wait for a person, the longest first.
  func waiting(after last: Waiting?, limit: Int) throws -> [Waiting] {
    let (since, id) = (last?.since ?? Instant(milliseconds: 0), last?.id.rawValue ?? "")
    return try tx.query(
      """
      SELECT \(Self.columns) FROM screening_case
      WHERE waits_since IS NOT NULL AND (waits_since > \(since) OR waits_since = \(since) AND id > \(id))
      ORDER BY waits_since, id LIMIT \(limit)
      """
    ).map { row in
      Waiting(
        id: try row.get("id"), subjectID: try row.get("subject_id"), since: try row.get("waits_since"),
        item: try unlessErased(row))
    }
  }

  private func unlessErased(_ row: SQLRow) throws -> Screening.Case? {
    do { return try item(row) } catch VaultError.erased { return nil }
  }

  /// How many wait for a person, and since when the first of them does.
  func backlog() throws -> (count: Int, since: Instant?) {
    guard
      let row = try tx.first(
        """
        SELECT COUNT(*) AS waiting, MIN(waits_since) AS since FROM screening_case WHERE waits_since IS NOT NULL
        """)
    else { return (0, nil) }
    return (try row.get("waiting"), try row.get("since"))
  }

  func hasUncleared(_ subjectIDs: [String]) throws -> Bool {
    try tx.first(
      """
      SELECT id FROM screening_case WHERE subject_id IN \(list: subjectIDs) AND state <> 'false_positive' LIMIT 1
      """) != nil
  }

  func deleteAll(of subjectID: String) throws {
    try tx.execute("DELETE FROM screening_case WHERE subject_id = \(subjectID)")
  }

  private func item(_ row: SQLRow) throws -> Screening.Case {
    let id: Screening.Case.ID = try row.get("id")
    let particulars = try vault.open(
      row.get("particulars", as: Data.self), as: Particulars.self, context: Self.context(id), in: tx)
    let proposal: String? = try row.get("proposal")
    return Screening.Case(
      id: id, subjectID: try row.get("subject_id"), state: try row.get("state"), hit: particulars.hit,
      screeningID: try row.get("screening_id"), entryDigest: try row.get("entry_digest"),
      subjectDigest: try row.get("subject_digest"), proposal: proposal.flatMap { Screening.Disposition(rawValue: $0) },
      proposedBy: try row.get("proposed_by"), decidedBy: try row.get("decided_by"),
      decidedAt: try row.get("decided_at"), notes: particulars.notes, openedAt: try row.get("opened_at"),
      waitsSince: try row.get("waits_since"), version: try row.get("version"), queue: particulars.queue)
  }

  private func sealed(_ item: Screening.Case) throws -> Data {
    try vault.seal(
      Particulars(hit: item.hit, notes: item.notes, queue: item.queue), as: Self.context(item.id),
      of: KeySubject(item.subjectID), in: tx)
  }

  private func key(_ hit: Screening.Hit) -> String { vault.digest(hit.entryKey, for: "screening entry") }

  private static func context(_ id: Screening.Case.ID) -> String { "screening_case.particulars:\(id)" }
}
