// SPDX-License-Identifier: Apache-2.0

import HTTP
import Kit
import Logging
import ServiceLifecycle

/// What this process counts and traces of itself.
struct Telemetry: Sendable {
  let requests = RequestMetrics()
  let connections: ConnectionCount
  let bodies: BodyBudget
  let costs: NetworkCosts
  let moves = FlowMoveMetrics()
  let effects = EffectMetrics()
  let jobs = JobMetrics()
  let process: ProcessMetrics
  let tracer: GatehouseTracer
  /// Where spans go; nil when the settings name no file.
  let traceFile: SpanFile?
  /// Where spans and lines of the log are sent; nil when the settings name no collector.
  let collector: Collector?

  /// - Throws: when the trace file cannot be opened.
  init(_ settings: OperationsSettings, world: World, logger: Logger) throws {
    var limits = settings.connections
    limits.connectionsMax = min(limits.connectionsMax, OpenFiles.roomForConnections())
    connections = ConnectionCount(limits)
    bodies = BodyBudget(bytesMax: settings.bodiesMax * 1024 * 1024)
    costs = NetworkCosts(world: world.machine)
    process = ProcessMetrics(version: ProductVersion.current, world: world)
    traceFile = try settings.tracesFile.map { try SpanFile(path: $0, service: "gatehouse", logger: logger) }
    collector = settings.collector.map {
      Collector($0, version: ProductVersion.current, world: world, logger: logger)
    }
    tracer = GatehouseTracer(
      world: world, ratio: settings.tracesRatio, export: Self.both(traceFile?.export, collector?.spans?.take))
  }

  private static func both(
    _ first: (@Sendable (FinishedSpan) -> Void)?, _ second: (@Sendable (FinishedSpan) -> Void)?
  ) -> (@Sendable (FinishedSpan) -> Void)? {
    guard let first, let second else { return first ?? second }
    return { span in
      first(span)
      second(span)
    }
  }

  /// The same logger, whose lines the collector gets too.
  func exporting(_ logger: Logger) -> Logger {
    guard let lines = collector?.lines, let handler = logger.handler as? GatehouseLogHandler else { return logger }
    return Logger(label: logger.label) { _ in handler.alsoWriting(to: lines.take) }
  }

  /// What writes and sends in the background.
  var services: [any Service] { [traceFile as (any Service)?].compactMap { $0 } + (collector?.services ?? []) }

  /// Counters of this process, which are always at hand.
  var families: [MetricFamily] {
    requests.families + connections.families + bodies.families + costs.families + moves.families + effects.families
      + jobs.families + process.families
      + (traceFile?.families ?? []) + (collector?.metrics.families ?? [])
  }
}
