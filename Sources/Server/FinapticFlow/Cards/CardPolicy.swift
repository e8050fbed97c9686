import Kit
import Storage

/// What a tenant decides about its cards: set by operators.
package struct CardPolicy: Sendable {
  let parts: FinapticDependencies

  package init(_ room: FinapticService) { parts = room.parts }

  /// Whether customers sign in again, with the scope `view:card_number`, before a card is shown (finaptic §8.4).
  /// - Throws: `Problem` not found.
  package func setRequiresStepUp(_ isRequired: Bool, of tenant: Int, by actor: String) async throws {
    try await parts.database.write(retrying: .outdated) { [parts] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.notFound }
      try CardStore(tx, vault: parts.vault).setRequiresStepUp(isRequired, of: tenant)
      try parts.note("tenant.cardStepUp", "tenant-\(tenant)", by: actor, ["required": "\(isRequired)"], in: tx)
    }
  }
}
