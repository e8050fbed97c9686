// SPDX-License-Identifier: Apache-2.0

import FinapticWire
import Kit
import Storage

/// What is handed out of cards and invitations to whom they are about (GDPR art. 15 and 20). Numbers are not: a card
/// shows its own.
struct CardExport {
  /// Cards that they carry, also of accounts of other owners.
  let cards: [FinapticAPI.Card]
  /// Issued or received.
  let invitations: [FinapticAPI.Invitation]

  init(of customer: String, tenant: Int, _ core: CoreDependencies, in tx: any SQLTransaction) throws {
    let now = core.world.now()
    cards = try CardStore(tx, vault: core.vault).all(of: customer).map(\.view)
    invitations = try InvitationStore(tx, vault: core.vault).list(
      of: customer, tenant: tenant, limit: InvitationCommands.listMax
    ).map { $0.view(to: customer, at: now) }
  }
}
