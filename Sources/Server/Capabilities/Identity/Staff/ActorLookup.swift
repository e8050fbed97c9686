// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Who acts for an institution, by the names of the audit log: members of staff and service clients, those too who may
/// do nothing any more.
package struct ActorLookup {
  private let tx: any SQLTransaction

  package init(_ tx: any SQLTransaction) { self.tx = tx }

  /// - Parameter actor: as audit lines name them.
  package func contains(_ actor: String) throws -> Bool {
    if let id = StaffMember.id(ofActor: actor) { return try StaffStore(tx).find(id) != nil }
    guard actor.hasPrefix(ServiceClient.actorPrefix) else { return false }
    let client = ServiceClient.ID(rawValue: String(actor.dropFirst(ServiceClient.actorPrefix.count)))
    return try ServiceClientStore(tx).find(client) != nil
  }

  /// The one of an id alone; nil for an id of whom else it may be.
  package func named(_ id: String) throws -> String? {
    try [StaffMember.actorPrefix, ServiceClient.actorPrefix].map { $0 + id }.first { try contains($0) }
  }
}
