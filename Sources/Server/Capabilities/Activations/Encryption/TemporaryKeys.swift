// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// Temporary keys that were opened in this process. Any node may have made a key; who does not know it reads its row.
///
/// Kept is only what never changes about a key: what it is, whose, and how long. Whether its activation still counts
/// is asked of the store at every use.
struct TemporaryKeys: Sendable {
  struct Opened: Sendable {
    let key: ECPrivateKey
    let applicationKey: String
    let activation: Activation.ID?
    let expiresAt: Instant
  }

  let vault: Vault
  private let opened = RecentValues<TemporaryKeyRow.ID, Opened>(countMax: 20_000)

  init(vault: Vault) { self.vault = vault }

  /// Makes a key, which the caller writes.
  func make(
    applicationKey: ApplicationKey, activation: Activation.ID?, lifetime: Duration, world: World
  ) throws -> (row: TemporaryKeyRow, key: ECPrivateKey) {
    let key = ECPrivateKey(Randomness(world.random))
    let id = TemporaryKeyRow.ID(rawValue: world.randomUUID())
    let row = TemporaryKeyRow(
      id: id, applicationKey: applicationKey.text, activation: activation,
      sealedPrivateKey: try vault.seal(key.scalar, context: Self.context(id)), expiresAt: world.wall() + lifetime)
    return (row, key)
  }

  /// - Returns: nil when there is no such key of that scope, or its time is over.
  func find(
    _ identifier: String, applicationKey: ApplicationKey, activation: Activation.ID?, now: Instant,
    in tx: any SQLTransaction
  ) throws -> ECPrivateKey? {
    guard UUID(uuidString: identifier) != nil else { return nil }
    let id = TemporaryKeyRow.ID(rawValue: identifier.lowercased())
    guard let found = try opened.find(id) ?? read(id, in: tx), found.expiresAt > now,
      found.applicationKey == applicationKey.text, found.activation == activation
    else { return nil }
    return found.key
  }

  private func read(_ id: TemporaryKeyRow.ID, in tx: any SQLTransaction) throws -> Opened? {
    guard let row = try TemporaryKeyStore(tx).find(id) else { return nil }
    return keep(try ECPrivateKey(try vault.open(row.sealedPrivateKey, context: Self.context(id))), row)
  }

  /// Remembers a key that is written.
  @discardableResult
  func keep(_ key: ECPrivateKey, _ row: TemporaryKeyRow) -> Opened {
    let entry = Opened(
      key: key, applicationKey: row.applicationKey, activation: row.activation, expiresAt: row.expiresAt)
    opened.keep(entry, for: row.id)
    return entry
  }

  private static func context(_ id: TemporaryKeyRow.ID) -> String {
    "activation_temporary_key.sealed_private_key:\(id)"
  }
}
