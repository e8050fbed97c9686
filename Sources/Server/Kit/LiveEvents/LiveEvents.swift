// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// The events of a topic, in order, for those who follow it: server-sent events, conversations, status waits.
///
/// Events are rows; a signal only wakes. Sequence numbers of a topic have no gaps and become visible in their order, so
/// a reader who resumes after the last number that they saw misses nothing and repeats nothing, on any node.
package struct LiveEvents: Sendable {
  /// How long an event can be caught up with.
  package static let lifetime = Duration.hours(24)
  /// How many events are read at once.
  package static let pageMax = 100
  /// How long a reader sleeps without a signal: where a query is a round trip, thousands of readers query seldom.
  package static func pollInterval(of database: any SQLDatabase) -> Duration {
    database.queryIsTrip ? .seconds(10) : .seconds(2)
  }
  /// How many topics one sweep goes through.
  package static let sweptTopicsMax = 500

  let database: any SQLDatabase
  let world: World
  let pollInterval: Duration

  /// - Parameter pollInterval: nil is as the store has it.
  package init(database: any SQLDatabase, world: World, pollInterval: Duration? = nil) {
    self.database = database
    self.world = world
    self.pollInterval = pollInterval ?? Self.pollInterval(of: database)
  }

  static func signal(_ topic: String) -> String { "live:\(topic)" }

  /// Publishes with the transaction: not at all when it rolls back. Publishers of one topic wait for one another from
  /// here to their commit.
  /// - Parameters:
  ///   - topic: who may follow it is the caller's to decide. Ids, never a name or an address.
  ///   - kind: what happened, as the reader's protocol calls it.
  ///   - payload: kept as it is given; what is personal, the caller seals.
  /// - Returns: its number: the one of the event before it and 1.
  @discardableResult
  package func publish(
    _ kind: String, payload: Data = Data(), to topic: String, in tx: any SQLTransaction
  ) throws -> Int64 {
    let sequence = try LiveEventStore(tx).insert(kind, payload: payload, to: topic, at: world.now())
    tx.signal(Self.signal(topic))
    return sequence
  }

  /// The number of the last event: read in the transaction that reads a state, it is where to follow on from that
  /// state. Where to follow on from also when there was none.
  package func position(of topic: String, in tx: any SQLTransaction) throws -> Int64 {
    try LiveEventStore(tx).head(of: topic).sequence
  }

  /// Follows a topic without end; a cancelled reader's sequence ends.
  /// - Parameter sequence: the last number that was seen; nil begins with whatever is still kept.
  package func subscribe(_ topic: String, after sequence: Int64?) -> LiveSubscription {
    LiveSubscription(events: self, topic: topic, after: sequence)
  }

  /// What is new, as soon as there is something; no events when nothing came within `limit`. For a status that is
  /// asked for again and again.
  package func wait(_ topic: String, after sequence: Int64?, atMost limit: Duration) async throws -> LivePage {
    do {
      return try await Deadline.run(limit) {
        var reader = subscribe(topic, after: sequence).makeAsyncIterator()
        return try await reader.nextPage() ?? .events([])
      }
    } catch is Deadline.Exceeded {
      return .events([])
    }
  }

  /// One page of what there is now, and the position behind it.
  func page(_ topic: String, after sequence: Int64?) async throws -> (page: LivePage, position: Int64) {
    // A transaction is three trips: most of those who look find that nothing is new.
    if database.queryIsTrip, let sequence,
      let head = try await database.query(LiveEventStore.headQuestion(topic)).first.map(LiveEventStore.head),
      head.sequence == sequence
    {
      return (.events([]), sequence)
    }
    return try await database.read { try LiveEventStore($0).page(of: topic, after: sequence, limit: Self.pageMax) }
  }

  /// Deletes a topic with all that is known of it, with the transaction that ends what it was about. Readers who had
  /// not seen everything are told that it is gone, and the next event that is published to it begins a new one: its
  /// numbers are above all that were ever given in it.
  package func forget(_ topic: String, in tx: any SQLTransaction) throws {
    if try LiveEventStore(tx).forget(topic, onlyEmpty: false) { tx.signal(Self.signal(topic)) }
  }

  /// Deletes what is older than its lifetime, and topics of which nothing is left. Run regularly by the scheduler.
  /// - Returns: how many topics had events that were too old.
  @discardableResult
  package func sweep(limit: Int = Self.sweptTopicsMax) async throws -> Int {
    let before = world.now() - Self.lifetime
    let topics = try await database.read { try LiveEventStore($0).old(before: before, limit: limit) }
    // One by one: a publisher waits for one topic's sweep at most.
    for (topic, sequence) in topics {
      try await database.write(.readCommitted) { try LiveEventStore($0).delete(topic, through: sequence) }
    }
    for topic in try await database.read({ try LiveEventStore($0).empty(limit: limit) }) {
      _ = try await database.write(.readCommitted) { try LiveEventStore($0).forget(topic, onlyEmpty: true) }
    }
    return topics.count
  }
}

/// Something that happened in a topic.
package struct LiveEvent: Sendable, Equatable {
  package let topic: String
  /// Its place in the topic, which begins with 1 or, when it is not the first of its name, above it.
  package let sequence: Int64
  package let kind: String
  package let payload: Data
  package let publishedAt: Instant
}

/// What a reader finds after its position.
package enum LivePage: Sendable, Equatable {
  /// In order and without a gap; none when there is nothing new.
  case events([LiveEvent])
  /// What came after the position is not kept any more: load the state and follow from there.
  case expired
}
