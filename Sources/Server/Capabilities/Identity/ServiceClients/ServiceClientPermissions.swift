// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// What a service client may agree to at this moment: for what it said earlier and takes effect now.
package struct ServiceClientPermissions {
  private let store: ServiceClientStore

  package init(_ tx: any SQLTransaction) { store = ServiceClientStore(tx) }

  /// Whether it is a client that may call, with a scope that stands for the permission. A revocation at the same time
  /// either is seen, or comes after this transaction.
  /// - Parameters:
  ///   - actor: as audit lines name it; the answer is false for an actor that is no client.
  ///   - locking: as of `StaffPermissions.may`.
  package func may(_ actor: String, _ permission: StaffPermission, locking: Bool = true) throws -> Bool {
    guard actor.hasPrefix(ServiceClient.actorPrefix) else { return false }
    let id = ServiceClient.ID(rawValue: String(actor.dropFirst(ServiceClient.actorPrefix.count)))
    guard let client = try locking ? store.held(id) : store.find(id), client.revokedAt == nil else { return false }
    return client.scopes.contains { $0.agreesTo == permission }
  }
}

extension ServiceClient.Scope {
  /// The permission of a second person whose place a client of this scope takes; nil for all others.
  package var agreesTo: StaffPermission? { self == .approve ? .approveMoney : nil }
}
