// SPDX-License-Identifier: Apache-2.0

import Delivery
import Identity
import Kit
import Ledger
import Storage

/// What administrators see and change of users.
package struct FinapticUsers: Sendable {
  let core: CoreDependencies
  let sessions: Sessions
  let ledger: Ledger

  /// What an administrator may see: of the sealed data only the masked address.
  package struct Summary: Sendable {
    package let user: FinapticUser
    package let email: String
    package let failures: Int
    package let lockedUntil: Instant?
    package let factors: [String]
    package let sessions: [SessionRecord]
  }

  /// How a user stands; the look is a line of the audit log.
  /// - Parameter name: e-mail address, username or id.
  /// - Throws: `Problem` not found.
  package func look(_ name: String, tenant: Int, by actor: String) async throws -> Summary {
    try await core.database.write(retrying: .outdated) { tx in
      let user = try require(name, tenant: tenant, in: tx)
      try core.note("user.seen", user.chain, by: actor, RecordAccess.direct.facts, in: tx)
      let guessing = try GuardStore(tx).state(of: user.id.rawValue)
      return Summary(
        user: user, email: EmailAddress(user.profile.email)?.masked ?? "", failures: guessing.failures,
        lockedUntil: guessing.lockedUntil.flatMap { $0 > core.world.now() ? $0 : nil },
        factors: try SecondFactorStore(tx).confirmed(of: user.id).map(\.rawValue),
        sessions: try sessions.records(of: user.id.rawValue, in: tx))
    }
  }

  package enum Outcome: Sendable, Equatable {
    /// `isNew` is false when it was so before.
    case done(isNew: Bool)
    /// Nothing is done yet: the second person has not decided.
    case waiting(RequestedApproval)
  }

  /// Blocks a user, or lets one in again. Blocking ends every session and every token that would show a card, and
  /// forgets the devices that pushes go to. From its commit on nothing is booked that the customer asks for: no
  /// transfer, and no payment by a card that they carry, whatever was begun before. Money still comes in, and what was
  /// held before is settled. Letting in undoes all of that but the devices, with a second person where the tenant
  /// demands one (`FourEyesPolicy.Act.unblock`).
  /// - Parameters:
  ///   - reason: for the audit; nil where none was asked for.
  ///   - key: under which a second person is asked.
  /// - Throws: `Problem` not found; those of `FourEyesGate.pass`.
  package func setBlocked(
    _ isBlocked: Bool, _ name: String, tenant: Int, because reason: StopReason? = nil,
    key: ActKey = .command(approval: nil), by actor: String
  ) async throws -> Outcome {
    // It waits for the customer's accounts, as a booking does: a transaction with a moment of its own would begin anew
    // with each booking that was faster, and a customer who moves money all the time could not be stopped.
    try await core.database.write(retrying: .outdated, .readCommitted) { tx in
      let store = FinapticUserStore(tx, vault: core.vault)
      // Nothing changes the user from here on: what was read before may be over.
      guard let user = try store.take(require(name, tenant: tenant, in: tx).id) else { throw Problem.notFound }
      let isChanged: Bool
      if isBlocked {
        isChanged = try store.block(user.id, at: core.world.now())
      } else {
        switch try pass(user, because: reason, key: key, by: actor, in: tx) {
        case .open(let permit): isChanged = try store.unblock(user.id, with: permit)
        case .done: throw FourEyesGate.alreadyUsed
        case .waiting(let approval): return .waiting(approval)
        }
      }
      if isChanged {
        // Before the sessions are ended: a sign-in writes to this chain, too. One that was faster is waited for here, and
        // its session is ended; one that comes later begins anew, and finds the user blocked.
        try core.note(
          isBlocked ? "user.blocked" : "user.unblocked", user.chain, by: actor,
          reason.map { ["reason": $0.rawValue] } ?? [:], in: tx)
      }
      // Also when the user was blocked before: what the books know of it is made good.
      if let customer = user.customer, isChanged || isBlocked {
        try ledger.setStopped(isBlocked, party: customer, tenant: BankAccount.ledgerTenant(tenant), in: tx)
      }
      guard isChanged else { return .done(isNew: false) }
      if isBlocked {
        try sessions.revokeAll(of: user.id.rawValue, in: tx)
        try CardTokenStore(tx).deleteAll(of: user.id)
        try SecondFactorStore(tx).withdraw(of: user.id)
        try PushChannelStore(tx, vault: core.vault).forget(user)
      } else {
        try GuardStore(tx).forgive(user.id.rawValue)
      }
      return .done(isNew: true)
    }
  }

  /// Devices that are forgotten in one transaction: others write in between.
  private static let devicesBatch = 1000

  /// Forgets what goes with sessions that ended: the devices that pushes go to, because one of them may be a thief's,
  /// and tokens that would show a card. What was begun and broken off goes on with the next call.
  /// - Parameter user: an id; nil for every user of the tenant.
  package static func forgetDevices(of user: String?, tenant: Int, in database: any SQLDatabase) async throws {
    var count = 0
    repeat {
      count = try await database.write(retrying: .outdated) { tx in
        try PushChannelStore.forget(user: user, tenant: tenant, limit: devicesBatch, in: tx)
      }
    } while user == nil && count == devicesBatch
    try await database.write(retrying: .outdated) { try CardTokenStore($0).deleteAll(of: user, tenant: tenant) }
  }

  /// Whether a user may be let in now.
  /// - Parameter user: whose row is held (`FinapticUserStore.take`).
  private func pass(
    _ user: FinapticUser, because reason: StopReason?, key: ActKey, by maker: String, in tx: any SQLTransaction
  ) throws -> FourEyesGate.Outcome {
    guard let tenant = try TenantStore(tx).find(user.tenant) else { throw Problem.notFound }
    let act = FourEyesGate.ProposedAct(
      action: .unblockUser, subject: user.id.rawValue, version: try Self.block(of: user, in: tx),
      request: reason.map { "reason \($0.rawValue)" } ?? "no reason given",
      condition: user.blockedAt.map { "user blocked at \($0.rfc3339) (\($0.milliseconds))" } ?? "user not blocked",
      person: user.id.rawValue, chain: user.chain)
    let gate = FourEyesGate(core: core)
    return try gate.pass(
      act, if: user.isBlocked && FourEyesPolicyStore(tx).policy(of: tenant).demands(.unblock),
      key: gate.key(key, of: act, tenant: tenant, by: maker, in: tx), of: tenant, by: maker, in: tx)
  }

  /// Which of a user's blocks is the last one, so that no word for an earlier one lifts it.
  static func block(of user: FinapticUser, in tx: any SQLTransaction) throws -> Int64 {
    try BankActStore(tx).lastLine(of: "finaptic.user.blocked", in: "finaptic-\(user.chain)") ?? 0
  }

  private func require(_ name: String, tenant: Int, in tx: any SQLTransaction) throws -> FinapticUser {
    let store = FinapticUserStore(tx, vault: core.vault)
    if let id = name.canonicalUUID, let user = try store.find(.init(rawValue: id))?.user, user.tenant == tenant {
      return user
    }
    guard let user = try store.find(identifier: name, tenant: tenant) else { throw Problem.notFound }
    return user
  }
}

extension Ledger {
  /// Stops a customer who is new on an account, where their user was blocked while no account of theirs told of it.
  func stopIfBlocked(_ customer: String, on id: BankAccount.ID, tenant: Int, in tx: any SQLTransaction) throws {
    guard try FinapticUserStore.takeIsBlocked(customer: customer, tenant: tenant, in: tx),
      try LedgerStore(tx).mayUse(customer, id)
    else { return }
    try setStopped(true, party: customer, tenant: BankAccount.ledgerTenant(tenant), in: tx)
  }
}
