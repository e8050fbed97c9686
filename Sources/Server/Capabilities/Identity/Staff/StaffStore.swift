// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// Rows of `staff`, and of the two tables that slow guessing down.
struct StaffStore {
  static let columns: SQLColumns =
    "id, tenant, account, sealed_profile, gender, languages, permissions, password_hash, is_active, created_at"

  let tx: any SQLTransaction

  init(_ tx: any SQLTransaction) { self.tx = tx }

  struct Row: Sendable {
    let id: StaffMember.ID
    let tenant: String
    /// Keyed digest of tenant and e-mail address.
    let account: String
    let sealedProfile: Data
    let gender: StaffMember.Gender
    let languages: [String]
    let permissions: Set<StaffPermission>
    let passwordHash: String
    let isActive: Bool
    let createdAt: Instant
  }

  func insert(_ row: Row) throws {
    try tx.execute(
      """
      INSERT INTO staff
        (id, tenant, account, sealed_profile, gender, languages, permissions, password_hash, is_active, created_at)
      VALUES (\(row.id), \(row.tenant), \(row.account), \(row.sealedProfile), \(row.gender),
        \(row.languages.joined(separator: " ")), \(Self.text(row.permissions)), \(row.passwordHash), \(row.isActive),
        \(row.createdAt))
      """)
  }

  func find(_ id: StaffMember.ID) throws -> Row? {
    try tx.first("SELECT \(Self.columns) FROM staff WHERE id = \(id)").map(row)
  }

  /// The same, and no other transaction changes the member before this one ends.
  func held(_ id: StaffMember.ID) throws -> Row? {
    try tx.first("SELECT \(Self.columns) FROM staff WHERE id = \(id) \(SQLClause.forShare)").map(row)
  }

  func find(account: String) throws -> Row? {
    try tx.first("SELECT \(Self.columns) FROM staff WHERE account = \(account)").map(row)
  }

  func list(tenant: String) throws -> [Row] {
    try tx.query("SELECT \(Self.columns) FROM staff WHERE tenant = \(tenant) ORDER BY created_at, id").map(row)
  }

  func setPasswordHash(_ hash: String, of id: StaffMember.ID) throws {
    try tx.execute("UPDATE staff SET password_hash = \(hash) WHERE id = \(id)")
  }

  /// - Returns: false when another password was set meanwhile, which stays.
  func rehash(_ id: StaffMember.ID, from old: String, to new: String) throws -> Bool {
    try tx.execute("UPDATE staff SET password_hash = \(new) WHERE id = \(id) AND password_hash = \(old)") == 1
  }

  func setActive(_ isActive: Bool, of id: StaffMember.ID) throws -> Bool {
    try tx.execute("UPDATE staff SET is_active = \(isActive) WHERE id = \(id)") == 1
  }

  func setPermissions(_ permissions: Set<StaffPermission>, of id: StaffMember.ID) throws {
    try tx.execute("UPDATE staff SET permissions = \(Self.text(permissions)) WHERE id = \(id)")
  }

  /// What a try may do.
  enum Attempt: Sendable, Equatable {
    case allowed
    /// It may go on; unless it is right, no other may for a while.
    case last
    case locked(until: Instant)
  }

  /// Counts a try and locks the account with the last one that is allowed.
  func countTry(_ account: String, at now: Instant, id: String) throws -> Attempt {
    // Taking the row first makes tries side by side wait for each other on every engine.
    let lockedUntil: Instant? = try tx.first(
      """
      INSERT INTO staff_guard (account, held_at, locked_until) VALUES (\(account), \(now), NULL)
      ON CONFLICT (account) DO UPDATE SET held_at = excluded.held_at
      RETURNING locked_until
      """)?.get("locked_until")
    if let lockedUntil, lockedUntil > now { return .locked(until: lockedUntil) }
    try tx.execute("INSERT INTO staff_try (id, account, tried_at) VALUES (\(id), \(account), \(now))")
    let tries: Int =
      try tx.first(
        """
        SELECT COUNT(*) AS n FROM staff_try WHERE account = \(account) AND tried_at > \(now - Staff.wrongWindow)
        """)?.get("n") ?? 0
    guard tries >= Staff.wrongMax else { return .allowed }
    try tx.execute("UPDATE staff_guard SET locked_until = \(now + Staff.lockLifetime) WHERE account = \(account)")
    try tx.execute("DELETE FROM staff_try WHERE account = \(account)")
    return .last
  }

  /// Takes a try back that was counted and then not compared, for want of a thread, or was no guess; others stay
  /// counted, from now on where the lock took them with it.
  /// - Parameter newID: of what stands for the tries that the lock took with it.
  func takeBack(
    _ attempt: Attempt, _ id: String, of account: String, at now: Instant, newID: () -> String
  ) throws {
    switch attempt {
    case .locked: return
    case .allowed: try tx.execute("DELETE FROM staff_try WHERE id = \(id)")
    case .last:
      try tx.execute("UPDATE staff_guard SET locked_until = NULL WHERE account = \(account)")
      for _ in 1..<Staff.wrongMax {
        try tx.execute("INSERT INTO staff_try (id, account, tried_at) VALUES (\(newID()), \(account), \(now))")
      }
    }
  }

  /// After a right password: nothing counted, nothing locked.
  func forgiveTries(_ account: String) throws {
    try tx.execute("UPDATE staff_guard SET locked_until = NULL WHERE account = \(account)")
    try tx.execute("DELETE FROM staff_try WHERE account = \(account)")
  }

  func sweep(before horizon: Instant, now: Instant, limit: Int) throws -> Int {
    let tries = try tx.execute(
      "DELETE FROM staff_try WHERE id IN (SELECT id FROM staff_try WHERE tried_at <= \(horizon) LIMIT \(limit))")
    let guards = try tx.execute(
      """
      DELETE FROM staff_guard WHERE account IN
        (SELECT account FROM staff_guard
         WHERE held_at <= \(horizon) AND (locked_until IS NULL OR locked_until <= \(now)) LIMIT \(limit))
      """)
    return tries + guards
  }

  static func text(_ permissions: Set<StaffPermission>) -> String {
    permissions.sorted().map(\.rawValue).joined(separator: " ")
  }

  private func row(_ row: SQLRow) throws -> Row {
    let languages: String = try row.get("languages")
    let permissions: String = try row.get("permissions")
    return Row(
      id: try row.get("id"), tenant: try row.get("tenant"), account: try row.get("account"),
      sealedProfile: try row.get("sealed_profile"), gender: try row.get("gender"),
      languages: languages.split(separator: " ").map(String.init),
      permissions: Set(permissions.split(separator: " ").map { StaffPermission(rawValue: String($0)) }),
      passwordHash: try row.get("password_hash"), isActive: try row.get("is_active"),
      createdAt: try row.get("created_at"))
  }
}
