// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

extension Staff {
  package static let deskMigration = StaffDeskStore.migration

  /// What stands where a member has no password: no hash, so that no password is right.
  private static let noPassword = "none"
  /// What stands in place of the hash after a reset.
  private static let voidPassword = "void"

  /// Everybody of a tenant, the oldest first.
  func list(
    tenant: String, in tx: any SQLTransaction
  ) throws -> [(member: StaffMember, status: StaffAdministration.Entry.Status)] {
    try StaffStore(tx).list(tenant: tenant).map { (try member($0), Self.status($0)) }
  }

  func entry(
    _ id: StaffMember.ID, in tx: any SQLTransaction
  ) throws -> (member: StaffMember, status: StaffAdministration.Entry.Status)? {
    try StaffStore(tx).find(id).map { (try member($0), Self.status($0)) }
  }

  private static func status(_ row: StaffStore.Row) -> StaffAdministration.Entry.Status {
    if !row.isActive { return .suspended }
    return row.passwordHash == noPassword ? .invited : .active
  }

  /// A member who sets the first password by a link.
  /// - Throws: `Problem` validation; `SQLError.notUnique` when the tenant has a member with this address.
  func addInvited(
    email: String, name: String, gender: StaffMember.Gender, languages: [String], permissions: Set<StaffPermission>,
    tenant: String, by actor: String, facts: [String: String], in tx: any SQLTransaction
  ) throws -> StaffMember {
    try StaffRules.check(tenant: tenant, email: email, name: name, languages: languages, permissions: permissions)
    let member = StaffMember(
      id: .init(core.world), tenant: tenant, email: email, name: name, gender: gender, languages: languages,
      permissions: permissions, isActive: true, createdAt: core.world.now())
    try StaffStore(tx).insert(try row(member, hash: Self.noPassword))
    try core.audit.append(
      "staff.invited", to: member.id.rawValue, by: actor,
      facts: facts.merging(["tenant": tenant, "permissions": StaffStore.text(permissions)]) { one, _ in one }, in: tx)
    return member
  }

  /// No password is right from now on, and every session ends.
  func voidPassword(of id: StaffMember.ID, in tx: any SQLTransaction) throws {
    // One who never had a password stays invited.
    if try entry(id, in: tx)?.status != .invited { try StaffStore(tx).setPasswordHash(Self.voidPassword, of: id) }
    try StaffFactorStore(tx).deleteEnrolments(of: id)
    try SessionStore(tx).revokeAll(of: id.rawValue, at: core.world.now())
  }

  /// - Throws: `Problem` validation.
  func hash(_ password: String, for member: StaffMember) async throws -> PasswordHash {
    try StaffRules.check(password: password, of: member)
    return try await hashed(password)
  }

  // MARK: Settings

  /// The language that a member chose for the pages; nil leaves it to the browser.
  package func displayLanguage(of id: StaffMember.ID) async throws -> String? {
    try await core.database.read { try StaffDeskStore($0).language(of: id) }
  }

  package func setDisplayLanguage(_ language: String?, of id: StaffMember.ID) async throws {
    try await core.database.write(retrying: .outdated) { try StaffDeskStore($0).setLanguage(language, of: id) }
  }
}
