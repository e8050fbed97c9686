// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// A token as it is stored (powerauth.md §7).
struct ActivationTokenRow: Sendable {
  typealias ID = Identifier<ActivationTokenRow>

  let id: ID
  let activation: Activation.ID
  /// Of the signature that it was made under.
  let type: SignatureType
  let sealedSecret: Data
  let createdAt: Instant
}

/// Rows of `activation_token`.
struct ActivationTokenStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  private static let columns: SQLColumns =
    "id, activation_id, signature_type, sealed_secret, created_at"

  func insert(_ row: ActivationTokenRow) throws {
    try tx.execute(
      """
      INSERT INTO activation_token (id, activation_id, signature_type, sealed_secret, created_at)
      VALUES (\(row.id), \(row.activation), \(row.type.rawValue), \(row.sealedSecret), \(row.createdAt))
      """)
  }

  func find(_ id: ActivationTokenRow.ID) throws -> ActivationTokenRow? {
    try tx.first(
      "SELECT \(Self.columns) FROM activation_token WHERE id = \(id)"
    ).map(Self.row)
  }

  /// An activation's, oldest first.
  func list(of activation: Activation.ID, limit: Int) throws -> [ActivationTokenRow] {
    try tx.query(
      """
      SELECT \(Self.columns) FROM activation_token
      WHERE activation_id = \(activation) ORDER BY created_at, id LIMIT \(limit)
      """
    ).map(Self.row)
  }

  /// - Returns: whether there was one.
  func delete(_ id: ActivationTokenRow.ID, of activation: Activation.ID) throws -> Bool {
    try tx.execute("DELETE FROM activation_token WHERE id = \(id) AND activation_id = \(activation)") == 1
  }

  func deleteAll(of activation: Activation.ID) throws {
    try tx.execute("DELETE FROM activation_token WHERE activation_id = \(activation)")
  }

  /// Keeps the newest of an activation.
  func deleteOldest(of activation: Activation.ID, keeping count: Int) throws {
    try tx.execute(
      """
      DELETE FROM activation_token WHERE activation_id = \(activation) AND id NOT IN
        (SELECT id FROM activation_token WHERE activation_id = \(activation)
         ORDER BY created_at DESC, id DESC LIMIT \(count))
      """)
  }

  private static func row(_ row: SQLRow) throws -> ActivationTokenRow {
    guard let type = SignatureType(rawValue: try row.get("signature_type")) else {
      throw SQLError.unreadable("unknown signature type")
    }
    return ActivationTokenRow(
      id: try row.get("id"), activation: try row.get("activation_id"), type: type,
      sealedSecret: try row.get("sealed_secret"), createdAt: try row.get("created_at"))
  }
}
