// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

extension Staff {
  /// What stands in place of a hash where a member came by a provider: no hash, so that no password is right.
  private static let providerPassword = "openid"

  func has(email: String, tenant: String, in tx: any SQLTransaction) throws -> Bool {
    try StaffStore(tx).find(account: account(email, tenant: tenant)) != nil
  }

  /// A member whom a provider named. They have no password.
  /// - Throws: `Problem` validation; `SQLError.notUnique` when the tenant has a member with this address.
  func addByProvider(
    email: String, name: String, gender: StaffMember.Gender, languages: [String], permissions: Set<StaffPermission>,
    tenant: String, by actor: String, in tx: any SQLTransaction
  ) throws -> StaffMember {
    try StaffRules.check(tenant: tenant, email: email, name: name, languages: languages, permissions: permissions)
    let member = StaffMember(
      id: .init(core.world), tenant: tenant, email: email, name: name, gender: gender, languages: languages,
      permissions: permissions, isActive: true, createdAt: core.world.now())
    try StaffStore(tx).insert(try row(member, hash: Self.providerPassword))
    try core.audit.append(
      "staff.added", to: member.id.rawValue, by: actor,
      facts: ["tenant": tenant, "permissions": StaffStore.text(permissions)], in: tx)
    return member
  }
}
