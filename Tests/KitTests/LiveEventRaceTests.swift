import Foundation
import Storage
import Testing
import TestSupport

@testable import Kit

@Suite("Kit: live events across nodes", .timeLimit(.minutes(2)))
struct LiveEventRaceTests {
  private struct Undone: Error {}

  @Test(
    "publishers race on two nodes, readers come and go: each sees every event once and in order",
    arguments: Engine.available)
  func raced(engine: Engine) async throws {
    let house = try await LiveHouse(engine, pollInterval: .milliseconds(50))
    let second = try house.made.reopened()
    let nodes = [house.events, house.node(second)]
    let (publishers, each) = (4, 30)
    let total = Int64(publishers * each)
    let seen = try await withThrowingTaskGroup(of: [Int64]?.self) { group in
      for publisher in 0..<publishers {
        group.addTask {
          try await publish(each, on: nodes[publisher % 2], seed: UInt64(publisher))
          return nil
        }
      }
      for reader in 0..<6 {
        group.addTask { try await follow(nodes, until: total, seed: UInt64(100 + reader)) }
      }
      return try await group.reduce(into: [[Int64]]()) { if let sequences = $1 { $0.append(sequences) } }
    }
    #expect(seen.count == 6)
    for sequences in seen { #expect(sequences == Array(1...total)) }
    try second.close()
  }

  /// Publishes in transactions of one or two events, some of which are undone; other topics get theirs in between.
  private func publish(_ count: Int, on events: LiveEvents, seed: UInt64) async throws {
    var chance = SeededGenerator(seed: seed)
    var left = count
    while left > 0 {
      let size = min(left, Int.random(in: 1...2, using: &chance))
      let isUndone = Int.random(in: 0..<4, using: &chance) == 0
      let isolation: SQLIsolation = Bool.random(using: &chance) ? .snapshot : .readCommitted
      do {
        try await events.database.write(isolation) { tx in
          for _ in 0..<size { try events.publish("raced", to: "t", in: tx) }
          try events.publish("noise", to: "other \(seed)", in: tx)
          if isUndone { throw Undone() }
        }
        left -= size
      } catch is Undone {}
    }
  }

  /// Reads a few events, goes away, comes back on any node with the last number; sometimes it is cut off in a wait.
  private func follow(_ nodes: [LiveEvents], until last: Int64, seed: UInt64) async throws -> [Int64] {
    var chance = SeededGenerator(seed: seed)
    var sequences: [Int64] = []
    while sequences.last != last {
      let events = nodes[Int.random(in: 0..<nodes.count, using: &chance)]
      let position = sequences.last
      let stay = Int.random(in: 1...15, using: &chance)
      if Bool.random(using: &chance) {
        let limit = Duration.milliseconds(Int.random(in: 1...20, using: &chance))
        guard case .events(let page) = try await events.wait("t", after: position, atMost: limit) else {
          Issue.record("expired")
          return sequences
        }
        sequences += page.map(\.sequence)
      } else {
        var taken = 0
        for try await case .event(let event) in events.subscribe("t", after: position) {
          sequences.append(event.sequence)
          taken += 1
          if taken == stay || event.sequence == last { break }
        }
      }
    }
    return sequences
  }
}
