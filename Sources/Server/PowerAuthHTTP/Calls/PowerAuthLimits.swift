// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import PowerAuthCore
import Storage

/// How often those may call who proved nothing.
///
/// Asking for a status or a temporary key costs a node some arithmetic: each node counts for itself. Creating an
/// activation is a guess at a code: every node counts the same. An activation is counted together with the address
/// that names it, so that an id alone does not let a caller use up the share.
package struct PowerAuthLimits: Sendable {
  private let byAddress: RateLimit
  private let byActivation: RateLimit
  private let creations: RateLimit
  private let nodes: NodeRateLimits
  private let limits: RateLimits
  private let database: any SQLDatabase
  private let vault: Vault

  /// - Parameter factor: multiplies every limit; for load tests and shared networks.
  package init(database: any SQLDatabase, vault: Vault, world: World, factor: Int = 1) {
    byAddress = RateLimit("powerauth-address", 1200 * factor, per: .minutes(1))
    byActivation = RateLimit("powerauth-activation", 120 * factor, per: .minutes(1))
    creations = RateLimit("powerauth-create", 60 * factor, per: .minutes(1))
    nodes = NodeRateLimits(world: world)
    limits = RateLimits(world: world)
    self.database = database
    self.vault = vault
  }

  /// - Throws: `Problem` rate-limited.
  func spend(address: String?) throws {
    if let address { try nodes.spend(byAddress, by: ClientNetwork.of(address)) }
  }

  /// - Throws: `Problem` rate-limited.
  func spend(_ activation: ActivationIdentifier, address: String?) throws {
    try nodes.spend(byActivation, by: "\(activation.text.lowercased()) \(address.map(ClientNetwork.of) ?? "")")
  }

  /// - Throws: `Problem` rate-limited.
  func spendCreation(address: String?) async throws {
    guard let address else { return }
    let network = vault.digest(ClientNetwork.of(address), for: "powerauth network")
    let (limits, creations) = (limits, creations)
    _ = try await database.write { try limits.spend(creations, by: network, isTold: false, in: $0) }
  }
}
