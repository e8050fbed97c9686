// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import PowerAuthCore
import Storage

/// PowerAuth 3.0 to 3.3 on the server: devices that users made their own, their signatures, tokens and encryption
/// (powerauth.md). One value; whatever changes something does so in a
/// transaction of its own, unless it takes one.
package struct Activations: Sendable {
  let database: any SQLDatabase
  let vault: Vault
  let audit: Audit
  let world: World
  let limits: RateLimits
  let mover: Mover
  let policy: ActivationPolicy
  let claims: UserClaims
  let temporaryKeys: TemporaryKeys
  private(set) var providers: [CustomActivationProvider] = []

  package let applications: PowerAuthApplications

  /// - Parameter cases: where the word of a second person is kept; without it no device is let in again by two.
  package init(
    database: any SQLDatabase, vault: Vault, audit: Audit, world: World, moves: FlowMoves = .uncounted,
    policy: ActivationPolicy = .standard, claims: UserClaims = .none, cases: any CaseRepository = NoCases()
  ) {
    self.database = database
    self.vault = vault
    self.audit = audit
    self.world = world
    limits = RateLimits(world: world)
    mover = Mover(audit: audit, moves: moves, cases: cases)
    self.policy = policy
    self.claims = claims
    temporaryKeys = TemporaryKeys(vault: vault)
    applications = PowerAuthApplications(database: database, vault: vault, audit: audit, world: world)
  }

  /// The same with one more way to activate by `CUSTOM`; the first provider that calls a request its own decides.
  package func serving(_ provider: CustomActivationProvider) -> Activations {
    var copy = self
    copy.providers.append(provider)
    return copy
  }
}

/// Where what is known about a user comes from, in the names of OpenID Connect.
package struct UserClaims: Sendable {
  /// - Returns: empty when nothing is known.
  package let of: @Sendable (_ user: String, _ tenant: String) async throws -> [String: JSONValue]

  package init(of: @escaping @Sendable (_ user: String, _ tenant: String) async throws -> [String: JSONValue]) {
    self.of = of
  }

  package static let none = UserClaims { _, _ in [:] }
}
