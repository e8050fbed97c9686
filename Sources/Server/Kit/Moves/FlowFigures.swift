// SPDX-License-Identifier: Apache-2.0

import Storage
import Synchronization

/// How subjects go through the flows: how often each row of a transition table moved one on each day, and how long they
/// had been in the state that they left. It holds no person: ids are kept only while a subject is under way.
///
/// A move appends one row, so that moves of different subjects never wait for one another. A job adds those rows up.
package struct FlowFigures: Sendable {
  /// Rows that one transaction adds up.
  static let batchMax = 500
  /// Transactions of one run.
  static let batchesMax = 200
  /// How long the figures of a day are kept, and the place of a subject that does not go on.
  static let lifetime = Duration.days(800)
  private static let day: Int64 = 24 * 3600 * 1000

  private let database: any SQLDatabase
  private let world: World
  /// The flows that are counted.
  private let flows: Set<String>
  private let order = Order()

  /// Numbers the moves of this process, because one transaction can make several in a millisecond.
  private final class Order: Sendable {
    private let last = Mutex<Int64>(0)

    func next() -> Int64 {
      last.withLock {
        $0 += 1
        return $0
      }
    }
  }

  package init(database: any SQLDatabase, world: World, flows: Set<String>) {
    (self.database, self.world, self.flows) = (database, world, flows)
  }

  /// The days in UTC from one to another since 1970, both included.
  package static func days(ending now: Instant, count: Int) -> ClosedRange<Int64> {
    let last = now.milliseconds / day
    return (last - Int64(max(1, count)) + 1)...last
  }

  /// One row of a transition table, over some days.
  package struct Row: Sendable, Equatable {
    package let flow: String
    package let from: String
    package let event: String
    package let to: String
    /// Whether no row leaves the state that it leads to.
    package let isLast: Bool
    /// How often it moved a subject.
    package let moves: Int
    /// Of those, how many had a known time in the state before, and all of that time.
    package let timed: Int
    package let time: Duration
  }

  func counts(_ flow: String) -> Bool { flows.contains(flow) }

  /// Keeps a move, in its transaction.
  func note(_ move: FlowMove, in tx: any SQLTransaction) throws {
    guard counts(move.flow) else { return }
    let now = world.now()
    // Ids are in the order in which the moves of a subject were made.
    let id = "\(Self.digits(now.milliseconds))-\(Self.digits(order.next()))-\(world.randomUUID())"
    try FlowFigureStore(tx).append(move, id: id, at: now)
  }

  private static func digits(_ number: Int64) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, 15 - text.count)) + text
  }

  /// Every row that moved something on these days.
  /// - Parameter tenant: whose subjects count; nil counts all, also those from before figures named a tenant.
  package func rows(of days: ClosedRange<Int64>, tenant: String? = nil) async throws -> [Row] {
    try await database.read { try FlowFigureStore($0).rows(days, tenant: tenant) }
  }

  /// Whose subjects moved on these days, in the order of their names.
  package func tenants(of days: ClosedRange<Int64>) async throws -> [String] {
    try await database.read { try FlowFigureStore($0).tenants(days) }
  }

  /// The same of the last thirty days, for the metrics.
  package func recent() async throws -> [Row] { try await rows(of: Self.days(ending: world.now(), count: 30)) }

  /// Adds up what moves appended since.
  package func addUp() async throws {
    for _ in 0..<Self.batchesMax {
      let count = try await database.write(retrying: .outdatedOrDuplicate) { tx in
        let store = FlowFigureStore(tx)
        let moves = try store.take(Self.batchMax)
        try Self.addUp(moves, in: store)
        return moves.count
      }
      if count < Self.batchMax { return }
    }
  }

  /// Forgets how far a subject had come, for an erasure. The figures stay, because they hold no identifier.
  /// - Parameter story: as of `FlowMove.story`.
  package static func forget(_ story: String, in tx: any SQLTransaction) throws {
    try FlowFigureStore(tx).forget(story)
  }

  private struct Sum {
    var moves = 0
    var timed = 0
    var milliseconds: Int64 = 0

    mutating func add(_ other: Sum) {
      (moves, timed, milliseconds) = (
        moves + other.moves, timed + other.timed, milliseconds + other.milliseconds
      )
    }
  }

  private static func addUp(_ kept: [FlowFigureStore.PendingMove], in store: FlowFigureStore) throws {
    var sums: [FlowFigureStore.Key: Sum] = [:]
    var places = try store.places(of: Array(Set(kept.compactMap(\.move.story))))
    var changed: Set<FlowFigureStore.Subject> = []
    for one in kept {
      let (move, at) = (one.move, one.at)
      var sum = Sum()
      sum.moves += 1
      if let story = move.story {
        let subject = FlowFigureStore.Subject(flow: move.flow, story: story)
        let place = places[subject]
        if let place, place.step == move.from, place.since <= at {
          sum.timed += 1
          sum.milliseconds += (at - place.since).milliseconds
        }
        // A move that leads back to its own state is no new stay.
        if move.from != move.to || place?.step != move.to { places[subject] = (move.to, at) }
        if move.isLast { places[subject] = nil }
        changed.insert(subject)
      }
      // Once for all, and once for whose it is.
      for tenant in Set(["", move.tenant ?? ""]) {
        let key = FlowFigureStore.Key(
          day: at.milliseconds / day, tenant: tenant, flow: move.flow, from: move.from, event: move.event,
          to: move.to, isLast: move.isLast)
        sums[key, default: Sum()].add(sum)
      }
    }
    for subject in changed.sorted() { try store.set(places[subject], of: subject) }
    for key in sums.keys.sorted() {
      guard let sum = sums[key] else { continue }
      try store.add(moves: sum.moves, timed: sum.timed, milliseconds: sum.milliseconds, to: key)
    }
  }

  /// Deletes what is too old, up to `limit` rows of each kind.
  package func sweep(limit: Int, in tx: any SQLTransaction) throws -> Int {
    let before = world.now() - Self.lifetime
    return try FlowFigureStore(tx).sweep(before: before, day: before.milliseconds / Self.day, limit: limit)
  }
}

/// A move of a flow, as the figures keep it.
package struct FlowMove: Sendable {
  let flow: String
  let from: String
  let event: String
  let to: String
  /// The audit chain that the line of the move belongs to; nil where the move has no line of its own.
  let story: String?
  /// Whether no row of the table leaves the new state.
  let isLast: Bool
  /// Whose subject it is; nil where the flow does not say.
  var tenant: String?
}
