// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What a member of staff may do at this moment: for what was said earlier in their name and takes effect now.
package struct StaffPermissions {
  private let store: StaffStore

  package init(_ tx: any SQLTransaction) { store = StaffStore(tx) }

  /// Whether they are an active member of an institution with a permission. A suspension at the same time either is
  /// seen, or comes after this transaction.
  /// - Parameters:
  ///   - actor: as audit lines name them; the answer is false for an actor who is no member of staff.
  ///   - tenant: the institution; nil is whichever they are of.
  ///   - locking: false only to show it, where nothing takes effect: a transaction that reads cannot lock.
  package func may(
    _ actor: String, _ permission: StaffPermission, at tenant: String?, locking: Bool = true
  ) throws -> Bool {
    guard let id = StaffMember.id(ofActor: actor), let row = try locking ? store.held(id) : store.find(id) else {
      return false
    }
    return row.isActive && (tenant == nil || row.tenant == tenant) && row.permissions.contains(permission)
  }
}
