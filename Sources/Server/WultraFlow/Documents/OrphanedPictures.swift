// SPDX-License-Identifier: Apache-2.0

import Kit
import Storage

/// Pictures that are stored before the row that names them. Each is announced in a transaction before it is stored, so
/// that one whose row never comes, because the request was refused or the process died, is gone within the hour.
struct OrphanedPictures: Sendable {
  static let topic = "wultra.deleteStray"
  /// How long after its announcement a picture may get its row.
  static let patience = Duration.minutes(10)
  /// When an announced picture is looked for. Well after `patience`: clocks of nodes differ.
  static let delay = Duration.minutes(30)

  let core: CoreDependencies

  /// - Returns: when it was announced, for `requireTimely`.
  func announce(_ keys: [String], in tx: any SQLTransaction) throws -> Instant {
    let now = core.world.now()
    guard let first = keys.first else { return now }
    try core.outbox.enqueue(
      Self.topic, subject: first, payload: keys.joined(separator: " "), dueAt: now + Self.delay, in: tx)
    return now
  }

  /// Before a row names what was announced: it must not be on its way out.
  /// - Throws: `Problem` unavailable.
  func requireTimely(_ announced: Instant) throws {
    guard core.world.now() < announced + Self.patience else { throw Problem.unavailable }
  }

  @Sendable
  func perform(_ item: OutboxItem) async throws {
    let keys = item.payload.split(separator: " ").map(String.init)
    let named = try await core.database.read { try WultraBlobStore.referenced(keys, in: $0) }
    for key in keys where !named.contains(key) { try await core.blobs.delete(key) }
  }
}
