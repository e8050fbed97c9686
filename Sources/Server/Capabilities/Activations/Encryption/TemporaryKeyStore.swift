// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// A private key that requests are encrypted to for a few minutes (powerauth.md §4.5).
struct TemporaryKeyRow: Sendable {
  typealias ID = Identifier<TemporaryKeyRow>

  let id: ID
  let applicationKey: String
  /// Nil in the scope of the application.
  let activation: Activation.ID?
  let sealedPrivateKey: Data
  let expiresAt: Instant
}

/// Rows of `activation_temporary_key`.
struct TemporaryKeyStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  func insert(_ row: TemporaryKeyRow) throws {
    try tx.execute(
      """
      INSERT INTO activation_temporary_key (id, application_key, activation_id, sealed_private_key, expires_at)
      VALUES (\(row.id), \(row.applicationKey), \(row.activation), \(row.sealedPrivateKey), \(row.expiresAt))
      """)
  }

  func find(_ id: TemporaryKeyRow.ID) throws -> TemporaryKeyRow? {
    try tx.first(
      """
      SELECT id, application_key, activation_id, sealed_private_key, expires_at FROM activation_temporary_key
      WHERE id = \(id)
      """
    ).map { row in
      TemporaryKeyRow(
        id: try row.get("id"), applicationKey: try row.get("application_key"),
        activation: try row.get("activation_id"), sealedPrivateKey: try row.get("sealed_private_key"),
        expiresAt: try row.get("expires_at"))
    }
  }

  func deleteAll(of activation: Activation.ID) throws {
    try tx.execute("DELETE FROM activation_temporary_key WHERE activation_id = \(activation)")
  }

  func sweep(before now: Instant, limit: Int) throws -> Int {
    try tx.execute(
      """
      DELETE FROM activation_temporary_key WHERE id IN
        (SELECT id FROM activation_temporary_key WHERE expires_at <= \(now) LIMIT \(limit))
      """)
  }
}
