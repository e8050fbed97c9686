// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Storage

/// A data key as it is stored: wrapped by the key ring.
package struct DataKey: Sendable {
  package enum Purpose: String, SQLConvertible, CaseIterable { case seal, digest }

  let id: String
  let purpose: Purpose
  let keyringID: String
  let wrapped: Data
  let activeFrom: Instant

  static func make(_ purpose: Purpose, keyring: Keyring, activeFrom: Instant, world: World) throws -> DataKey {
    let id = world.uuid()
    let (keyringID, wrapped) = try keyring.wrap(SymmetricKey(data: world.random(32)), id: id, nonce: world.random(12))
    return DataKey(id: id, purpose: purpose, keyringID: keyringID, wrapped: wrapped, activeFrom: activeFrom)
  }

  func unwrapped(by keyring: Keyring) throws -> SymmetricKey {
    try keyring.unwrap(wrapped, id: id, keyID: keyringID)
  }

  func rewrapped(by keyring: Keyring, world: World) throws -> DataKey {
    let (keyringID, wrapped) = try keyring.wrap(unwrapped(by: keyring), id: id, nonce: world.random(12))
    return DataKey(id: id, purpose: purpose, keyringID: keyringID, wrapped: wrapped, activeFrom: activeFrom)
  }
}

extension DataKey {
  /// What a row is that kept a vault from being opened; nil for what is no fault of a row.
  package static func fault(in error: any Error) -> String? {
    switch error {
    case SQLError.unreadable(let why): "data_key cannot be read (\(why))"
    case VaultError.changed: "data_key has a key that the key ring does not open"
    default: nil
    }
  }
}

/// Rows of `data_key`.
package struct DataKeyStore {
  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  package static let migration = Migration(
    "2026-11-21 data key",
    """
    CREATE TABLE data_key (
      id TEXT PRIMARY KEY,
      purpose TEXT NOT NULL CHECK (purpose IN ('seal', 'digest')),
      keyring_id TEXT NOT NULL,
      wrapped BLOB NOT NULL,
      active_from BIGINT NOT NULL
    );
    """)

  func count(_ purpose: DataKey.Purpose) throws -> Int {
    try tx.first("SELECT COUNT(*) AS n FROM data_key WHERE purpose = \(purpose)")?.get("n") ?? 0
  }

  func all() throws -> [DataKey] {
    try tx.query("SELECT id, purpose, keyring_id, wrapped, active_from FROM data_key ORDER BY active_from, id").map {
      DataKey(
        id: try $0.get("id"), purpose: try $0.get("purpose"), keyringID: try $0.get("keyring_id"),
        wrapped: try $0.get("wrapped"), activeFrom: try $0.get("active_from"))
    }
  }

  /// Ids of the keys of digests, which never change in an installation.
  func digestKeys() throws -> Set<String> { Set(try all().filter { $0.purpose == .digest }.map(\.id)) }

  func insert(_ key: DataKey) throws {
    try tx.execute(
      """
      INSERT INTO data_key (id, purpose, keyring_id, wrapped, active_from)
      VALUES (\(key.id), \(key.purpose), \(key.keyringID), \(key.wrapped), \(key.activeFrom))
      """)
  }

  func replace(_ key: DataKey) throws {
    try tx.execute("UPDATE data_key SET keyring_id = \(key.keyringID), wrapped = \(key.wrapped) WHERE id = \(key.id)")
  }
}
