import Foundation
import Kit
import Storage

/// Rows of `casework_rights`. The id of the person goes with the person; the proof of an erasure names no person.
package struct RightsRequestStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

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

  private static let columns: SQLColumns = """
    id, flow, tenant_id, kind, subject_id, reason, despite_duty, maker, approval_id, state, asked_at, proof, version
    """

  func insert(_ request: RightsRequest, at desk: String) throws {
    try tx.execute(
      """
      INSERT INTO casework_rights (
        id, desk_id, flow, tenant_id, kind, subject_id, reason, despite_duty, maker, approval_id, state, asked_at,
        version)
      VALUES (\(request.id), \(desk), \(request.place.flow), \(request.place.tenant), \(request.kind),
        \(request.subject), \(request.reason.rawValue), \(request.despiteDuty), \(request.maker), \(request.approval),
        \(request.state), \(request.askedAt), \(request.version))
      """)
  }

  /// - Throws: `SQLError.outdated`.
  func save(_ request: RightsRequest) throws {
    let changed = try tx.execute(
      """
      UPDATE casework_rights SET state = \(request.state), subject_id = \(request.subject), proof = \(request.proof),
        version = version + 1
      WHERE id = \(request.id) AND version = \(request.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  func find(_ id: RightsRequest.ID, at desk: String) throws -> RightsRequest? {
    try tx.first("SELECT \(Self.columns) FROM casework_rights WHERE id = \(id) AND desk_id = \(desk)").map(Self.request)
  }

  /// The newest first.
  func list(at desk: String, limit: Int) throws -> [RightsRequest] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM casework_rights
      WHERE desk_id = \(desk) ORDER BY asked_at DESC, id DESC LIMIT \(limit)
      """
    ).map(Self.request)
  }

  /// With the erasure of a person. One that is under way here keeps the id until its proof is kept.
  func forget(_ person: String) throws {
    try tx.execute(
      """
      UPDATE casework_rights SET subject_id = NULL
      WHERE subject_id = \(person) AND NOT (kind = 'erasure' AND state = 'begun')
      """)
  }

  /// Forgets whose the erasures were that were begun before an instant and never finished here: the erasure may have
  /// been finished elsewhere, and none of them goes on.
  static func forgetBegun(before instant: Instant, limit: Int, in tx: any SQLTransaction) throws -> Int {
    try tx.execute(
      """
      UPDATE casework_rights SET subject_id = NULL, version = version + 1 WHERE id IN
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

  private static func request(_ row: SQLRow) throws -> RightsRequest {
    guard let reason = ErasureReason(rawValue: try row.get("reason")) else {
      throw SQLError.unreadable("the reason of a request")
    }
    return RightsRequest(
      id: try row.get("id"), place: RightsPlace(flow: try row.get("flow"), tenant: try row.get("tenant_id")),
      kind: try row.get("kind"), subject: try row.get("subject_id"), reason: reason,
      despiteDuty: try row.get("despite_duty"), maker: try row.get("maker"), approval: try row.get("approval_id"),
      state: try row.get("state"), askedAt: try row.get("asked_at"), proof: try row.get("proof"),
      version: try row.get("version"))
  }
}
