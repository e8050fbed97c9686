// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Vault {
  /// The vault of an installation whose nodes run: of the same database, key ring and epoch key.
  static func joining(_ database: any SQLDatabase, folder: String, world: World) async throws -> Vault {
    let subjectKeys = try await SubjectKeys.open(
      database, file: EpochKeyFile("\(folder)/keys/epoch-key.json"), making: true, world: world)
    try await subjectKeys?.begin(in: database, at: world.now())
    return try await Vault.open(
      database, keyring: Keyring(path: "\(folder)/keys/keyring.json", world: world), subjectKeys: subjectKeys,
      world: world)
  }
}
