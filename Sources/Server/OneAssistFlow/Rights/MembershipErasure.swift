// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import Kit
import Storage

/// Forgets what is personal about a membership. That there was one, and how it was decided, stays.
package struct MembershipErasure: Sendable {
  let core: CoreDependencies
  let devOutbox: DevOutbox?
  let erasures: SubjectErasures

  /// Forgets everything whose retention is over. A scheduled job.
  /// - Throws: the first thing that went wrong, when all others are forgotten.
  package func sweep() async throws {
    let now = core.world.now()
    try await core.database.forEachDue({ [core] page, tx in
      let store = MembershipStore(tx, vault: core.vault)
      return try page.items { try store.forgettable(at: now, limit: $0) }
    }) { try await erase($0, for: .retention, by: "system") }
  }

  /// First the pictures, then the rows that name them, and the key of both: killed in between, a repetition finds them
  /// again. Of a copy that was restored, of which nothing can be opened, the rows go the same way.
  /// - Throws: `Problem` not-found; conflict `membership-alive` while the membership is open or covered.
  package func erase(_ id: Membership.ID, for reason: ErasureReason, by actor: String) async throws {
    let keys = try await core.database.read { [self] tx -> [String] in
      guard let membership = try MembershipStore(tx, vault: core.vault).find(id) else { throw Problem.notFound }
      try check(membership)
      return try DocumentStore(tx).allIDs(of: id)
    }
    for key in keys { try await core.blobs.delete(key) }
    try await core.database.write(retrying: .outdated) { [self] tx in
      let store = MembershipStore(tx, vault: core.vault)
      guard var membership = try store.find(id), try store.isKept(id) else { return }
      try check(membership)
      let part = try erasures.part(
        of: membership.keySubject, objects: try DocumentStore(tx).allIDs(of: id).count, in: tx)
      (membership.content, membership.secondLastFour, membership.eraseAfter) = (.init(), nil, nil)
      try store.save(membership, at: core.world.now())
      try store.forget(id)
      let photos = try DocumentStore(tx).erase(of: id, at: core.world.now())
      try LinkStore(tx).deleteAll(of: id)
      try ScreenStore(tx, vault: core.vault).deleteAll(of: id)
      if try store.newest(customer: membership.customer, of: membership.partner).map(\.isErased) != false {
        try TokenStore(tx).deleteAll(of: membership.customer)
      }
      try core.idempotency.forget(owner: membership.customer, in: tx)
      try devOutbox?.forget(about: id.rawValue, in: tx)
      try MessageLog.forget(about: id.rawValue, vault: core.vault, in: tx)
      try core.cases.forget(person: id.rawValue, in: tx)
      try Webhooks.forget(about: id.rawValue, in: tx)
      try core.audit.note("erased", id, by: actor, ["photos": "\(photos)"], in: tx)
      try erasures.destroy([part], of: id.rawValue, for: reason, chains: [id.chain], in: tx)
    }
  }

  /// An open or covered membership is still needed. A day of erasure alone does not show that it ended: approval sets one.
  private func check(_ membership: Membership) throws {
    let isPast = [.approved, .queued].contains(membership.status) && membership.endsOn < core.today
    guard membership.hasEnded || isPast || membership.isErased else {
      throw Problem(.conflict, "membership-alive", "The membership has not ended.")
    }
  }
}
