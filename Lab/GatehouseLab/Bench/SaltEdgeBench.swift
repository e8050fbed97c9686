// SPDX-License-Identifier: Apache-2.0

import Delivery
import Demonstration
import Foundation
import GatehouseApp
import Kit
import SaltEdgeWire
import ServiceLifecycle
import Storage
import Synchronization

/// Devices that ask every three seconds, and payments that their customers confirm, against one node: what each call
/// takes from the moment at which it was due, and what the node's processors spend on it.
struct SaltEdgeBench: Sendable {
  let devices: Int
  /// Authorizations a second.
  let rate: Int
  let duration: Duration
  let say: @Sendable (String) -> Void

  /// How often a device asks (saltedge-authenticator §10.5).
  private static let pollInterval = Duration.seconds(3)
  /// Threads of the clients, each with a connection of its own: of askers, of the bank, of those who confirm.
  private static let (askers, creators, confirmers) = (8, 4, 4)
  private static let settleMax = Duration.minutes(2)

  private static var threads: Int { askers + creators + confirmers }

  func run(_ settings: Settings, database: (any SQLDatabase)?) async throws -> SaltEdgeReport {
    let app = try await App.open(
      settings, database: database, logger: settings.logger("gatehouse"), passwordCost: DemoApp.passwordCost)
    return try await LoopbackServer.run(
      { bound in [app.server { bound.yield($0) }, app.worker] as [any Service] }, logger: app.logger
    ) { port in
      let threads = BlockingThreadPool("bench", width: Self.threads)
      say("connecting \(devices) devices")
      let crowd = try await SaltEdgeCrowd.connected(devices, app, port: port, threads, width: Self.askers)
      say("\(devices) devices ask every 3 s, \(rate) authorizations a second, for \(duration.inSeconds) s")
      return try await load(crowd, app, port, threads)
    }
  }

  private func load(
    _ crowd: SaltEdgeCrowd, _ app: App, _ port: Int, _ threads: BlockingThreadPool
  ) async throws -> SaltEdgeReport {
    let (work, begin) = (ConfirmationQueue(), World.live.ticks())
    let processor = ProcessorTime.ofProcess
    var report = SaltEdgeReport(devices: devices, rate: rate, seconds: duration.inSeconds)
    try await withThrowingTaskGroup(of: (SaltEdgeReport.Call, Latencies, Double).self) { group in
      for thread in 0..<Self.askers {
        group.addTask { try await threads.run { try ask(thread, crowd, port, begin, work) } }
      }
      for thread in 0..<Self.creators {
        group.addTask { try await threads.run { try create(thread, crowd, port, begin) } }
      }
      for _ in 0..<Self.confirmers {
        group.addTask { try await threads.run { try confirm(crowd, port, begin, work) } }
      }
      for try await (call, latencies, seconds) in group {
        report.add(latencies, of: call)
        report.clientSeconds += seconds
      }
    }
    report.serverSeconds = ProcessorTime.ofProcess - processor - report.clientSeconds
    report.loadSeconds = (World.live.ticks() - begin).inSeconds
    report.settleSeconds = try await settled(app).inSeconds
    report.confirmed = try await count(app, "SELECT COUNT(*) AS n FROM saltedge_operation WHERE state = 'confirmed'")
    return report
  }

  /// Until nothing is owed to the bank any more.
  private func settled(_ app: App) async throws -> Duration {
    let start = World.live.ticks()
    while try await count(app, "SELECT COUNT(*) AS n FROM outbox WHERE parked_reason IS NULL") > 0 {
      guard World.live.ticks() - start < Self.settleMax else { throw BenchMistake.notValid }
      try await Task.sleep(for: .milliseconds(20))
    }
    return World.live.ticks() - start
  }

  private func count(_ app: App, _ query: SQL) async throws -> Int {
    try await app.database.read { try $0.first(query)?.get("n") ?? 0 }
  }

  // MARK: Threads of the clients

  private func ask(
    _ thread: Int, _ crowd: SaltEdgeCrowd, _ port: Int, _ begin: Duration, _ work: ConfirmationQueue
  ) throws -> (SaltEdgeReport.Call, Latencies, Double) {
    let (connection, processor) = (try LoopbackConnection(port: port), ProcessorTime.ofThread)
    var latencies = Latencies()
    var number = thread
    while true {
      let due = begin + Self.pollInterval * number / devices
      guard due < begin + duration else { break }
      Self.wait(until: due)
      let device = number % devices
      let answer = try connection.send(crowd.devices[device].poll)
      latencies.add(World.live.ticks() - due)
      for authorization in try SaltEdgeCrowd.waiting(answer) { work.add(authorization, on: device) }
      number += Self.askers
    }
    return (.poll, latencies, ProcessorTime.ofThread - processor)
  }

  private func create(
    _ thread: Int, _ crowd: SaltEdgeCrowd, _ port: Int, _ begin: Duration
  ) throws -> (SaltEdgeReport.Call, Latencies, Double) {
    let (connection, processor) = (try LoopbackConnection(port: port), ProcessorTime.ofThread)
    var latencies = Latencies()
    for number in stride(from: thread, to: Int(duration.inSeconds * Double(rate)), by: Self.creators) {
      let due = begin + .seconds(1) * number / rate
      Self.wait(until: due)
      _ = try SaltEdgeCrowd.taken(connection.send(crowd.payment(number)))
      latencies.add(World.live.ticks() - due)
    }
    return (.create, latencies, ProcessorTime.ofThread - processor)
  }

  /// Goes on for one interval after the last payment, so that its device has seen it.
  private func confirm(
    _ crowd: SaltEdgeCrowd, _ port: Int, _ begin: Duration, _ work: ConfirmationQueue
  ) throws -> (SaltEdgeReport.Call, Latencies, Double) {
    let (connection, processor) = (try LoopbackConnection(port: port), ProcessorTime.ofThread)
    var latencies = Latencies()
    while true {
      guard let (authorization, device) = work.next() else {
        guard World.live.ticks() < begin + duration else { break }
        Thread.sleep(forTimeInterval: 0.002)
        continue
      }
      let request = try crowd.confirmation(of: authorization, by: crowd.devices[device])
      let sent = World.live.ticks()
      _ = try SaltEdgeCrowd.taken(connection.send(request))
      latencies.add(World.live.ticks() - sent)
    }
    return (.confirm, latencies, ProcessorTime.ofThread - processor)
  }

  private static func wait(until due: Duration) {
    let pause = (due - World.live.ticks()).inSeconds
    if pause > 0 { Thread.sleep(forTimeInterval: pause) }
  }
}

/// What devices saw and have not confirmed yet, each once.
private final class ConfirmationQueue: Sendable {
  private struct State {
    var seen: Set<SaltEdge.NumberID> = []
    var waiting: [(SaltEdgeV2.Authorization, Int)] = []
  }

  private let state = Mutex(State())

  func add(_ authorization: SaltEdgeV2.Authorization, on device: Int) {
    state.withLock { state in
      if state.seen.insert(authorization.id).inserted { state.waiting.append((authorization, device)) }
    }
  }

  func next() -> (SaltEdgeV2.Authorization, Int)? { state.withLock { $0.waiting.popLast() } }
}
