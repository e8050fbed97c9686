// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What a tenant decides about its cards: set by operators.
package struct CardPolicy: Sendable {
  let core: CoreDependencies

  /// Whether customers sign in again, with the scope `view:card_number`, before a card is shown (finaptic §8.4).
  /// - Throws: `Problem` not found.
  package func setRequiresStepUp(_ isRequired: Bool, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      try CardStore(tx, vault: core.vault).setRequiresStepUp(isRequired, of: tenant)
      try core.note("tenant.cardStepUp", "tenant-\(tenant)", by: actor, ["required": "\(isRequired)"], in: tx)
    }
  }

  /// Names the issuer that makes the cards of a tenant with real customers.
  /// - Parameters:
  ///   - url: nil ends it: no card is made, and no security code told.
  ///   - token: what it lets us in with.
  /// - Throws: `Problem` validation; not found.
  package func setIssuer(_ url: String?, token: String, of tenant: Int, by actor: String) async throws {
    let connector = try url.map { try Connector(checking: $0, token: token) }
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      try ConnectorStore(tx, of: .cardIssuer, vault: core.vault).set(connector, of: tenant, at: core.world.now())
      try core.note("tenant.cardIssuer", "tenant-\(tenant)", by: actor, ["set": "\(connector != nil)"], in: tx)
    }
  }

  package func limits(of tenant: Int) async throws -> CardLimits {
    try await core.database.read { try IssuerMessageStore($0).limits(of: tenant) }
  }

  /// What cards pay, whatever their accounts have: for payments that an issuer asks about. What is not named stays.
  /// - Throws: `Problem` validation; not found.
  package func set(_ change: CardLimits.Change, of tenant: Int, by actor: String) async throws {
    try await core.database.write(retrying: .outdated) { [core] tx in
      guard try TenantStore(tx).find(tenant) != nil else { throw Problem.missing(.tenant) }
      let limits = change.applied(to: try IssuerMessageStore(tx).limits(of: tenant))
      guard (limits.paymentMax ?? 1) > 0, (limits.dayMax ?? 1) > 0, (0...100).contains(limits.overPercent) else {
        throw Problem.validation([.init("/limits", "range", "Amounts above 0, and 0 to 100 per cent.")])
      }
      try IssuerMessageStore(tx).set(limits, of: tenant)
      try core.note(
        "tenant.cardLimits", "tenant-\(tenant)", by: actor,
        [
          "payment": limits.paymentMax.map { "\($0)" } ?? "any", "day": limits.dayMax.map { "\($0)" } ?? "any",
          "over": "\(limits.overPercent)",
        ], in: tx)
    }
  }
}
