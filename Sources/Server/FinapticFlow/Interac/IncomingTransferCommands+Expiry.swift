// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Ends transfers that were not taken in time. One whose content cannot be opened is handed over to the outbox, where
/// it becomes a dead letter that operators see by its topic and its number.
extension IncomingTransferCommands {
  static let expiry = "finaptic.interacExpiry"
  /// When the outbox has so many, no more are named until some of those were released or dropped.
  static let unopenableMax = 10_000

  /// The content cannot be opened: its key is gone, or its bytes were changed.
  struct Unopenable: FinalFailure {}

  /// Cancels transfers that were not taken in time.
  /// - Parameter unopenableMax: for tests.
  func sweep(unopenableMax: Int = Self.unopenableMax) async throws {
    let known = try await core.database.read {
      try OutboxStore($0).subjects(of: Self.expiry, limit: unopenableMax)
    }
    var named = known.count
    // What cannot be opened stays due: it must not hold up what stands behind it.
    try await core.database.forEachDue(paging: .behindLast) { [core] page, tx in
      try IncomingTransferStore(tx, vault: core.vault).overdue(
        at: core.world.now(), after: page.last, limit: page.limit)
    } do: { overdue in
      guard !known.contains(overdue.number.rawValue) else { return }
      do { try await expire(number: overdue.number) } catch  where error is Unopenable || error is VaultError {
        guard named < unopenableMax else { return }
        named += 1
        try await core.database.write(.readCommitted) { [core] tx in
          try core.outbox.enqueue(Self.expiry, subject: overdue.number.rawValue, in: tx)
        }
      }
    }
  }

  /// Once more, for one that could not be opened: at once, and whenever an operator releases it.
  /// - Throws: `Unopenable`, which makes a dead letter of it at once; `VaultError` for a data key that this process may
  ///   learn yet, which does so after a day.
  @Sendable
  func expire(_ item: OutboxItem) async throws {
    try await expire(number: .init(rawValue: item.subject))
  }

  /// Nothing when it was taken or ended meanwhile.
  private func expire(number: IncomingTransfer.Number) async throws {
    try await core.database.write(retrying: .outdated) { [self] tx in
      let store = IncomingTransferStore(tx, vault: core.vault)
      guard let bare = try store.bare(number), bare.expiresAt <= core.world.now(),
        incomingTransferFlow.allows(.expired, from: bare.status)
      else { return }
      guard var transfer = try store.opened(number) else { throw Unopenable() }
      try move(&transfer, on: .expired, by: "worker", in: tx)
    }
  }
}
