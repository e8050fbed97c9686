// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import GatehouseApp
import Identity

/// Who looks at customers by a command, as the audit log names them.
struct ReaderOptions: ParsableArguments {
  @Option(
    help: """
      Who looks: id or e-mail address of a member of staff with the permission. Needed as soon as there is such a \
      member.
      """)
  var agent: String?

  /// - Parameter tenant: whose staff may look, as `OperatorOptions` takes it.
  /// - Throws: `Problem` forbidden for anyone but an active member with the permission; `ValidationError` without a
  ///   name where there is such a member.
  func actor(in app: App, may permission: StaffPermission, of tenant: String? = nil) async throws -> String {
    let institutions = OperatorOptions.institutions(of: tenant, in: app)
    if let agent { return try await app.staff.acting(agent, of: institutions, may: permission).actor }
    try await app.requireNoMember(of: institutions, who: "with the permission \(permission.rawValue)") {
      $0.permissions.contains(permission)
    }
    return OperatorOptions.machineUser
  }
}

extension App {
  /// What shows customers names who looks, once there is a member of staff who may.
  /// - Parameter words: which members may, as the refusal tells it.
  /// - Throws: `ValidationError` when one of the institutions has an active member who may look.
  func requireNoMember(
    of institutions: [String], who words: String, _ mayLook: (StaffMember) -> Bool
  ) async throws {
    for institution in institutions {
      let members = try await staff.list(tenant: institution)
      guard !members.contains(where: { $0.isActive && mayLook($0) }) else {
        throw ValidationError("name who looks by --agent: an active member of staff \(words)")
      }
    }
  }
}
