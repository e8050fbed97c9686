// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// The page that a confirmation's link opens: the reader of messages to an alias confirms that it is theirs.
package struct RegistrationConfirmation: Sendable {
  /// What the page shows.
  package struct Holder: Sendable {
    package let institution: String
    /// Masked.
    package let alias: String
  }

  let core: CoreDependencies
  let registrations: RegistrationCommands
  /// Of messages of tenants that are gone.
  let senderName: String

  /// - Throws: `Problem` not found; failed precondition for one that is over.
  package func look(_ token: String) async throws -> Holder {
    try await core.database.read { try holder(try registration(token, in: $0), in: $0) }
  }

  /// Money goes to the account from now on. Once more changes nothing.
  /// - Throws: as `look`; failed precondition when another registration of the alias was confirmed.
  package func confirm(_ token: String) async throws -> Holder {
    do {
      return try await core.database.write(retrying: .outdated) { tx in
        let registration = try registration(token, in: tx)
        try confirm(registration, by: "holder", in: tx)
        return try holder(registration, in: tx)
      }
    } catch SQLError.notUnique { throw Problem.accountLinkOver }
  }

  func confirm(_ registration: Registration, by actor: String, in tx: any SQLTransaction) throws {
    guard registration.confirmedAt == nil else { return }
    guard let tenant = try TenantStore(tx).find(registration.tenant) else { throw Problem.notFound }
    let network = Registration.network(of: tenant)
    let holder = try RegistrationStore(tx, vault: core.vault).find(registration.alias, network: network)
    // Programs before wrote it in its alias's place from the first.
    if holder?.id != registration.id, try !registrations.isFree(registration.alias, network: network, in: tx) {
      throw Problem.accountLinkOver
    }
    var registration = registration
    registration.confirmedAt = core.world.now()
    try RegistrationStore(tx, vault: core.vault).advance(registration)
    try registrations.note("confirmed", registration, by: actor, in: tx)
  }

  private func registration(_ token: String, in tx: any SQLTransaction) throws -> Registration {
    guard (16...128).contains(token.utf8.count),
      let found = try RegistrationStore(tx, vault: core.vault).find(token: token)
    else { throw Problem.notFound }
    guard !found.isLapsed(at: core.world.now()) else { throw Problem.accountLinkOver }
    return found
  }

  private func holder(_ registration: Registration, in tx: any SQLTransaction) throws -> Holder {
    Holder(
      institution: try TenantStore(tx).find(registration.tenant)?.name ?? senderName,
      alias: registration.alias.masked)
  }
}
