// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

extension Webhooks {
  private static let mendedMax = 1000

  /// Resumes endpoints that are owed something and have no worker left: workers crashed while they held its effect
  /// so often that its effect was set aside.
  func mend() async throws {
    let horizon = world.now() - policy.waitMax
    let ids = try await database.read { [vault] in
      try WebhookDeliveryStore($0, vault: vault).waiting(since: horizon, limit: Self.mendedMax)
    }
    for id in ids {
      try await database.write(.readCommitted) { [self] tx in
        _ = try WebhookTurnStore(tx).lock(id)
        let (store, owed) = (WebhookDeliveryStore(tx, vault: vault), OutboxStore(tx))
        for holder in try store.holders(of: id) {
          if try !owed.isOwed(holder) { try store.release(id, from: holder) }
        }
        // One that is owed may be for later; one too many ends at once.
        try owe(id, in: tx)
      }
    }
  }
}
