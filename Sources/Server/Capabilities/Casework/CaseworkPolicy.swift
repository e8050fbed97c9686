// SPDX-License-Identifier: Apache-2.0

import Kit

/// What an institution decides about the work of its staff.
package struct CaseworkPolicy: Sendable {
  /// The institutions whose staff work here, by their ids.
  package var institutions: [String]
  /// Who works on the cases of tenants that have no staff of their own, such as those of Finaptic; nil leaves them to
  /// operators.
  package var otherDesk: String?
  /// How long a case of a kind may wait; kinds that are missing wait as `CaseKind` has it.
  package var patience: [CaseKind: Duration] = [:]
  /// How long a closed case is kept with its notes.
  package var retention = Duration.days(400)

  /// - Parameter otherDesk: the only institution unless it is named.
  package init(institutions: [String], otherDesk: String? = nil) {
    self.institutions = institutions
    self.otherDesk = otherDesk ?? (institutions.count == 1 ? institutions.first : nil)
  }

  /// Whose staff work on the cases of a tenant; empty where the installation names none.
  package func desk(of tenant: String) -> String { institutions.contains(tenant) ? tenant : otherDesk ?? "" }

  /// Whose rows the staff of an institution look up.
  package func scope(of desk: String) -> TenantScope {
    desk == otherDesk ? .allBut(institutions.filter { $0 != desk }) : .only(desk)
  }

  func dueAt(_ kind: CaseKind, openedAt: Instant) -> Instant {
    openedAt + (patience[kind] ?? kind.standardPatience)
  }
}
