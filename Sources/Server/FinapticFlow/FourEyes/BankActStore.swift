// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Rows of `finaptic_bank_act`. What is asked for stands, sealed, in the request for the second person's word.
package struct BankActStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-29 finaptic bank act",
    """
    CREATE TABLE finaptic_bank_act (
      id TEXT PRIMARY KEY,
      tenant_id BIGINT NOT NULL REFERENCES finaptic_tenant (id),
      call_key TEXT NOT NULL,
      action TEXT NOT NULL,
      subject_id TEXT NOT NULL,
      digest TEXT NOT NULL,
      maker TEXT NOT NULL,
      approval_id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('awaiting', 'carriedOut')),
      asked_at BIGINT NOT NULL,
      version BIGINT NOT NULL,
      UNIQUE (tenant_id, call_key)
    );
    CREATE INDEX finaptic_bank_act_queue ON finaptic_bank_act (tenant_id, asked_at, id) WHERE state = 'awaiting';
    CREATE INDEX finaptic_bank_act_age ON finaptic_bank_act (asked_at, id);
    """)

  private static let columns: SQLColumns =
    "id, tenant_id, call_key, action, subject_id, digest, maker, approval_id, state, asked_at, version"

  /// - Throws: `SQLError.notUnique` when another transaction asked under the same key.
  func insert(_ act: BankAct) throws {
    try tx.execute(
      """
      INSERT INTO finaptic_bank_act (
        id, tenant_id, call_key, action, subject_id, digest, maker, approval_id, state, asked_at, version)
      VALUES (\(act.id), \(act.tenant), \(act.key), \(act.action), \(act.subject), \(act.digest), \(act.maker),
        \(act.approval), \(act.state), \(act.askedAt), \(act.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ act: BankAct) throws {
    let changed = try tx.execute(
      """
      UPDATE finaptic_bank_act SET state = \(act.state), version = version + 1
      WHERE id = \(act.id) AND version = \(act.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ key: String, of tenant: Int) throws -> BankAct? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_bank_act WHERE tenant_id = \(tenant) AND call_key = \(key)"
    ).map(Self.act)
  }

  func find(approval: String, of tenant: Int) throws -> BankAct? {
    try tx.first(
      "SELECT \(Self.columns) FROM finaptic_bank_act WHERE tenant_id = \(tenant) AND approval_id = \(approval)"
    ).map(Self.act)
  }

  /// Acts on which a second person has not decided and still can, but for those of one maker; the longest waiting
  /// first. What was decided or has expired takes no place in the list.
  func undecided(of tenant: Int, besides maker: String, now: Instant, limit: Int) throws -> [BankAct] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_bank_act
      WHERE tenant_id = \(tenant) AND state = 'awaiting' AND maker <> \(maker)
        AND approval_id IN (SELECT a.id FROM casework_approval AS a WHERE a.state = 'pending' AND a.expires_at > \(now))
      ORDER BY asked_at, id LIMIT \(limit)
      """
    ).map(Self.act)
  }

  /// What one maker asked for and did not carry out, the newest first.
  func awaiting(of tenant: Int, by maker: String, limit: Int) throws -> [BankAct] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM finaptic_bank_act
      WHERE tenant_id = \(tenant) AND state = 'awaiting' AND maker = \(maker)
      ORDER BY asked_at DESC, id DESC LIMIT \(limit)
      """
    ).map(Self.act)
  }

  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM finaptic_bank_act WHERE id IN
        (SELECT id FROM finaptic_bank_act WHERE asked_at < \(instant) ORDER BY asked_at, id LIMIT \(limit))
      """)
  }

  /// The number of the last line of an action in an audit chain; nil when there is no such line.
  func lastLine(of action: String, in chain: String) throws -> Int64? {
    try tx.first(
      """
      SELECT sequence FROM audit_line WHERE chain = \(chain) AND action = \(action)
      ORDER BY sequence DESC LIMIT 1
      """)?.get("sequence")
  }

  private static func act(_ row: SQLRow) throws -> BankAct {
    BankAct(
      id: try row.get("id"), tenant: try row.get("tenant_id"), key: try row.get("call_key"),
      action: try row.get("action"), subject: try row.get("subject_id"), digest: try row.get("digest"),
      maker: try row.get("maker"), approval: try row.get("approval_id"), state: try row.get("state"),
      askedAt: try row.get("asked_at"), version: try row.get("version"))
  }
}
