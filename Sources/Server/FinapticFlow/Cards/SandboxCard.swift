// SPDX-License-Identifier: Apache-2.0

import Kit
import Ledger

extension FinapticDependencies {
  /// Opens a card of a customer with an account of a sandbox, as the end of an application does: for samples.
  /// - Parameter tenant: a sandbox.
  /// - Returns: by what the issuer's messages name the card.
  /// - Throws: `Problem` not found; failed precondition in a tenant with real customers, whose cards an issuer makes.
  package func openSandboxCard(
    of customer: String, on account: BankAccount.ID, tenant: Int, by actor: String
  ) async throws -> String {
    let id = PaymentCard.ID(core.world)
    return try await core.database.write(retrying: .outdated) { [core, cardOpening] tx in
      guard let found = try TenantStore(tx).find(tenant) else { throw Problem.notFound }
      guard found.isSandbox else { throw CardOpening.noIssuer }
      let card = try cardOpening.open(
        .init(
          id: id, tenant: found, account: account, holder: customer, kind: .prepaid, description: nil,
          profile: try ClientProfileStore(tx, vault: core.vault).find(customer) ?? ClientProfile()), by: actor, in: tx)
      guard let reference = card.reference else { throw Problem.unexpected }
      return reference
    }
  }
}
