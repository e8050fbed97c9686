// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Keeping a bank out for a while: a key or a secret of its is in wrong hands, or it does not pay.
extension Providers {
  /// From now on the bank may ask for nothing, its customers' devices are told to come back later, and nothing new is
  /// pushed to them. Everything stays as it is for when it resumes; what customers had decided before still reaches it.
  /// - Returns: false when it was suspended already.
  /// - Throws: `Problem` not-found.
  @discardableResult
  package func suspend(_ code: String, by actor: String) async throws -> Bool {
    try await set(code, suspendedAt: core.world.now(), "suspended", by: actor)
  }

  /// - Returns: false when it was not suspended.
  /// - Throws: `Problem` not-found.
  @discardableResult
  package func resume(_ code: String, by actor: String) async throws -> Bool {
    try await set(code, suspendedAt: nil, "resumed", by: actor)
  }

  private func set(_ code: String, suspendedAt: Instant?, _ verb: String, by actor: String) async throws -> Bool {
    try await core.database.write(retrying: .outdated, .serializable) { [core] tx in
      let store = ProviderStore(tx, vault: core.vault)
      guard var provider = try store.find(code: code) else { throw Problem.missing(.bank) }
      guard (provider.suspendedAt == nil) != (suspendedAt == nil) else { return false }
      provider.suspendedAt = suspendedAt
      try store.save(provider, webhookSecret: nil)
      try core.audit.append("saltedge.provider.\(verb)", to: "saltedge-provider-\(provider.id)", by: actor, in: tx)
      return true
    }
  }
}

extension SaltEdgeProvider {
  /// - Throws: `Problem` that the bank is kept out.
  func requireAdmitted() throws {
    guard suspendedAt == nil else {
      throw Problem(.forbidden, "forbidden", "This bank is suspended. Nothing was done.")
    }
  }
}

extension Problem {
  /// What devices of a suspended bank are told: no class that ends a connection (saltedge-authenticator §10.7), because
  /// theirs is good again when the bank resumes.
  static let bankSuspended = Problem(.unavailable, "provider-suspended", "This bank is not available now.")
    .with { $0.retryAfterSeconds = 3600 }
}
