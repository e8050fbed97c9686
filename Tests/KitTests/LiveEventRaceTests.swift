// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage
import Synchronization
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
    let app = try await LiveTestApp(engine, pollInterval: .milliseconds(50))
    let second = try app.made.reopened()
    let nodes = [app.events, app.node(second)]
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

  @Test(
    "while a topic is forgotten again and again no number comes twice and no reader misses an event unawares",
    arguments: Engine.available)
  func forgotten(engine: Engine) async throws {
    let app = try await LiveTestApp(engine, pollInterval: .milliseconds(20))
    let second = try app.made.reopened()
    let nodes = [app.events, app.node(second)]
    let notes = Notes()
    let runs = try await withThrowingTaskGroup(of: [[Int64]].self) { group in
      for reader in 0..<4 {
        group.addTask {
          try await followForgetful(nodes[reader % 2], while: { !notes.isOver })
        }
      }
      try await withThrowingTaskGroup(of: Void.self) { writers in
        for publisher in 0..<3 {
          writers.addTask {
            var randomness = SeededGenerator(seed: UInt64(publisher))
            for _ in 0..<40 {
              let isolation: SQLIsolation = Bool.random(using: &randomness) ? .snapshot : .readCommitted
              let events = nodes[Int.random(in: 0..<2, using: &randomness)]
              let number = try await events.database.write(isolation) { try events.publish("e", to: "t", in: $0) }
              notes.add(number)
            }
          }
        }
        for forgetter in 0..<2 {
          writers.addTask {
            for round in 0..<15 {
              let events = nodes[(forgetter + round) % 2]
              try await events.database.write(.readCommitted) { tx in
                try events.publish("e", to: "other", in: tx)
                try events.forget(round.isMultiple(of: 3) ? "other" : "t", in: tx)
              }
            }
          }
        }
        try await writers.waitForAll()
      }
      notes.end()
      return try await group.reduce(into: [[Int64]]()) { $0 += $1 }
    }
    let numbers = notes.numbers
    #expect(Set(numbers).count == numbers.count && numbers.count == 120)
    for run in runs where !run.isEmpty {
      // Within one run, which a reader begins anew when it is told that something is gone.
      #expect(run == numbers.filter { (run[0]...run[run.count - 1]).contains($0) }.sorted())
    }
    #expect(runs.contains { $0.count > 1 })
    try second.close()
  }

  private final class Notes: Sendable {
    private let state = Mutex<(numbers: [Int64], isOver: Bool)>(([], false))
    var numbers: [Int64] { state.withLock { $0.numbers } }
    var isOver: Bool { state.withLock { $0.isOver } }
    func add(_ number: Int64) { state.withLock { $0.numbers.append(number) } }
    func end() { state.withLock { $0.isOver = true } }
  }

  /// What a reader saw, in runs between the times at which it was told that something is gone.
  private func followForgetful(
    _ events: LiveEvents, while goesOn: @Sendable () -> Bool
  ) async throws -> [[Int64]] {
    var (runs, run): ([[Int64]], [Int64]) = ([], [])
    var position: Int64? = 0
    while goesOn() {
      switch try await events.wait("t", after: position, atMost: .milliseconds(20)) {
      case .events(let page):
        run += page.map(\.sequence)
        position = run.last ?? position
      case .expired:
        runs.append(run)
        run = []
        position = try await events.database.read { try events.position(of: "t", in: $0) }
      }
    }
    return runs + [run]
  }

  /// Publishes in transactions of one or two events, some of which are undone; other topics get theirs in between.
  private func publish(_ count: Int, on events: LiveEvents, seed: UInt64) async throws {
    var randomness = SeededGenerator(seed: seed)
    var left = count
    while left > 0 {
      let size = min(left, Int.random(in: 1...2, using: &randomness))
      let isUndone = Int.random(in: 0..<4, using: &randomness) == 0
      let isolation: SQLIsolation = Bool.random(using: &randomness) ? .snapshot : .readCommitted
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
    var randomness = SeededGenerator(seed: seed)
    var sequences: [Int64] = []
    while sequences.last != last {
      let events = nodes[Int.random(in: 0..<nodes.count, using: &randomness)]
      let position = sequences.last
      let stay = Int.random(in: 1...15, using: &randomness)
      if Bool.random(using: &randomness) {
        let limit = Duration.milliseconds(Int.random(in: 1...20, using: &randomness))
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
