// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identity
import Kit
import Storage

/// Rows of `casework_approval`. The content is sealed under the key of the person whom the act is about.
package struct ApprovalStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-11-26 casework approval",
    """
    CREATE TABLE casework_approval (
      id TEXT PRIMARY KEY,
      desk_id TEXT NOT NULL,
      action TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      subject_version BIGINT NOT NULL,
      content BLOB NOT NULL,
      digest TEXT NOT NULL,
      person_id TEXT NOT NULL,
      maker TEXT NOT NULL,
      maker_permission TEXT NOT NULL,
      checker_permission TEXT NOT NULL,
      state TEXT NOT NULL CHECK (state IN ('pending', 'approved', 'refused', 'withdrawn', 'used')),
      checker TEXT,
      asked_at BIGINT NOT NULL,
      expires_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      CHECK (checker IS NULL OR checker <> maker)
    );
    CREATE INDEX casework_approval_queue ON casework_approval (desk_id, asked_at, id) WHERE state = 'pending';
    CREATE INDEX casework_approval_person ON casework_approval (person_id);
    CREATE INDEX casework_approval_age ON casework_approval (expires_at, id);
    """)

  static let makerMigration = Migration(
    "2026-12-09 casework approval maker",
    "CREATE INDEX casework_approval_maker ON casework_approval (maker, asked_at, id);")

  static let sealedColumn = SealedColumn("casework_approval", "content", of: "person_id")

  private static let columns: SQLColumns = """
    id, desk_id, action, subject_id, subject_version, content, digest, person_id, maker, maker_permission,
      checker_permission, state, checker, asked_at, expires_at, version
    """

  func insert(_ approval: Approval) throws {
    let sealed = try vault.seal(
      approval.act.content, as: Self.context(approval.id), of: KeySubject(approval.person), in: tx)
    try tx.execute(
      """
      INSERT INTO casework_approval (
        id, desk_id, action, subject_id, subject_version, content, digest, person_id, maker, maker_permission,
        checker_permission, state, checker, asked_at, expires_at, version)
      VALUES (
        \(approval.id), \(approval.desk), \(approval.act.action), \(approval.act.subject), \(approval.act.version),
        \(sealed), \(approval.digest), \(approval.person), \(approval.maker), \(approval.rule.maker),
        \(approval.rule.checker), \(approval.state), \(approval.checker), \(approval.askedAt), \(approval.expiresAt),
        \(approval.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ approval: Approval) throws {
    let changed = try tx.execute(
      """
      UPDATE casework_approval SET state = \(approval.state), checker = \(approval.checker), version = version + 1
      WHERE id = \(approval.id) AND version = \(approval.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: Approval.ID) throws -> Approval? {
    try tx.first("SELECT \(Self.columns) FROM casework_approval WHERE id = \(id)").map(approval)
  }

  /// Where a page of approvals begins: behind this one.
  struct Cursor: Sendable {
    var askedAt = Instant(milliseconds: 0)
    var id = ""
  }

  /// Approvals that wait at a desk for one of the permissions, but for those of one maker; the longest waiting first.
  /// - Returns: also where the next page begins; nil after the last one.
  func pending(
    at desk: String, for permissions: [String], besides maker: String, now: Instant, after cursor: Cursor, limit: Int
  ) throws -> (approvals: [Approval], next: Cursor?) {
    let rows = try tx.query(
      """
      SELECT \(Self.columns) FROM casework_approval
      WHERE desk_id = \(desk) AND state = 'pending' AND expires_at > \(now) AND maker <> \(maker)
        AND checker_permission IN \(list: permissions) AND (asked_at, id) > (\(cursor.askedAt), \(cursor.id))
      ORDER BY asked_at, id LIMIT \(limit)
      """)
    let last = rows.count == limit ? rows.last : nil
    return (
      try rows.compactMap(readable), try last.map { Cursor(askedAt: try $0.get("asked_at"), id: try $0.get("id")) }
    )
  }

  /// Whether anything about one subject waits for one of the permissions, but for what one maker asked for.
  func checkers(
    about subject: String, of person: String, besides maker: String, now: Instant
  ) throws -> [StaffPermission] {
    try tx.query(
      """
      SELECT DISTINCT checker_permission FROM casework_approval
      WHERE person_id = \(person) AND subject_id = \(subject) AND state = 'pending' AND expires_at > \(now)
        AND maker <> \(maker)
      """
    ).map { StaffPermission(rawValue: try $0.get("checker_permission")) }
  }

  /// What one person asked for, the newest first.
  func asked(by maker: String, since start: Instant, limit: Int) throws -> [Approval] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM casework_approval WHERE maker = \(maker) AND asked_at > \(start)
      ORDER BY asked_at DESC, id DESC LIMIT \(limit)
      """
    ).compactMap(readable)
  }

  /// What waits about one subject or was agreed to, and can be carried out yet; the newest first.
  func open(about subject: String, of person: String, now: Instant) throws -> [Approval] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM casework_approval
      WHERE person_id = \(person) AND subject_id = \(subject) AND state IN ('pending', 'approved')
        AND expires_at > \(now)
      ORDER BY asked_at DESC, id DESC LIMIT \(RequestedApproval.listMax)
      """
    ).compactMap(readable)
  }

  /// What one person asked for in exactly these words and did not take back, the newest first.
  func all(digest: String, of person: String, by maker: String) throws -> [Approval] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM casework_approval
      WHERE person_id = \(person) AND digest = \(digest) AND maker = \(maker) AND state <> 'withdrawn'
      ORDER BY asked_at DESC, id DESC LIMIT \(RequestedApproval.listMax)
      """
    ).compactMap(readable)
  }

  /// How many were asked for about one subject: those that stand, and those that were taken back.
  func counts(
    about subject: String, of person: String, since start: Instant
  ) throws -> (inForce: Int, takenBack: Int) {
    let row = try tx.first(
      """
      SELECT COUNT(*) AS n,
        CAST(COALESCE(SUM(CASE WHEN state = 'withdrawn' THEN 1 ELSE 0 END), 0) AS BIGINT) AS back
      FROM casework_approval
      WHERE person_id = \(person) AND subject_id = \(subject) AND asked_at > \(start)
      """)
    let (all, back): (Int, Int) = (try row?.get("n") ?? 0, try row?.get("back") ?? 0)
    return (all - back, back)
  }

  /// In a copy that was restored, the key of a person may be gone before their rows are.
  private func readable(_ row: SQLRow) throws -> Approval? {
    do { return try approval(row) } catch VaultError.erased { return nil }
  }

  func deleteAll(of person: String) throws {
    try tx.execute("DELETE FROM casework_approval WHERE person_id = \(person)")
  }

  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM casework_approval WHERE id IN
        (SELECT id FROM casework_approval WHERE expires_at < \(instant) ORDER BY expires_at, id LIMIT \(limit))
      """)
  }

  private func approval(_ row: SQLRow) throws -> Approval {
    let id: Approval.ID = try row.get("id")
    let content = try vault.open(row.get("content"), as: String.self, context: Self.context(id), in: tx)
    let rule = FourEyes(maker: try row.get("maker_permission"), checker: try row.get("checker_permission"))
    let act = BoundAct(
      try row.get("action"), subject: try row.get("subject_id"), version: try row.get("subject_version"),
      content: content)
    return Approval(
      id: id, desk: try row.get("desk_id"), act: act, digest: try row.get("digest"), person: try row.get("person_id"),
      maker: try row.get("maker"), rule: rule, state: try row.get("state"), checker: try row.get("checker"),
      askedAt: try row.get("asked_at"), expiresAt: try row.get("expires_at"), version: try row.get("version"))
  }

  private static func context(_ id: Approval.ID) -> String { "casework_approval.content:\(id)" }
}
