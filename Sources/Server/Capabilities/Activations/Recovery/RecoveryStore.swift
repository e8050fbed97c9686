// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// Rows of `recovery_code` and `recovery_puk`.
struct RecoveryStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  private static let columns: SQLColumns = """
    id, application_id, activation_id, state, row_version, user_digest, sealed_user, code_digest, puk_index,
    failed_attempts, created_at
    """

  /// - Parameter puks: their digests, in order.
  func insert(_ row: RecoveryCodeRow, puks: [String]) throws {
    try tx.execute(
      """
      INSERT INTO recovery_code (id, application_id, activation_id, state, row_version, user_digest, sealed_user,
        code_digest, puk_index, failed_attempts, created_at)
      VALUES (\(row.id), \(row.application), \(row.activation), \(row.state), \(row.version), \(row.userDigest),
        \(row.sealedUser), \(row.codeDigest), \(row.pukIndex), \(row.failedAttempts), \(row.createdAt))
      """)
    for (offset, digest) in puks.enumerated() {
      try tx.execute(
        """
        INSERT INTO recovery_puk (recovery_code_id, puk_index, digest) VALUES (\(row.id), \(offset + 1), \(digest))
        """)
    }
  }

  func find(codeDigest: String) throws -> RecoveryCodeRow? {
    try tx.first("SELECT \(Self.columns) FROM recovery_code WHERE code_digest = \(codeDigest)").map(Self.row)
  }

  /// A user's, oldest first.
  func list(userDigest: String, limit: Int) throws -> [RecoveryCodeRow] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM recovery_code WHERE user_digest = \(userDigest) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.row)
  }

  /// - Returns: nil when there is no PUK of that index: the code is used up.
  func pukDigest(of id: RecoveryCodeRow.ID, index: Int) throws -> String? {
    try tx.first("SELECT digest FROM recovery_puk WHERE recovery_code_id = \(id) AND puk_index = \(index)")?
      .get("digest")
  }

  /// Guarded by the version that the decision was made on.
  func save(_ row: RecoveryCodeRow) throws {
    let changed = try tx.execute(
      """
      UPDATE recovery_code SET state = \(row.state), row_version = row_version + 1, puk_index = \(row.pukIndex),
        failed_attempts = \(row.failedAttempts)
      WHERE id = \(row.id) AND row_version = \(row.version)
      """)
    guard changed == 1 else { throw SQLError.outdated }
  }

  /// The codes that came with an activation are good from its commit on.
  func activateAll(of activation: Activation.ID) throws {
    try tx.execute(
      """
      UPDATE recovery_code SET state = 'active', row_version = row_version + 1
      WHERE activation_id = \(activation) AND state = 'created'
      """)
  }

  func revokeAll(of activation: Activation.ID) throws {
    try tx.execute(
      """
      UPDATE recovery_code SET state = 'revoked', row_version = row_version + 1
      WHERE activation_id = \(activation) AND state <> 'revoked'
      """)
  }

  /// For an erasure.
  func deleteAll(userDigest: String) throws {
    try tx.execute(
      """
      DELETE FROM recovery_puk WHERE recovery_code_id IN
        (SELECT id FROM recovery_code WHERE user_digest = \(userDigest))
      """)
    try tx.execute("DELETE FROM recovery_code WHERE user_digest = \(userDigest)")
  }

  private static func row(_ row: SQLRow) throws -> RecoveryCodeRow {
    RecoveryCodeRow(
      id: try row.get("id"), application: try row.get("application_id"), activation: try row.get("activation_id"),
      state: try row.get("state"), version: try row.get("row_version"), userDigest: try row.get("user_digest"),
      sealedUser: try row.get("sealed_user"), codeDigest: try row.get("code_digest"),
      pukIndex: try row.get("puk_index"), failedAttempts: try row.get("failed_attempts"),
      createdAt: try row.get("created_at"))
  }
}

/// A recovery code as it is stored (powerauth.md §3.1, §8).
struct RecoveryCodeRow: Sendable {
  typealias ID = Identifier<RecoveryCodeRow>

  enum State: String, SQLConvertible {
    /// Not usable yet: its activation is not committed, or the letter that it came in is not confirmed.
    case created
    case active
    /// Too many wrong PUKs.
    case blocked
    /// Used up, or its activation was removed with it.
    case revoked
  }

  let id: ID
  let application: PowerAuthApplication.ID
  /// Whose device it brings back; nil for a code on paper.
  let activation: Activation.ID?
  var state: State
  var version: Int
  let userDigest: String
  let sealedUser: Data
  let codeDigest: String
  /// Of the PUK that is asked for next, counted from 1.
  var pukIndex: Int
  var failedAttempts: Int
  let createdAt: Instant
}

/// A recovery code with its PUKs, in clear for the one time that they are shown.
package struct IssuedRecoveryCode: Sendable {
  package let code: RecoveryCode
  /// In the order in which they are asked for.
  package let puks: [RecoveryPUK]
}
