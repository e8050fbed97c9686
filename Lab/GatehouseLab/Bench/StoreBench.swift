// SPDX-License-Identifier: Apache-2.0

import Delivery
import Foundation
import GatehouseApp
import Kit
import RubixFlow
import Storage

/// Measures one engine: journeys at two sizes in interleaved rounds, then how much of an empty handler's throughput the
/// commonest read reaches.
struct StoreBench: Sendable {
  let engine: String
  /// Applications in store, the smaller and the larger installation.
  let sizes: [Int]
  let journeys: Int
  let rounds: Int
  let connections: Int
  let say: @Sendable (String) -> Void

  /// - Parameter open: makes the empty database of an installation; nil lets the application make its own file.
  func run(in folder: String, open: @Sendable (Int) async throws -> (any SQLDatabase)?) async throws -> EngineReport {
    var databases: [Int: any SQLDatabase] = [:]
    for size in sizes { databases[size] = try await open(size) }
    let opened = databases
    let (small, large) = (sizes[0], sizes[sizes.count - 1])
    return try await app(small, in: folder, opened[small]) { [self] first in
      guard small != large else { return try await measure([first]) }
      return try await app(large, in: folder, opened[large]) { try await measure([first, $0]) }
    }
  }

  private func app<Value: Sendable>(
    _ stored: Int, in folder: String, _ database: (any SQLDatabase)?,
    _ body: @escaping @Sendable (BenchApp) async throws -> Value
  ) async throws -> Value {
    var settings = Settings()
    settings.dataFolder = "\(folder)/\(engine)-\(stored)"
    settings.port = 0
    settings.logLevel = "error"
    settings[RubixSettings.self].limitFactor = 1_000_000
    let start = ContinuousClock.now
    say("\(engine): storing \(stored) applications")
    return try await BenchApp.run(settings, database: database, stored: stored, say: say) { [say, engine] app in
      say("\(engine): \(stored) stored in \(Int((ContinuousClock.now - start).inSeconds)) s")
      return try await body(app)
    }
  }

  private func measure(_ apps: [BenchApp]) async throws -> EngineReport {
    var reports = apps.map { SizeReport(stored: $0.stored) }
    let threads = BlockingThreadPool("bench", width: connections)
    // The first round warms caches and prepared statements, and is not counted.
    for round in 0...rounds {
      for (index, app) in apps.enumerated() {
        let played = try await play(app, round: round, threads)
        if round > 0 { reports[index].add(played) }
      }
      say("\(engine): round \(round) of \(rounds)")
    }
    let share = try await ShareBench(rounds: rounds, connections: connections).run(apps[apps.count - 1], threads)
    return EngineReport(engine: engine, sizes: reports, share: share)
  }

  /// One round of journeys, as many side by side as there are connections.
  private func play(_ app: BenchApp, round: Int, _ threads: BlockingThreadPool) async throws -> PlayedRound {
    let count = journeys / max(rounds, 1)
    let shares = (0..<connections).map { thread in
      stride(from: thread, to: count, by: connections).map { BenchJourney(round * count + $0, inbox: app.inbox) }
    }
    var played = PlayedRound()
    let begun = try await timed(&played) { try await Self.each(shares, app.port, threads) { try $0.begin(over: $1) } }
    // As if their pictures had matched; writes that no customer waits for, so they are not timed.
    let tenant = try app.app.tenants.find(nil)
    for journey in begun.joined() { try await app.fixture.match(.init(rawValue: journey.id), tenant: tenant) }
    let ended = try await timed(&played) { try await Self.each(begun, app.port, threads) { try $0.finish(over: $1) } }
    for journey in ended.joined() { played.latencies.add(journey.latencies) }
    return played
  }

  private func timed<Value>(_ played: inout PlayedRound, _ body: () async throws -> Value) async throws -> Value {
    let start = ContinuousClock.now
    let value = try await body()
    played.seconds += (ContinuousClock.now - start).inSeconds
    return value
  }

  private static func each(
    _ shares: [[BenchJourney]], _ port: Int, _ threads: BlockingThreadPool,
    _ step: @escaping @Sendable (inout BenchJourney, LoopbackConnection) throws -> Void
  ) async throws -> [[BenchJourney]] {
    try await withThrowingTaskGroup(of: [BenchJourney].self) { group in
      for share in shares {
        group.addTask {
          try await threads.run {
            let connection = try LoopbackConnection(port: port)
            return try share.map { journey in
              var journey = journey
              try step(&journey, connection)
              return journey
            }
          }
        }
      }
      var done: [[BenchJourney]] = []
      for try await share in group { done.append(share) }
      return done
    }
  }
}

/// What one round of journeys took.
struct PlayedRound: Sendable {
  var seconds = 0.0
  var latencies = Latencies()
}
