import Foundation

/// Everything that `gatehouse bench store` measured.
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
  /// Requests per second, by round.
  private(set) var empty: [Double] = []
  private(set) var me: [Double] = []
  private var serverSeconds = (empty: 0.0, me: 0.0)
  private var requests = 0

  mutating func add(empty turn: ShareBench.Turn, me: ShareBench.Turn) {
    empty.append(Double(turn.requests) / turn.seconds)
    self.me.append(Double(me.requests) / me.seconds)
    serverSeconds.empty += turn.serverSeconds
    serverSeconds.me += me.serverSeconds
    requests += turn.requests
  }

  /// Medians: one disturbed round decides nothing.
  var emptyPerSecond: Double { Self.median(empty) }
  var mePerSecond: Double { Self.median(me) }
  var share: Double { mePerSecond / max(emptyPerSecond, .leastNonzeroMagnitude) }
  /// Processor time that the server spends on one request, in microseconds.
  var serverMicroseconds: (empty: Double, me: Double) {
    let count = Double(max(requests, 1))
    return (serverSeconds.empty / count * 1e6, serverSeconds.me / count * 1e6)
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }

  enum CodingKeys: String, CodingKey {
    case share
    case empty = "empty_per_second"
    case me = "me_per_second"
    case emptyServer = "empty_server_us"
    case meServer = "me_server_us"
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(share, forKey: .share)
    try container.encode(empty, forKey: .empty)
    try container.encode(me, forKey: .me)
    try container.encode(serverMicroseconds.empty, forKey: .emptyServer)
    try container.encode(serverMicroseconds.me, forKey: .meServer)
  }
}
