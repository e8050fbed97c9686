// SPDX-License-Identifier: Apache-2.0

import Foundation
import Kit
import Storage

/// How a newcomer gets into a sandbox: by a link that the program prints, without a password.
extension StaffAdministration {
  package static let firstRunLifetime = Duration.minutes(15)
  /// Whom the link signs in. The account has no password, and is made when the link is used.
  private static let firstRunAddress = "first.administrator@sandbox.example"

  /// - Returns: the token of a link that counts once; nil where the tenant has an administrator with a password, or
  ///   whose first one was suspended.
  package func firstRun(tenant: String) async throws -> String? {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard try isOpen(tenant, in: tx) else { return nil }
      let token = Data(core.world.random(32)).base64URL
      try StaffDeskStore(tx).setFirstRun(
        tokenDigest(token), of: tenant, until: core.world.now() + Self.firstRunLifetime)
      return token
    }
  }

  /// Spends the link of a first run.
  /// - Parameter actor: who adds the first administrator: the operator who started the program that printed the link.
  /// - Returns: whom it signs in.
  /// - Throws: `Problem` gone.
  package func enter(_ token: String, by actor: String) async throws -> StaffMember {
    try await core.database.write(retrying: .outdatedOrDuplicate) { [self] tx in
      guard token.utf8.count <= 128,
        let tenant = try StaffDeskStore(tx).spendFirstRun(tokenDigest(token), at: core.world.now()),
        try isOpen(tenant, in: tx)
      else { throw Self.over }
      if let known = try known(tenant, in: tx) { return known }
      return try staff.addInvited(
        email: Self.firstRunAddress, name: "First Administrator", gender: .female, languages: ["en"],
        permissions: StaffRole.permissions(of: Set(StaffRole.allCases)), tenant: tenant, by: actor,
        facts: ["reason": "first-run"], in: tx)
    }
  }

  private func known(_ tenant: String, in tx: any SQLTransaction) throws -> StaffMember? {
    try staff.list(tenant: tenant, in: tx).first { $0.member.email == Self.firstRunAddress }?.member
  }

  private func isOpen(_ tenant: String, in tx: any SQLTransaction) throws -> Bool {
    let hasAdministrator = try staff.list(tenant: tenant, in: tx).contains {
      $0.status == .active && $0.member.permissions.contains(.manageStaff)
    }
    return try !hasAdministrator && known(tenant, in: tx)?.isActive != false
  }
}
