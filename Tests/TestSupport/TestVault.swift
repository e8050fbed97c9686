import Kit
import Storage

/// A vault over a test's database, with a key ring of its own.
package enum TestVault {
  /// - Precondition: `DataKeyStore.migration` was applied.
  package static func open(_ database: any SQLDatabase, _ world: World) async throws -> Vault {
    try await Vault.open(database, keyring: Keyring(world: world), world: world)
  }
}
