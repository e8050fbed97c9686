// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// The list of effects that a committed transaction still owes the outside world.
///
/// A row is written in the transaction that decided on the effect and deleted only after the effect was performed,
/// so an effect happens at least once and its handler must be idempotent.
package struct Outbox: Sendable {
  /// Wakes the workers of every node after commit; polling is the net.
  package static let signal = "outbox"

  let world: World

  package init(world: World) { self.world = world }

  /// - Parameters:
  ///   - topic: which handler performs it, `system.effect`.
  ///   - subject: the id of what it is about.
  ///   - payload: what the handler needs beside the subject. Never a secret in clear.
  ///   - dueAt: nil is at once, whatever the clock of the node that takes it says.
  package func enqueue(
    _ topic: String, subject: String, payload: String = "", dueAt: Instant? = nil, in tx: any SQLTransaction
  ) throws {
    let now = world.now()
    try OutboxStore(tx).insert(
      OutboxItem(
        id: .init(world), topic: topic, subject: subject, payload: payload, attempts: 0, enqueuedAt: now,
        origin: tx.origin),
      dueAt: dueAt)
    // Also for a later row: a worker that sleeps until something else is due has to learn of it.
    tx.signal(Self.signal)
  }
}

/// One owed effect, as its handler sees it.
package struct OutboxItem: Sendable {
  package typealias ID = Identifier<OutboxItem>
  package let id: ID
  package let topic: String
  package let subject: String
  package let payload: String
  /// How often it was begun before.
  package let attempts: Int
  package let enqueuedAt: Instant
  /// When it was begun for the first time, since an operator let it go if one did; nil before that.
  let triedSince: Instant?
  /// How often in a row a worker began it and was not heard of again.
  let takeovers: Int
  /// What its transaction was part of: a `traceparent` (W3C Trace Context), or nil.
  package let origin: String?

  package init(
    id: ID, topic: String, subject: String, payload: String, attempts: Int, enqueuedAt: Instant,
    triedSince: Instant? = nil, takeovers: Int = 0, origin: String?
  ) {
    self.id = id
    self.topic = topic
    self.subject = subject
    self.payload = payload
    self.attempts = attempts
    self.enqueuedAt = enqueuedAt
    self.triedSince = triedSince
    self.takeovers = takeovers
    self.origin = origin
  }
}
