// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import SaltEdgeCore
import Storage

/// Rows of `saltedge_service_key`: what this service signs its calls to banks with, and at most one that is prepared to
/// follow it.
struct ServiceKeyStore {
  let tx: any SQLTransaction
  let vault: Vault

  /// Of the key that signs; nil before the first. Names the key among all that there were.
  func currentID() throws -> String? {
    try tx.first("SELECT id FROM saltedge_service_key WHERE prepared_at IS NULL")?.get("id")
  }

  func current() throws -> (id: String, key: RSAPrivateKey)? {
    try tx.first("SELECT id, private_key FROM saltedge_service_key WHERE prepared_at IS NULL").map(open)
  }

  func prepared() throws -> (id: String, key: RSAPrivateKey)? {
    try tx.first("SELECT id, private_key FROM saltedge_service_key WHERE prepared_at IS NOT NULL").map(open)
  }

  /// - Parameter isPrepared: it does not sign yet.
  func insert(_ key: RSAPrivateKey, as id: String, isPrepared: Bool, at now: Instant) throws {
    let sealed = try vault.seal(Data(key.pkcs8PEM.utf8), context: Self.context(id))
    let preparedAt = isPrepared ? now : nil
    try tx.execute(
      """
      INSERT INTO saltedge_service_key (id, private_key, created_at, prepared_at)
      VALUES (\(id), \(sealed), \(now), \(preparedAt))
      """)
  }

  /// The prepared key signs from now on; the one before is gone.
  func promote(_ id: String) throws {
    try tx.execute("DELETE FROM saltedge_service_key WHERE prepared_at IS NULL")
    try tx.execute("UPDATE saltedge_service_key SET prepared_at = NULL WHERE id = \(id)")
  }

  private func open(_ row: SQLRow) throws -> (id: String, key: RSAPrivateKey) {
    let id = try row.get("id", as: String.self)
    let pem = try vault.open(row.get("private_key"), context: Self.context(id))
    return (id, try RSAPrivateKey(pem: String(decoding: pem, as: UTF8.self)))
  }

  private static func context(_ id: String) -> String { "saltedge_service_key.private_key:\(id)" }
}
