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

  let database: any SQLDatabase
  let vault: Vault
  let world: World
  let threads: BlockingThreadPool
  let cost: PasswordCost
  /// Compared with when the address is unknown, so that the answer takes as long.
  private let decoy: PasswordHash

  /// - Parameter threads: where passwords are hashed; each thread needs the memory of one hash.
  package init(
    database: any SQLDatabase, vault: Vault, world: World, threads: BlockingThreadPool, cost: PasswordCost = .standard
  ) {
    self.database = database
    self.vault = vault
    self.world = world
    self.threads = threads
    self.cost = cost
    decoy = PasswordHash(decoy: cost, world: world)
  }

  /// - Throws: `Problem` validation, or conflict `staff-exists` when the tenant has a member with this address.
  @discardableResult
  package func add(_ new: NewStaffMember) async throws -> StaffMember {
    try StaffRules.check(new)
    let hash = try await hashed(new.password)
    let member = StaffMember(
      id: .init(world), tenant: new.tenant, email: new.email, name: new.name, gender: new.gender,
      languages: new.languages, permissions: new.permissions, isActive: true, createdAt: world.now())
    let row = try row(member, hash: hash)
    do { try await database.write { try StaffStore($0).insert(row) } } catch SQLError.notUnique {
      throw Problem(.conflict, "staff-exists", "There is a staff member with this e-mail address.")
    }
    return member
  }

  /// Checks an e-mail address and a password. The hashing runs between two transactions, in neither.
  /// - Throws: `Problem.unavailable` when too many sign-ins wait for a thread.
  package func authenticate(
    email: String, password: String, tenant: String
  ) async throws -> StaffAuthentication {
    let account = account(email, tenant: tenant)
    let (row, lockedUntil) = try await database.write { [world] tx in
      let store = StaffStore(tx)
      // The try is counted as wrong before it is compared, so that tries side by side cannot pass the limit.
      let lockedUntil = try store.countTry(account, at: world.now(), id: world.uuid())
      return (lockedUntil == nil ? try store.find(account: account) : nil, lockedUntil)
    }
    if let lockedUntil { return .locked(retryAfter: lockedUntil - world.now()) }
    let stored = row.flatMap { PasswordHash($0.passwordHash) }
    let compared = stored ?? decoy
    let isRight =
      try await onLanes { try StaffRules.isComparable(password) && compared.matches(password) } && stored != nil
    guard isRight, let row, row.isActive else { return .refused }
    let renewed = compared.isWeaker(than: cost) ? try await hashed(password) : nil
    let current = try await database.write { tx in
      let store = StaffStore(tx)
      try store.forgiveTries(account)
      if let renewed { try store.rehash(row.id, from: row.passwordHash, to: renewed.text) }
      return try store.find(row.id)
    }
    // The member may have been dismissed, or given another password, while we hashed.
    guard let current, current.isActive, current.passwordHash == renewed?.text ?? row.passwordHash else {
      return .refused
    }
    return .accepted(try member(current))
  }

  /// - Throws: `Problem` not found.
  package func find(_ id: StaffMember.ID) async throws -> StaffMember {
    guard let row = try await database.read({ try StaffStore($0).find(id) }) else { throw Problem.notFound }
    return try member(row)
  }

  /// Inside the caller's transaction; nil without such a member.
  package func find(_ id: StaffMember.ID, in tx: any SQLTransaction) throws -> StaffMember? {
    try StaffStore(tx).find(id).map(member)
  }

  /// Everybody of a tenant, the oldest first.
  package func list(tenant: String) async throws -> [StaffMember] {
    try await database.read { try StaffStore($0).list(tenant: tenant) }.map(member)
  }

  /// - Throws: `Problem` not found or validation.
  package func setPassword(_ password: String, of id: StaffMember.ID) async throws {
    let member = try await find(id)
    try StaffRules.check(password: password, email: member.email)
    let hash = try await hashed(password)
    let account = account(member.email, tenant: member.tenant)
    try await database.write { tx in
      try StaffStore(tx).setPasswordHash(hash.text, of: id)
      try StaffStore(tx).forgiveTries(account)
    }
  }

  /// - Throws: `Problem` not found.
  package func setActive(_ isActive: Bool, of id: StaffMember.ID, in tx: any SQLTransaction) throws {
    guard try StaffStore(tx).setActive(isActive, of: id) else { throw Problem.notFound }
  }

  /// - Throws: `Problem` not found or validation.
  package func setPermissions(
    _ permissions: Set<StaffPermission>, of id: StaffMember.ID, in tx: any SQLTransaction
  ) throws {
    try StaffRules.check(permissions: permissions)
    guard try StaffStore(tx).setPermissions(permissions, of: id) else { throw Problem.notFound }
  }

  /// Deletes up to `limit` rows of each kind that no limit looks at any more.
  @discardableResult
  package func sweep(limit: Int = 1000, in tx: any SQLTransaction) throws -> Int {
    try StaffStore(tx).sweep(before: world.now() - Self.wrongWindow, now: world.now(), limit: limit)
  }

  private func hashed(_ password: String) async throws -> PasswordHash {
    try await onLanes { [cost, world] in try PasswordHash(password, cost: cost, world: world) }
  }

  private func onLanes<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    do { return try await threads.run(body) } catch is BlockingThreadPoolFull { throw Problem.unavailable }
  }

  private func account(_ email: String, tenant: String) -> String {
    vault.digest("\(tenant)\u{0}\(email.lowercased())", for: "staff email")
  }

  private struct Profile: Codable {
    let email: String
    let name: String
  }

  private func row(_ member: StaffMember, hash: PasswordHash) throws -> StaffStore.Row {
    StaffStore.Row(
      id: member.id, tenant: member.tenant, account: account(member.email, tenant: member.tenant),
      sealedProfile: try vault.seal(
        Profile(email: member.email, name: member.name), as: Self.context(member.id)),
      gender: member.gender, languages: member.languages, permissions: member.permissions, passwordHash: hash.text,
      isActive: member.isActive, createdAt: member.createdAt)
  }

  private func member(_ row: StaffStore.Row) throws -> StaffMember {
    let profile = try vault.open(row.sealedProfile, as: Profile.self, context: Self.context(row.id))
    return StaffMember(
      id: row.id, tenant: row.tenant, email: profile.email, name: profile.name, gender: row.gender,
      languages: row.languages, permissions: row.permissions, isActive: row.isActive, createdAt: row.createdAt)
  }

  private static func context(_ id: StaffMember.ID) -> String { "staff.sealed_profile:\(id)" }
}
