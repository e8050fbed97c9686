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

  package init() {}

  /// By how much it is ahead, as this process read it last.
  package var lead: Duration { .milliseconds(ahead.load(ordering: .relaxed)) }

  /// The world of a sandbox.
  /// - Parameter machine: whose clock this one is ahead of.
  package func world(over machine: World) -> World {
    World(
      now: { [self] in machine.now() + lead }, wall: machine.wall, random: machine.random, ticks: machine.ticks)
  }

  /// Reads how far ahead the store says that it is.
  package func refresh(from database: any SQLDatabase) async throws {
    let stored = try await database.read { try SandboxClockStore($0).lead() }
    ahead.store(stored.milliseconds, ordering: .relaxed)
  }

  /// Moves the clock of every process with this store; the others follow when they refresh.
  /// - Parameters:
  ///   - span: more than nothing. A clock never goes back: rows would be of the future.
  ///   - record: writes down, in the same transaction, that it was moved.
  /// - Throws: `Problem` conflict when another process moved it meanwhile.
  package func advance(
    by span: Duration, in database: any SQLDatabase,
    record: @escaping @Sendable (any SQLTransaction) throws -> Void = { _ in }
  ) async throws {
    precondition(span > .zero, "A clock never goes back.")
    let known = lead
    try await database.write(retrying: .outdatedOrDuplicate) { tx in
      guard try SandboxClockStore(tx).advance(from: known, to: known + span) else {
        throw Problem(.conflict, "clock-moved", "The clock was moved by another process meanwhile: ask again.")
      }
      try record(tx)
    }
    ahead.store((known + span).milliseconds, ordering: .relaxed)
  }
}
