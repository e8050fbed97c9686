// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// The people who work at the institutions: who they are, what they may do, and whether it is really they.
package struct Staff: Sendable {
  /// Wrong passwords in `wrongWindow` that lock an address.
  package static let wrongMax = 5
  package static let wrongWindow = Duration.minutes(15)
  package static let lockLifetime = Duration.minutes(15)

  /// Where sign-ins with an unknown address are audited.
  package static let unknownChain = "staff sign-in"

  package let core: CoreDependencies
  let threads: BlockingThreadPool
  let cost: PasswordCost
  /// Institutions whose staff comes by an identity provider alone: no password is right there.
  private let withoutPasswords: Set<String>
  /// Compared with when the address is unknown, so that the answer takes as long.
  private let decoy: PasswordHash

  private var vault: Vault { core.vault }

  /// - Parameters:
  ///   - threads: where passwords are hashed; each thread needs the memory of one hash.
  ///   - withoutPasswords: tenants where no password is right.
  package init(
    core: CoreDependencies, threads: BlockingThreadPool, cost: PasswordCost = .standard,
    withoutPasswords: Set<String> = []
  ) {
    (self.core, self.threads, self.cost, self.withoutPasswords) = (core, threads, cost, withoutPasswords)
    decoy = PasswordHash(decoy: cost, world: core.world)
  }

  /// What members prove beside their password.
  package var factors: StaffFactors { StaffFactors(core: core) }

  /// - Parameter actor: who adds the member; every change of a member is a line in the member's audit chain.
  /// - Throws: `Problem` validation, or conflict `staff-exists` when the tenant has a member with this address.
  @discardableResult
  package func add(_ new: NewStaffMember, by actor: String) async throws -> StaffMember {
    try await add(new, by: actor) { member, _ in member }
  }

  /// Adds a member together with the code that sets the first authenticator app up: a command that ends between the two
  /// would leave a member who cannot sign in, and could not be given again.
  package func addWithEnrolmentCode(
    _ new: NewStaffMember, by actor: String
  ) async throws -> (member: StaffMember, code: StaffFactors.EnrolmentCode) {
    try await add(new, by: actor) { [factors] member, tx in
      (member, try factors.issueEnrolmentCode(for: member.id, by: actor, in: tx))
    }
  }

  /// - Parameter finish: makes what belongs to the member, in the same transaction.
  private func add<Added: Sendable>(
    _ new: NewStaffMember, by actor: String,
    finish: @escaping @Sendable (StaffMember, any SQLTransaction) throws -> Added
  ) async throws -> Added {
    try StaffRules.check(new)
    let hash = try await hashed(new.password)
    let member = StaffMember(
      id: .init(core.world), tenant: new.tenant, email: new.email, name: new.name, gender: new.gender,
      languages: new.languages, permissions: new.permissions, isActive: true, createdAt: core.world.now())
    let row = try row(member, hash: hash.text)
    do {
      return try await core.database.write { [core] tx in
        try StaffStore(tx).insert(row)
        try core.audit.append(
          "staff.added", to: member.id.rawValue, by: actor,
          facts: ["tenant": member.tenant, "permissions": StaffStore.text(member.permissions)], in: tx)
        return try finish(member, tx)
      }
    } catch SQLError.notUnique {
      throw Problem(.conflict, "staff-exists", "There is a staff member with this e-mail address.")
    }
  }

  /// Checks an e-mail address and a password. The hashing runs between two transactions, in neither. A refusal is an
  /// audit line of the member, or of `unknownChain` for an unknown address.
  /// - Parameters:
  ///   - network: where the sign-in comes from, never a whole address.
  ///   - enter: opens the session, in the transaction that admits the member: another password and a suspension come
  ///     before it, and keep the member out, or after it, and end the session.
  /// - Throws: `Problem.unavailable` when too many sign-ins wait for a thread, or there is no memory to hash in.
  package func authenticate<Entry: Sendable>(
    email: String, password: String, tenant: String, network: String? = nil,
    enter: @escaping @Sendable (StaffMember, any SQLTransaction) throws -> Entry = { member, _ in member }
  ) async throws -> StaffAuthentication<Entry> {
    let account = account(email, tenant: tenant)
    let id = core.world.uuid()
    let (row, attempt) = try await core.database.write { [world = core.world] tx in
      let store = StaffStore(tx)
      // The try is counted as wrong before it is compared, so that tries side by side cannot pass the limit.
      return (try store.find(account: account), try store.countTry(account, at: world.now(), id: id))
    }
    let failure = SignInFailure(member: row?.id, account: account, network: network)
    if case .locked(let until) = attempt {
      try await record(failure, "locked")
      return .locked(retryAfter: until - core.world.now())
    }
    let stored = row.flatMap { PasswordHash($0.passwordHash) }
    let compared = stored ?? decoy
    let isRight: Bool
    do {
      isRight =
        try await orUnavailable {
          try await threads.compare(for: network) {
            try StaffRules.isComparable(password) && compared.matches(password)
          }
        } && stored != nil
    } catch let problem as Problem where problem == .unavailable {
      // What was not compared is no wrong password: a flood of sign-ins must not lock an account.
      try await core.database.write(retrying: .outdated) { [world = core.world] tx in
        try StaffStore(tx).takeBack(attempt, id, of: account, at: world.now()) { world.uuid() }
      }
      throw Problem.unavailable.with { $0.retryAfterSeconds = 1 }
    }
    let isOff = withoutPasswords.contains(tenant)
    guard isRight, let row, row.isActive, !isOff else {
      let reason = isOff ? "password-off" : row == nil ? "unknown" : isRight ? "inactive" : "password"
      try await record(failure, reason, isLockOut: attempt == .last)
      return .refused
    }
    let renewed = try await renewed(password, compared, for: network)
    let entry: Entry? = try await core.database.write(retrying: .outdated) { [self] tx in
      let store = StaffStore(tx)
      try store.forgiveTries(account)
      // The member may have been dismissed, or given another password, while we hashed. The row is written in any case,
      // so that of this and what changes the member at the same moment one runs again and sees the other.
      guard try store.rehash(row.id, from: row.passwordHash, to: renewed?.text ?? row.passwordHash),
        let current = try store.find(row.id), current.isActive
      else { return nil }
      return try enter(member(current), tx)
    }
    guard let entry else {
      // Another sign-in with the same password may have stored it anew, which happens once.
      if compared.isOutdated(for: cost) {
        return try await authenticate(email: email, password: password, tenant: tenant, network: network, enter: enter)
      }
      try await record(failure, "changed")
      return .refused
    }
    return .accepted(entry)
  }

  /// Whether a password of the member can be right: not where a provider or an administrator added them and they set
  /// none since, nor where the institution's staff comes by its provider alone.
  package func hasPassword(_ member: StaffMember) async throws -> Bool {
    try await core.database.look { try hasPassword(member, in: $0) }
  }

  func hasPassword(_ member: StaffMember, in tx: any SQLTransaction) throws -> Bool {
    guard !withoutPasswords.contains(member.tenant) else { return false }
    return try StaffStore(tx).find(member.id).flatMap { PasswordHash($0.passwordHash) } != nil
  }

  /// - Throws: `Problem` not found.
  package func find(_ id: StaffMember.ID) async throws -> StaffMember {
    guard let row = try await core.database.look({ try StaffStore($0).find(id) }) else { throw Problem.notFound }
    return try member(row)
  }

  /// Inside the caller's transaction; nil without such a member.
  package func find(_ id: StaffMember.ID, in tx: any SQLTransaction) throws -> StaffMember? {
    try StaffStore(tx).find(id).map(member)
  }

  /// A member as colleagues know them, by name and address, as in `Ada Byron <ada@bank.example>`.
  /// - Parameter actor: as lines of the audit log name the member.
  /// - Returns: nil for who is no member of staff.
  package func colleague(_ actor: String, in tx: any SQLTransaction) throws -> String? {
    guard let id = StaffMember.id(ofActor: actor), let member = try find(id, in: tx) else { return nil }
    return "\(member.name) <\(member.email)>"
  }

  /// Everybody of a tenant, the oldest first.
  package func list(tenant: String) async throws -> [StaffMember] {
    try await core.database.read { try StaffStore($0).list(tenant: tenant) }.map(member)
  }

  /// Who acts by a command: an active member of one of the tenants, who has all of the permissions.
  /// - Parameter name: an id or an e-mail address.
  /// - Throws: `Problem` forbidden.
  package func acting(
    _ name: String, of tenants: [String], may permissions: StaffPermission...
  ) async throws -> StaffMember {
    let accounts = tenants.map { account(name, tenant: $0) }
    let rows = try await core.database.look { tx in
      let store = StaffStore(tx)
      return try [store.find(.init(rawValue: name.lowercased()))] + accounts.map { try store.find(account: $0) }
    }
    guard
      let row = rows.compactMap(\.self).first(where: {
        tenants.contains($0.tenant) && $0.isActive && $0.permissions.isSuperset(of: permissions)
      })
    else {
      let needed = permissions.map { " \($0.rawValue)" }.joined(separator: ",")
      let with = permissions.isEmpty ? "" : " with the permission\(permissions.count > 1 ? "s" : "")\(needed)"
      throw Problem(.forbidden, "forbidden", "\(name) is no active member of staff here\(with).")
    }
    return try member(row)
  }

  /// - Parameter session: goes on; every other session of the member ends.
  /// - Throws: `Problem` not found, validation, or token-revoked for a session that ended meanwhile.
  package func setPassword(
    _ password: String, of id: StaffMember.ID, by actor: String, keeping session: SessionFamily.ID? = nil
  ) async throws {
    let member = try await find(id)
    try StaffRules.check(password: password, of: member)
    let hash = try await hashed(password)
    try await core.database.write(retrying: .outdated) { [self] tx in
      try set(hash, of: member, by: actor, keeping: session, in: tx)
    }
  }

  func set(
    _ hash: PasswordHash, of member: StaffMember, by actor: String, keeping session: SessionFamily.ID? = nil,
    facts: [String: String] = [:], in tx: any SQLTransaction
  ) throws {
    let id = member.id
    if let session { try SessionStore(tx).requireOpen(session, at: core.world.wall()) }
    try StaffStore(tx).setPasswordHash(hash.text, of: id)
    // Somebody who knew the former password may have seen a secret.
    try StaffFactorStore(tx).deleteEnrolments(of: id)
    try StaffStore(tx).forgiveTries(account(member.email, tenant: member.tenant))
    try SessionStore(tx).revokeAll(of: id.rawValue, except: session, at: core.world.now())
    try core.audit.append("staff.password_set", to: id.rawValue, by: actor, facts: facts, in: tx)
  }

  /// One who is suspended is signed out at once.
  /// - Throws: `Problem` not found.
  package func setActive(
    _ isActive: Bool, of id: StaffMember.ID, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    guard try StaffStore(tx).setActive(isActive, of: id) else { throw Problem.notFound }
    // A token that is out would live for minutes on.
    if !isActive { try SessionStore(tx).revokeAll(of: id.rawValue, at: core.world.now()) }
    try core.audit.append(
      isActive ? "staff.resumed" : "staff.suspended", to: id.rawValue, by: actor, facts: facts, in: tx)
  }

  /// - Throws: `Problem` not found or validation.
  package func setPermissions(
    _ permissions: Set<StaffPermission>, of id: StaffMember.ID, by actor: String, facts: [String: String] = [:],
    in tx: any SQLTransaction
  ) throws {
    try StaffRules.check(permissions: permissions)
    let store = StaffStore(tx)
    guard let former = try store.find(id)?.permissions else { throw Problem.notFound }
    try store.setPermissions(permissions, of: id)
    try core.audit.append(
      "staff.permissions_set", to: id.rawValue, by: actor,
      facts: facts.merging(["before": StaffStore.text(former), "after": StaffStore.text(permissions)]) { $1 }, in: tx)
  }

  /// Deletes up to `limit` rows of each kind that no limit looks at any more.
  @discardableResult
  package func sweep(limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    let now = core.world.now()
    return try StaffStore(tx).sweep(before: now - Self.wrongWindow, now: now, limit: limit)
      + StaffKeyStore(tx).sweep(before: now, limit: limit) + StaffFactorStore(tx).sweep(before: now, limit: limit)
      + StaffDeskStore(tx).sweep(before: now, limit: limit) + StaffOpenIDStore(tx).sweep(before: now, limit: limit)
  }

  /// Which sign-in was refused.
  private struct SignInFailure: Sendable {
    let member: StaffMember.ID?
    let account: String
    let network: String?
  }

  private func record(_ failure: SignInFailure, _ reason: String, isLockOut: Bool = false) async throws {
    let chain = failure.member?.rawValue ?? Self.unknownChain
    var facts = ["reason": reason]
    facts["network"] = failure.network
    // Tells one unknown address from another, and not what it is.
    if failure.member == nil { facts["account"] = String(failure.account.prefix(16)) }
    try await core.database.write(retrying: .outdated) { [core, facts] tx in
      try core.audit.append("agent.sign_in_failed", to: chain, by: "system", facts: facts, in: tx)
      if isLockOut { try core.audit.append("agent.locked_out", to: chain, by: "system", facts: facts, in: tx) }
    }
  }

  /// The right password under the cost of today. Where there is no thread for it, that waits for the next sign-in: the
  /// try would stay counted as wrong.
  private func renewed(
    _ password: String, _ compared: PasswordHash, for network: String?
  ) async throws -> PasswordHash? {
    guard compared.isOutdated(for: cost) else { return nil }
    do { return try await hashed(password, for: network) } catch let problem as Problem where problem == .unavailable {
      return nil
    }
  }

  /// - Parameter network: where the request comes from; networks take turns.
  func hashed(_ password: String, for network: String? = nil) async throws -> PasswordHash {
    try await orUnavailable {
      try await threads.run(for: network) { [cost, world = core.world] in
        try PasswordHash(password, cost: cost, world: world)
      }
    }
  }

  private func orUnavailable<Value>(_ body: () async throws -> Value) async throws -> Value {
    do { return try await body() } catch is BlockingThreadPoolFull, is PasswordHash.Failure {
      throw Problem.unavailable
    }
  }

  func account(_ email: String, tenant: String) -> String {
    vault.digest("\(tenant)\u{0}\(email.lowercased())", for: "staff email")
  }

  private struct Profile: Codable {
    let email: String
    let name: String
  }

  func row(_ member: StaffMember, hash: String) throws -> StaffStore.Row {
    StaffStore.Row(
      id: member.id, tenant: member.tenant, account: account(member.email, tenant: member.tenant),
      sealedProfile: try vault.seal(
        Profile(email: member.email, name: member.name), as: Self.context(member.id)),
      gender: member.gender, languages: member.languages, permissions: member.permissions, passwordHash: hash,
      isActive: member.isActive, createdAt: member.createdAt)
  }

  func member(_ row: StaffStore.Row) throws -> StaffMember {
    let profile = try vault.open(row.sealedProfile, as: Profile.self, context: Self.context(row.id))
    return StaffMember(
      id: row.id, tenant: row.tenant, email: profile.email, name: profile.name, gender: row.gender,
      languages: row.languages, permissions: row.permissions, isActive: row.isActive, createdAt: row.createdAt)
  }

  private static func context(_ id: StaffMember.ID) -> String { "staff.sealed_profile:\(id)" }
}
