// SPDX-License-Identifier: Apache-2.0

import Foundation
import GatehouseApp

/// Everything that `gatehouse-lab bench store` measured.
struct BenchReport: Sendable, Encodable {
  let journeys: Int
  let rounds: Int
  let connections: Int
  var engines: [EngineReport] = []
  /// Engines that were not measured, with the reason.
  var left: [String: String] = [:]
}

/// One engine's measures.
struct EngineReport: Sendable, Encodable {
  let engine: String
  let sizes: [SizeReport]
  let share: ShareReport

  /// p99 at the largest size over p99 at the smallest.
  var ratio: Double { (sizes.last?.p99 ?? 0) / max(sizes.first?.p99 ?? 0, .leastNonzeroMagnitude) }

  enum CodingKeys: String, CodingKey {
    case engine, sizes, share
    case ratio = "p99_ratio"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(engine, forKey: .engine)
    try container.encode(sizes, forKey: .sizes)
    try container.encode(share, forKey: .share)
    try container.encode(ratio, forKey: .ratio)
  }
}

/// Journeys at one size.
struct SizeReport: Sendable, Encodable {
  let stored: Int
  private(set) var steps = 0
  private(set) var seconds = 0.0
  private var latencies = Latencies()

  init(stored: Int) { self.stored = stored }

  mutating func add(_ round: PlayedRound) {
    latencies.add(round.latencies)
    steps = latencies.milliseconds.count
    seconds += round.seconds
  }

  var stepsPerSecond: Double { Double(steps) / max(seconds, .leastNonzeroMagnitude) }
  var p50: Double { latencies.percentile(50) }
  var p99: Double { latencies.percentile(99) }

  enum CodingKeys: String, CodingKey {
    case stored, steps, seconds
    case stepsPerSecond = "steps_per_second"
    case p50 = "p50_ms"
    case p99 = "p99_ms"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(stored, forKey: .stored)
    try container.encode(steps, forKey: .steps)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(stepsPerSecond, forKey: .stepsPerSecond)
    try container.encode(p50, forKey: .p50)
    try container.encode(p99, forKey: .p99)
  }
}

/// `GET auth/me` beside an empty handler.
struct ShareReport: Sendable, Encodable {
  /// First reads of customers whom the node does not know yet, a second.
  var first = 0.0
  /// Requests per second, by round.
  private(set) var perSecond: [ShareBench.Handler: [Double]] = [:]
  private var serverSeconds: [ShareBench.Handler: Double] = [:]
  private var clientSeconds: [ShareBench.Handler: Double] = [:]
  private var requests: [ShareBench.Handler: Int] = [:]

  mutating func add(_ turn: ShareBench.Turn, of handler: ShareBench.Handler) {
    perSecond[handler, default: []].append(turn.perSecond)
    serverSeconds[handler, default: 0] += turn.serverSeconds
    clientSeconds[handler, default: 0] += turn.clientSeconds
    requests[handler, default: 0] += turn.requests
  }

  /// The median: one disturbed round decides nothing.
  func median(_ handler: ShareBench.Handler) -> Double {
    let values = perSecond[handler] ?? []
    return values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  /// Of the empty handler's throughput, or of another's.
  func share(_ handler: ShareBench.Handler, of base: ShareBench.Handler = .empty) -> Double {
    median(handler) / max(median(base), .leastNonzeroMagnitude)
  }

  /// Processor time that the server spends on one request, in microseconds; a database server's own is not in it.
  func serverMicroseconds(_ handler: ShareBench.Handler) -> Double {
    (serverSeconds[handler] ?? 0) / Double(max(requests[handler] ?? 0, 1)) * 1e6
  }

  /// Of the client, likewise.
  func clientMicroseconds(_ handler: ShareBench.Handler) -> Double {
    (clientSeconds[handler] ?? 0) / Double(max(requests[handler] ?? 0, 1)) * 1e6
  }

  enum CodingKeys: String, CodingKey {
    case share
    case ofLive = "share_of_live"
    case first = "first_per_second"
    case perSecond = "per_second"
    case server = "server_us"
    case client = "client_us"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(share(.me), forKey: .share)
    try container.encode(share(.me, of: .live), forKey: .ofLive)
    try container.encode(first, forKey: .first)
    try container.encode(Self.byName { perSecond[$0] ?? [] }, forKey: .perSecond)
    try container.encode(Self.byName(serverMicroseconds), forKey: .server)
    try container.encode(Self.byName(clientMicroseconds), forKey: .client)
  }

  private static func byName<Value>(_ value: (ShareBench.Handler) -> Value) -> [String: Value] {
    Dictionary(uniqueKeysWithValues: ShareBench.Handler.allCases.map { ($0.rawValue, value($0)) })
  }
}
