// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// A vault over a test's database, with a key ring of its own.
package enum TestVault {
  /// - Precondition: `DataKeyStore.migration` was applied.
  package static func open(_ database: any SQLDatabase, _ world: World) async throws -> Vault {
    try await Vault.open(database, keyring: Keyring(world: world), world: world)
  }

  /// A vault whose keys of persons have begun.
  /// - Parameters:
  ///   - folder: of the epoch key.
  ///   - begun: false for an installation in which they could begin.
  /// - Precondition: `DataKeyStore.migration` and `SubjectKeyStore.migration` were applied.
  package static func openWithSubjectKeys(
    _ database: any SQLDatabase, _ world: World, in folder: TestFolder, begun: Bool = true
  ) async throws -> Vault {
    let file = EpochKeyFile(folder.file("epoch-key.json"))
    let keys = try await SubjectKeys.open(database, file: file, making: true, world: world)
    if begun { try await keys?.begin(in: database, at: world.now()) }
    return try await Vault.open(database, keyring: Keyring(world: world), subjectKeys: keys, world: world)
  }
}
