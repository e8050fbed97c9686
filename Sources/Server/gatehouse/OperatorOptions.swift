// SPDX-License-Identifier: Apache-2.0

import Activations
import ArgumentParser
import Foundation
import GatehouseApp
import Identity

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Who gives a command, as the audit log names them.
struct OperatorOptions: ParsableArguments {
  @Option(
    help: "Who acts: id or e-mail address of a member of staff with the permission (default: this machine's user).")
  var agent: String?

  /// - Parameter tenant: whose staff may act. Tenants of Finaptic and banks of Salt Edge have no staff of their own:
  ///   for them, and for nil, every institution of the installation counts.
  /// - Throws: `Problem` forbidden for anyone but an active member with the permission.
  func actor(in app: App, may permission: StaffPermission, of tenant: String? = nil) async throws -> String {
    guard let agent else { return Self.machineUser }
    return try await app.staff.acting(agent, of: Self.institutions(of: tenant, in: app), may: permission).actor
  }

  /// The institutions whose staff count for a tenant.
  static func institutions(of tenant: String?, in app: App) -> [String] {
    let all = app.tenants.all.map(\.id)
    return all.contains { $0 == tenant } ? all.filter { $0 == tenant } : all
  }

  /// The user of the operating system, also behind `sudo`.
  static let machineUser = MachineUser.actor
}

extension StaffPermission {
  static let eraseCustomers = StaffPermission(rawValue: "erase:customers")
}

extension ActivationActor {
  /// This machine's user.
  static let machineUser = ActivationActor(OperatorOptions.machineUser)
}
