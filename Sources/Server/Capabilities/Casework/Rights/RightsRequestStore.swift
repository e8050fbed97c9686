// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `casework_rights`. The id of the person goes with the person; the proof of an erasure names no person.
///
/// A name that is not the id is sealed under the data key, not under the person's: an erasure that destroyed that key
/// and was interrupted still has to know whose it is.
package struct RightsRequestStore {
  let tx: any SQLTransaction
  let vault: Vault

  init(_ tx: any SQLTransaction, vault: Vault) { (self.tx, self.vault) = (tx, vault) }

  package static let migration = Migration(
    "2026-12-01 casework rights",
    """
    CREATE TABLE casework_rights (
      id TEXT PRIMARY KEY,
      desk_id TEXT NOT NULL,
      flow TEXT NOT NULL,
      tenant_id TEXT NOT NULL,
      kind TEXT NOT NULL CHECK (kind IN ('export', 'erasure')),
      subject_id TEXT,
      reason TEXT NOT NULL,
      despite_duty BIGINT NOT NULL CHECK (despite_duty IN (0, 1)),
      maker TEXT NOT NULL,
      approval_id TEXT NOT NULL UNIQUE,
      state TEXT NOT NULL CHECK (state IN ('awaiting', 'begun', 'finished')),
      asked_at BIGINT NOT NULL,
      proof BLOB,
      version BIGINT NOT NULL,
      CHECK (proof IS NULL OR (kind = 'erasure' AND state = 'finished'))
    );
    CREATE INDEX casework_rights_desk ON casework_rights (desk_id, asked_at, id);
    CREATE INDEX casework_rights_subject ON casework_rights (subject_id) WHERE subject_id IS NOT NULL;
    CREATE INDEX casework_rights_age ON casework_rights (asked_at, id);
    """)

  package static let nameMigration = Migration(
    "2026-12-02 casework rights name",
    """
    ALTER TABLE casework_rights ADD COLUMN sealed_name BLOB;
    ALTER TABLE casework_rights ADD COLUMN money_way TEXT;
    ALTER TABLE casework_rights ADD COLUMN money_approval_id TEXT;
    """)

  private static let columns: SQLColumns = """
    id, flow, tenant_id, kind, subject_id, sealed_name, reason, despite_duty, maker, approval_id, money_way,
    money_approval_id, state, asked_at, proof, version
    """

  func insert(_ request: RightsRequest, at desk: String) throws {
    try tx.execute(
      """
      INSERT INTO casework_rights (
        id, desk_id, flow, tenant_id, kind, subject_id, sealed_name, reason, despite_duty, maker, approval_id,
        money_way, money_approval_id, state, asked_at, version)
      VALUES (\(request.id), \(desk), \(request.place.flow), \(request.place.tenant), \(request.kind),
        \(request.subject?.id), \(try sealedName(of: request)), \(request.reason.rawValue), \(request.despiteDuty),
        \(request.maker), \(request.approval), \(request.money?.way), \(request.money?.approval), \(request.state),
        \(request.askedAt), \(request.version))
      """)
  }

  private func sealedName(of request: RightsRequest) throws -> Data? {
    guard let subject = request.subject, subject.name != subject.id else { return nil }
    return try vault.seal(subject.name, as: Self.context(request.id))
  }

  private static func context(_ id: RightsRequest.ID) -> String { "casework_rights.sealed_name:\(id)" }

  /// - Throws: `SQLError.outdated`.
  func save(_ request: RightsRequest) throws {
    let changed = try tx.execute(
      """
      UPDATE casework_rights SET state = \(request.state), subject_id = \(request.subject?.id),
        sealed_name = \(try sealedName(of: request)), proof = \(request.proof), version = version + 1
      WHERE id = \(request.id) AND version = \(request.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: RightsRequest.ID, at desk: String) throws -> RightsRequest? {
    try tx.first("SELECT \(Self.columns) FROM casework_rights WHERE id = \(id) AND desk_id = \(desk)").map(request)
  }

  /// By the request for the second person's word on it.
  func find(approval: Approval.ID) throws -> RightsRequest? {
    try tx.first("SELECT \(Self.columns) FROM casework_rights WHERE approval_id = \(approval)").map(request)
  }

  /// The newest first.
  func list(at desk: String, limit: Int) throws -> [RightsRequest] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM casework_rights
      WHERE desk_id = \(desk) ORDER BY asked_at DESC, id DESC LIMIT \(limit)
      """
    ).map(request)
  }

  /// How those whom requests are about are called there, by the ids of the approvals that were asked for.
  func names(ofApprovals approvals: [Approval.ID]) throws -> [Approval.ID: String] {
    guard !approvals.isEmpty else { return [:] }
    let found = try tx.query(
      """
      SELECT \(Self.columns) FROM casework_rights
      WHERE approval_id IN \(list: approvals) AND subject_id IS NOT NULL
      """
    ).map(request).map { (Approval.ID(rawValue: $0.approval), $0.subject?.name ?? "") }
    return Dictionary(found) { first, _ in first }
  }

  /// With the erasure of a person. One that is under way here keeps the id until its proof is kept.
  func forget(_ person: String) throws {
    try tx.execute(
      """
      UPDATE casework_rights SET subject_id = NULL, sealed_name = NULL
      WHERE subject_id = \(person) AND NOT (kind = 'erasure' AND state = 'begun')
      """)
  }

  /// Forgets whose the erasures were that were begun before an instant and never finished here: the erasure may have
  /// been finished elsewhere, and none of them goes on.
  static func forgetBegun(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      UPDATE casework_rights SET subject_id = NULL, sealed_name = NULL, version = version + 1 WHERE id IN
        (SELECT id FROM casework_rights
         WHERE subject_id IS NOT NULL AND kind = 'erasure' AND state = 'begun' AND asked_at < \(instant)
         ORDER BY asked_at, id LIMIT \(limit))
      """)
  }

  static func sweep(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      DELETE FROM casework_rights WHERE id IN
        (SELECT id FROM casework_rights WHERE asked_at < \(instant) ORDER BY asked_at, id LIMIT \(limit))
      """)
  }

  private func request(_ row: SQLRow) throws -> RightsRequest {
    guard let reason = ErasureReason(rawValue: try row.get("reason")) else {
      throw SQLError.unreadable("the reason of a request")
    }
    let id: RightsRequest.ID = try row.get("id")
    let subject = try (row.get("subject_id") as String?).map { person -> NamedPerson in
      let sealed: Data? = try row.get("sealed_name")
      let name = try sealed.map { try vault.open($0, as: String.self, context: Self.context(id)) }
      return NamedPerson(name ?? person, id: person)
    }
    let way: String? = try row.get("money_way")
    let word: String? = try row.get("money_approval_id")
    return RightsRequest(
      id: id, place: FlowTenant(flow: try row.get("flow"), tenant: try row.get("tenant_id")),
      kind: try row.get("kind"), subject: subject, reason: reason,
      despiteDuty: try row.get("despite_duty"), maker: try row.get("maker"), approval: try row.get("approval_id"),
      money: way.flatMap { way in word.map { .init(way: way, approval: $0) } }, state: try row.get("state"),
      askedAt: try row.get("asked_at"), proof: try row.get("proof"),
      version: try row.get("version"))
  }
}
