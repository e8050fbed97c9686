// SPDX-License-Identifier: Apache-2.0

/// A named set of permissions, as administrators give them. What a member may do is the permissions alone: a role is a
/// way to choose them, and a member has a role who has all of its permissions.
package enum StaffRole: String, Sendable, CaseIterable {
  case agent, reviewer, compliance, support, teller, controller, supervisor, `operator`, maintainer, auditor, analyst,
    administrator

  package var permissions: Set<StaffPermission> {
    switch self {
    case .agent: [.attendVideo, .readCustomers, .chatCustomers]
    case .reviewer: [.readCustomers, .attendVideo]
    case .compliance: Self.named("read:customers", "decide:aml", "manage:cases", "erase:customers")
    case .support: Self.named("read:customers", "chat:customers", "block:users")
    case .teller: [.postMoney]
    case .controller: [.approveMoney]
    case .supervisor: Self.named("read:customers", "manage:cases", "approve:verdicts")
    case .operator: Self.named("read:webhooks", "redeliver:webhooks", "manage:tenants")
    case .maintainer: Self.named("manage:outbox")
    case .auditor: Self.named("read:customers", "read:webhooks", "read:audit")
    case .analyst: Self.named("read:figures")
    case .administrator: [.manageStaff]
    }
  }

  private static func named(_ names: String...) -> Set<StaffPermission> {
    Set(names.map(StaffPermission.init(rawValue:)))
  }

  package static func permissions(of roles: Set<StaffRole>) -> Set<StaffPermission> {
    roles.reduce(into: []) { $0.formUnion($1.permissions) }
  }
}

extension StaffMember {
  /// In the order of the cases. A role that is a part of another one of theirs is left out: every agent would be a
  /// reviewer too.
  package var roles: [StaffRole] {
    let held = StaffRole.allCases.filter { permissions.isSuperset(of: $0.permissions) }
    return held.filter { role in !held.contains { role.permissions.isStrictSubset(of: $0.permissions) } }
  }

  /// What the member may do beside the roles.
  package var otherPermissions: Set<StaffPermission> {
    permissions.subtracting(StaffRole.permissions(of: Set(roles)))
  }
}
