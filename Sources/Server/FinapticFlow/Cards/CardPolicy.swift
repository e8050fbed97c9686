import Kit
import Storage

/// What a tenant decides about its cards: set by operators.
package struct CardPolicy: Sendable {
  let core: CoreDependencies

  /// Whether customers sign in again, with the scope `view:card_number`, before a card is shown (finaptic §8.4).
  /// - Throws: `Problem` not found.
  package func setRequiresStepUp(_ isRequired: Bool, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      try CardStore(tx, vault: core.vault).setRequiresStepUp(isRequired, of: tenant)
      try core.note("tenant.cardStepUp", "tenant-\(tenant)", by: actor, ["required": "\(isRequired)"], in: tx)
    }
  }
}
