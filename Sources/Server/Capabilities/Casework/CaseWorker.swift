// SPDX-License-Identifier: Apache-2.0

import Identity
import Kit

/// Who works on cases: a member of staff of an institution, or an operator at the installation's own terminal.
package struct CaseWorker: Sendable {
  /// The institution.
  package let desk: String
  /// How audit lines name them.
  package let actor: String
  /// Nil for an operator.
  package let member: StaffMember?

  package init(_ member: StaffMember) { (desk, actor, self.member) = (member.tenant, member.actor, member) }

  package init(operator actor: String, at desk: String) { (self.desk, self.actor, member) = (desk, actor, nil) }

  package var isManager: Bool { member.map { $0.permissions.contains(.manageCases) } ?? true }

  package func may(_ kind: CaseKind) -> Bool {
    guard let member else { return true }
    return isManager || kind.permissions.contains { member.permissions.contains($0) }
  }

  /// The audit chain that lines about their looks belong to.
  var chain: String { member?.id.rawValue ?? actor }

  /// The kinds that they may see and hold.
  package var kinds: [CaseKind] { CaseKind.known.filter(may) }

  /// The kinds that they are given to decide: who manages cases sees also what others have to decide.
  var ownKinds: [CaseKind] {
    guard let member else { return kinds }
    return kinds.filter { $0.permissions.contains(where: member.permissions.contains) }
  }
}
