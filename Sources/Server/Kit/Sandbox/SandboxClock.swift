// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// The clock of a sandbox: that of the machine, and ahead of it by what the store says. Every process with that store
/// reads how far, so that what the sandbox waits months for happens when a person asks for it.
///
/// Only `World.now` goes ahead. What is compared with clocks of other machines stays with `World.wall`.
package final class SandboxClock: Sendable {
  /// The job by which a process learns that another one moved it.
  package static let job = "sandbox-clock"

  /// Milliseconds.
  private let ahead = Atomic<Int64>(0)
  private let isTravelling = Atomic<Bool>(false)

  package init() {}

  /// By how much it is ahead, as this process read it last.
  package var lead: Duration { .milliseconds(ahead.load(ordering: .relaxed)) }

  /// The world of a sandbox.
  /// - Parameter machine: whose clock this one is ahead of.
  package func world(over machine: World) -> World {
    World(
      now: { [self] in machine.now() + lead }, wall: machine.wall, random: machine.random, ticks: machine.ticks)
  }

  /// Reads how far ahead the store says that it is. What was read before a move leaves the clock where it is: it never
  /// goes back.
  package func refresh(from database: any SQLDatabase) async throws {
    let stored = try await database.read { try SandboxClockStore($0).lead() }
    ahead.max(stored.milliseconds, ordering: .relaxed)
  }

  /// Lets one journey at a time go on in this process: what one step makes due happens before the next step.
  /// - Throws: `Problem` conflict while another one goes on; what `journey` throws.
  package func alone<Result: Sendable>(_ journey: () async throws -> Result) async throws -> Result {
    guard !isTravelling.exchange(true, ordering: .acquiringAndReleasing) else { throw Self.wasMoved }
    defer { isTravelling.store(false, ordering: .releasing) }
    return try await journey()
  }

  /// Moves the clock of every process with this store; the others follow when they refresh.
  /// - Parameters:
  ///   - span: more than nothing. A clock never goes back: rows would be of the future.
  ///   - known: where the caller takes it to be; nil is where this process read it last.
  ///   - record: writes down, in the same transaction, that it was moved.
  /// - Throws: `Problem` conflict when it was moved meanwhile, not found when the store has customers.
  package func advance(
    by span: Duration, from known: Duration? = nil, in database: any SQLDatabase,
    record: @escaping @Sendable (any SQLTransaction) throws -> Void = { _ in }
  ) async throws {
    precondition(span > .zero, "A clock never goes back.")
    let known = known ?? lead
    try await database.write(retrying: .outdatedOrDuplicate) { tx in
      let store = SandboxClockStore(tx)
      guard try !store.hasCustomers() else {
        throw Problem(.notFound, "not-found", "This store has customers: its clock is the machine's.")
      }
      guard try store.advance(from: known, to: known + span) else { throw Self.wasMoved }
      try record(tx)
    }
    ahead.max((known + span).milliseconds, ordering: .relaxed)
  }

  private static var wasMoved: Problem {
    Problem(.conflict, "clock-moved", "The clock was moved by another one meanwhile: ask again.")
  }
}
