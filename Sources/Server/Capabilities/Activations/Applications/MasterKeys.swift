// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// The private master keys of applications, opened once in this process: there are few, they never change, and
/// computing a key's point costs more than using it.
final class MasterKeys: Sendable {
  private struct Name: Hashable {
    let application: PowerAuthApplication.ID
    let generation: Int
  }

  private static let keptMax = 1000

  private let vault: Vault
  private let opened = RecentValues<Name, ECPrivateKey>(countMax: keptMax)

  init(vault: Vault) { self.vault = vault }

  static func context(_ id: PowerAuthApplication.ID, generation: Int) -> String {
    "powerauth_master_key.sealed_private_key:\(id)/\(generation)"
  }

  /// The key that a version was built with.
  func key(of version: PowerAuthApplicationVersion, in tx: any SQLTransaction) throws -> ECPrivateKey {
    try key(of: version.application, generation: version.masterKeyGeneration, in: tx)
  }

  /// - Throws: `Problem` not found.
  func key(
    of id: PowerAuthApplication.ID, generation: Int, in tx: any SQLTransaction
  ) throws -> ECPrivateKey {
    let name = Name(application: id, generation: generation)
    if let key = opened.find(name) { return key }
    guard let row = try PowerAuthApplicationStore(tx).masterKey(of: id, generation: generation) else {
      throw Problem.notFound
    }
    let key = try ECPrivateKey(
      try vault.open(row.sealedPrivateKey, context: Self.context(id, generation: generation)))
    opened.keep(key, for: name)
    return key
  }

  /// The keys of supported versions, newest first; the newest of all when there is no such version.
  func inUse(
    of id: PowerAuthApplication.ID, in tx: any SQLTransaction
  ) throws -> [(generation: Int, key: ECPrivateKey)] {
    let store = PowerAuthApplicationStore(tx)
    let supported = Set(try store.versions(of: id).filter(\.isSupported).map(\.masterKeyGeneration))
    let newest = try store.masterKeys(of: id).first.map { [$0.generation] } ?? []
    return try (supported.isEmpty ? newest : supported.sorted(by: >)).map { generation in
      (generation, try key(of: id, generation: generation, in: tx))
    }
  }
}
