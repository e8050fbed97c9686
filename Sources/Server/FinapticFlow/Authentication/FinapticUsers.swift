import Delivery
import Foundation
import Identity
import Kit
import Storage

/// Users as other parts of the room and administrators know them.
package struct FinapticUsers: Sendable {
  let parts: FinapticDependencies

  package init(_ room: FinapticService) { parts = room.parts }
  init(_ parts: FinapticDependencies) { self.parts = parts }

  func find(_ id: FinapticUser.ID, in tx: any SQLTransaction) throws -> FinapticUser? {
    try FinapticUserStore(tx, vault: parts.vault).find(id)?.user
  }

  func find(customer: String, tenant: Int, in tx: any SQLTransaction) throws -> FinapticUser? {
    try FinapticUserStore(tx, vault: parts.vault).find(customer: customer, tenant: tenant)?.user
  }

  /// By e-mail address or username, for invitations.
  func find(identifier: String, tenant: Int, in tx: any SQLTransaction) throws -> FinapticUser? {
    let store = FinapticUserStore(tx, vault: parts.vault)
    let text = CredentialRules.trimmed(identifier)
    return try (store.find(email: text, tenant: tenant) ?? store.find(username: text, tenant: tenant))?.user
  }

  /// Makes a user the customer that an application created: the next access token says so.
  /// - Returns: false when the user is a customer already.
  func becomeCustomer(_ customer: String, _ user: FinapticUser.ID, in tx: any SQLTransaction) throws -> Bool {
    guard try FinapticUserStore(tx, vault: parts.vault).setCustomer(customer, of: user) else { return false }
    try parts.note("user.becameCustomer", "user-\(user)", by: "user:\(user)", ["customer": customer], in: tx)
    return true
  }

  // MARK: Administrators

  /// What an administrator may see: nothing that is sealed but the masked address.
  package struct Standing: Sendable {
    package let user: FinapticUser
    package let email: String
    package let failures: Int
    package let lockedUntil: Instant?
    package let factors: [String]
    package let sessions: [SessionRecord]
  }

  /// - Parameter name: e-mail address, username or id.
  /// - Throws: `Problem` not found.
  package func look(_ name: String, tenant: Int) async throws -> Standing {
    try await parts.database.read { [self] tx in
      let user = try require(name, tenant: tenant, in: tx)
      let guessing = try GuardStore(tx).standing(user.id.rawValue)
      return Standing(
        user: user, email: EmailAddress(user.profile.email)?.masked ?? "", failures: guessing.failures,
        lockedUntil: guessing.lockedUntil.flatMap { $0 > parts.world.now() ? $0 : nil },
        factors: try SecondFactorStore(tx).confirmed(of: user.id).map(\.rawValue),
        sessions: try parts.sessions.records(of: user.id.rawValue, in: tx))
    }
  }

  /// Blocks a user, or lets one in again. Blocking ends every session at once.
  /// - Returns: false when it was so before.
  /// - Throws: `Problem` not found.
  package func setBlocked(_ isBlocked: Bool, _ name: String, tenant: Int, by actor: String) async throws -> Bool {
    try await parts.database.write(retrying: .outdated) { [self] tx in
      let user = try require(name, tenant: tenant, in: tx)
      let store = FinapticUserStore(tx, vault: parts.vault)
      let isChanged = try isBlocked ? store.block(user.id, at: parts.world.now()) : store.unblock(user.id)
      guard isChanged else { return false }
      if isBlocked {
        try parts.sessions.revokeAll(of: user.id.rawValue, in: tx)
      } else {
        try GuardStore(tx).forgive(user.id.rawValue)
      }
      try parts.note(isBlocked ? "user.blocked" : "user.unblocked", user.chain, by: actor, in: tx)
      return true
    }
  }

  private func require(_ name: String, tenant: Int, in tx: any SQLTransaction) throws -> FinapticUser {
    if UUID(uuidString: name) != nil, let user = try find(.init(rawValue: name.lowercased()), in: tx),
      user.tenant == tenant
    {
      return user
    }
    guard let user = try find(identifier: name, tenant: tenant, in: tx) else { throw Problem.notFound }
    return user
  }
}
