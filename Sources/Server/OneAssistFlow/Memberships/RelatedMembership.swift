// SPDX-License-Identifier: Apache-2.0

import Kit
import OneAssistCore
import Storage

/// Another membership of the same institution, and what it shares with one: a hint for the reviewer, which decides
/// nothing.
package struct RelatedMembership: Sendable, Equatable {
  package enum Trait: String, Sendable, CaseIterable { case phone, device }

  static let membershipsMax = 20

  package let id: Membership.ID
  package let status: MembershipStatus
  package let createdAt: Instant
  /// In the order of `Trait`.
  package let shared: [Trait]

  /// Memberships that share most first, then the newest.
  static func all(
    of id: Membership.ID, tenant: String, in tx: any SQLTransaction, vault: Vault
  ) throws -> [RelatedMembership] {
    let store = MembershipStore(tx, vault: vault)
    var shared: [Membership.ID: [Trait]] = [:]
    for trait in Trait.allCases {
      for other in try store.sharing(trait, with: id, tenant: tenant, limit: membershipsMax) {
        shared[other, default: []].append(trait)
      }
    }
    let first = shared.sorted { ($0.value.count, $0.key.rawValue) > ($1.value.count, $1.key.rawValue) }
    return try first.prefix(membershipsMax).compactMap { other, traits in
      try store.find(other).map {
        RelatedMembership(id: other, status: $0.status, createdAt: $0.createdAt, shared: traits)
      }
    }
  }
}
