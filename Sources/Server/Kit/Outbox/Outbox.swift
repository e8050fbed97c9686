import Foundation
import Storage

/// The list of effects that a committed transaction still owes the outside world.
///
/// A row is written in the transaction that decided on the effect and deleted only after the effect was performed,
/// so an effect happens at least once and its handler must bear repetition.
package struct Outbox: Sendable {
  /// Wakes the worker of this process after commit; polling is the net.
  package let bell: WorkBell
  let world: World

  package init(world: World, bell: WorkBell) {
    self.world = world
    self.bell = bell
  }

  /// - Parameters:
  ///   - topic: which handler performs it, `room.effect`.
  ///   - subject: the id of what it is about.
  ///   - payload: what the handler needs beside the subject. Never a secret in clear.
  package func enqueue(
    _ topic: String, subject: String, payload: String = "", dueAt: Instant? = nil, in tx: any SQLTransaction
  ) throws {
    let now = world.now()
    try OutboxStore(tx).insert(
      OutboxItem(
        id: .init(world), topic: topic, subject: subject, payload: payload, attempts: 0, enqueuedAt: now),
      dueAt: dueAt ?? now)
    let bell = bell
    tx.afterCommit { bell.ring() }
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
}
