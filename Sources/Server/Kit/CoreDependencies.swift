// SPDX-License-Identifier: Apache-2.0

import Storage

/// What the commands of every flow share: the store, the clock, and what writes in the store's transactions.
///
/// A command takes this and, by name, everything else that it uses.
package struct CoreDependencies: Sendable {
  package let database: any SQLDatabase
  package let world: World
  package let vault: Vault
  package let blobs: Blobs
  package let audit: Audit
  package let outbox: Outbox
  package let idempotency: Idempotency
  package let limits: RateLimits
  /// Changes the states of rows.
  package let mover: Mover
  /// Knows what waits for a person.
  package let cases: any CaseRepository

  /// - Parameters:
  ///   - moves: counts the changes of states.
  ///   - cases: keeps what waits for a person.
  package init(
    database: any SQLDatabase, world: World, vault: Vault, blobs: Blobs, moves: FlowMoves = .uncounted,
    cases: any CaseRepository = NoCases()
  ) {
    (self.database, self.world, self.vault, self.blobs) = (database, world, vault, blobs)
    (audit, outbox) = (Audit(world: world, vault: vault), Outbox(world: world))
    (idempotency, limits) = (Idempotency(world: world, vault: vault), RateLimits(world: world))
    mover = Mover(audit: audit, moves: moves, cases: cases)
    self.cases = cases
  }
}
